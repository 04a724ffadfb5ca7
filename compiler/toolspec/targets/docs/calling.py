"""Instructions for calling a tool from Python, over MCP, from a shell, by JSON-RPC."""

from __future__ import annotations

from functools import lru_cache
from json import dumps
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, Idempotency, InputForm
from toolspec.shared.json_values import as_texts
from toolspec.shared.records import dataclass
from toolspec.shared.samples import sample
from toolspec.shared.validator import InvalidSchemaError, compiled
from toolspec.sinks.json_text import json_example
from toolspec.sinks.python import expression
from toolspec.sinks.shell import word
from toolspec.targets.arguments import has_optional_arguments
from toolspec.targets.docs.connecting import connections
from toolspec.targets.docs.view import Calls, ExampleView, Snippet
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue

_KEY = "idempotency_key"
_OWN = frozenset({_KEY, "instance"})
_LONGEST = 40  # longest text that is an argument of its own on a command line
_LINE = 88
_LARGEST = 50_000  # largest schema to make a sample for, which takes time by its size
_VERSION = "2026-07-28"
_CACHED = 2048  # samples of a service that pages of several targets share


@dataclass(frozen=True, slots=True)
class ProgramOptions:
    """What the programs of examples need: the import path of the generated code, and a server."""

    package: str = "generated"
    server: str = "http://127.0.0.1:8000/mcp"

    @classmethod
    def of(cls, options: JsonObject) -> ProgramOptions:
        """Return the ones in the options of a target."""
        default = cls()
        return cls(
            str(options.get("package", default.package)), str(options.get("server", default.server))
        )


def calls(service: Service, options: ProgramOptions) -> Calls:
    """Return examples of calls of a service, with the tool that is easiest to show."""
    bound = ", ".join(("handlers", *_options(service)))
    tool = _tool_to_show(service)
    return Calls(
        client=f"{service.names.class_stem}Client(bind({bound}))",
        configuration=_client_configuration(service),
        snippets=snippets(service, tool, options) if tool else (),
        connect=connections(service, options.server),
    )


def examples(tool: Tool) -> tuple[ExampleView, ...]:
    """Return the author's examples; without one that succeeds, one is made as mocks make it.

    None is made where no valid value was found, or where there is nothing to show.
    """
    views = tuple(
        ExampleView(example.title, example.input, example.output, example.error)
        for example in tool.examples
    )
    if any(not example.error for example in tool.examples):
        return views
    arguments = sample_arguments(tool)
    result = _sample(dumps(tool.output.bundle), _seed(tool), tool.formats)
    if arguments is None or result is None or (not arguments and result == (None,)):
        return views
    value: JsonValue = arguments
    if tool.input_form is InputForm.TEXT:
        value = arguments.get("input", "")
    return (ExampleView("", value, result[0], "", is_made=True), *views)


def _seed(tool: Tool) -> str:
    """Return the seed of a mock's result, so that its reply is the one shown."""
    return f"0/{tool.names.full}@{tool.version}"


def snippets(service: Service, tool: Tool, options: ProgramOptions) -> tuple[Snippet, ...]:
    """Return programs that call a tool, each whole."""
    arguments = _call_arguments(tool)
    return (
        Snippet("python", "Python", "python", _python(service, options.package, tool, arguments)),
        Snippet("mcp", "MCP", "python", _mcp(tool, arguments, options.server)),
        Snippet("shell", "Shell", "sh", _shell(tool, arguments)),
        Snippet("jsonrpc", "JSON-RPC", "sh", _curl(tool, arguments, options.server)),
    )


def _tool_to_show(service: Service) -> Tool | None:
    """Return a tool that reads, rather than one that writes, and one with an author's example."""
    return max(
        service.tools,
        key=lambda tool: (
            tool.annotations.read_only,
            any(example.input and not example.error for example in tool.examples),
        ),
        default=None,
    )


def _call_arguments(tool: Tool) -> JsonObject:
    """Return the arguments of a call: the author's, made ones, or else none."""
    arguments = next(
        (
            arguments
            for example in tool.examples
            if not example.error and (arguments := _valid(tool, example.input)) is not None
        ),
        None,
    )
    if arguments is None:
        arguments = sample_arguments(tool) or {}
    if tool.instances:
        arguments = {**arguments, "instance": arguments.get("instance", tool.instances[0])}
    if tool.idempotency is Idempotency.REQUIRED:
        arguments = {**arguments, _KEY: arguments.get(_KEY, "a-key-of-yours")}
    return arguments


def _valid(tool: Tool, value: JsonValue) -> JsonObject | None:
    """Return the input of an example as arguments; None where they are not valid."""
    arguments = {"input": value} if tool.input_form is InputForm.TEXT else value
    if not isinstance(arguments, dict):
        return None
    added = {"instance": tool.instances[0]} if tool.instances else {}
    if tool.idempotency is Idempotency.REQUIRED:
        added[_KEY] = "a-key-of-yours"
    return arguments if _accepts(tool, {**added, **arguments}) else None


def _accepts(tool: Tool, arguments: JsonObject) -> bool:
    try:
        return compiled(dumps(tool.arguments), formats=tool.formats == "assert")(arguments)
    except InvalidSchemaError:
        return False


def sample_arguments(tool: Tool) -> JsonObject | None:
    """Return minimal sample arguments, generated as for mocks; None if none were found."""
    required = frozenset(as_texts(tool.arguments.get("required")))
    return _fewest(dumps(tool.arguments), required, tool.names.full, tool.formats)


@lru_cache(maxsize=_CACHED)
def _fewest(schema: str, required: frozenset[str], seed: str, formats: str) -> JsonObject | None:
    found = _sample(schema, seed, formats, is_small=True)
    value = found[0] if found else None
    if not isinstance(value, dict):
        return None
    optional = [name for name in value if name not in required]
    if not optional:
        return value
    accepts = compiled(schema, formats=formats == "assert")
    for name in optional:
        fewer = {key: item for key, item in value.items() if key != name}
        if accepts(fewer):
            value = fewer
    return value


@lru_cache(maxsize=_CACHED)
def _sample(
    schema: str, seed: str, formats: str, *, is_small: bool = False
) -> tuple[JsonValue] | None:
    if len(schema) > _LARGEST:
        return None
    try:
        return (
            sample(
                schema, seed, "assert" if formats == "assert" else "annotate", is_small=is_small
            ),
        )
    except ValueError:  # no such value exists, or none was found
        return None


def _python(service: Service, package: str, tool: Tool, arguments: JsonObject) -> str:
    module, stem = service.names.module, service.names.class_stem
    approver = "" if tool.annotations.read_only else ", approver=lambda question: True"
    return "\n".join(
        (
            "import asyncio",
            "",
            "from mcp import StdioServerParameters",
            "from toolspec.serving.client import McpTransport",
            "",
            f"from {package}.{module} import {stem}Client",
            "",
            f"SERVE = {expression(_serve(service))}",
            "",
            "",
            "async def main() -> None:",
            '    command = StdioServerParameters(command="toolspec", args=SERVE)',
            "    async with McpTransport(command) as server:",
            f"        client = {stem}Client(server{approver})",
            *_call_lines(tool, arguments),
            "",
            "",
            "asyncio.run(main())",
        )
    )


def _call_lines(tool: Tool, arguments: JsonObject) -> list[str]:
    """Return the call and the statement that prints its result, in the layout of formatters."""
    parameters = _parameters(tool, arguments)
    method = f"client.{tool.names.method}"
    line = f"{method}({', '.join(name + expression(value, width=10**9) for name, value in parameters)})"
    if tool.streaming:
        short = [f"        async for chunk in {line}:", "            print(chunk)"]
        before, after, last = f"async for chunk in {method}(", "):", "            print(chunk)"
    else:
        short = [f"        print(await {line})"]
        before, after, last = f"result = await {method}(", ")", "        print(result)"
    if len(short[0]) <= _LINE or not parameters or not isinstance(parameters[0][1], dict):
        return short
    return _expanded(before, [*parameters], after, last)


def _expanded(
    before: str, parameters: list[tuple[str, JsonValue]], after: str, last: str
) -> list[str]:
    """Return a call with one parameter a line; an object has one member a line."""
    comma = "," if len(parameters) > 1 else ""
    indent = " " * 12
    return [
        f"        {before}",
        *(
            f"{indent}{name}{expression(value, indent, 0 if isinstance(value, dict) else _LINE)}{comma}"
            for name, value in parameters
        ),
        f"        {after}",
        last,
    ]


def _serve(service: Service) -> list[JsonValue]:
    return ["serve", "--transport", "stdio", "--service", service.name]


def _options(service: Service) -> Iterator[str]:
    """Yield the arguments of `bind` for this service, besides handlers."""
    if service.settings is not None:
        yield "settings=settings"
    if service.auth.kind is not AuthKind.NONE:
        yield "credentials=credentials"
    if any(hooks.names for hooks in (service.hooks, *(tool.hooks for tool in service.tools))):
        yield "hooks=hooks"


def _parameters(tool: Tool, arguments: JsonObject) -> list[tuple[str, JsonValue]]:
    """Return the parameters of a generated client's method, each with its name and `=`."""
    own: JsonValue = {name: value for name, value in arguments.items() if name not in _OWN}
    if tool.input_form is InputForm.TEXT:
        own = arguments.get("input", "a text of yours")
    parameters = [] if own == {} and has_optional_arguments(tool) else [("", own)]
    if tool.instances:
        parameters.append(("instance=", arguments["instance"]))
    if tool.idempotency is not Idempotency.NONE and _KEY in arguments:
        parameters.append((f"{_KEY}=", arguments[_KEY]))
    return parameters


def _client_configuration(service: Service) -> JsonObject:
    return {"mcpServers": {service.name: {"command": "toolspec", "args": _serve(service)}}}


def _mcp(tool: Tool, arguments: JsonObject, server: str) -> str:
    """Return a program over the MCP SDK; it approves a call that asks for it."""
    asks = not tool.annotations.read_only
    approve = (
        "async def approve(context, question) -> ElicitResult:",
        '    return ElicitResult(action="accept", content={})',
        "",
        "",
    )
    options = [expression(server), *(["elicitation_callback=approve"] if asks else ())]
    opening = [f"    async with Client({', '.join(options)}) as client:"]
    if len(opening[0]) > _LINE:
        inner = (f"        {option}," for option in options)
        opening = ["    async with Client(", *inner, "    ) as client:"]
    call = f"client.call_tool({expression(exact_name(tool))}, {expression(arguments, width=10**9)})"
    lines = [f"        result = await {call}"]
    if len(lines[0]) > _LINE:
        parameters: list[tuple[str, JsonValue]] = [("", exact_name(tool)), ("", arguments)]
        lines = _expanded("result = await client.call_tool(", parameters, ")", "")[:-1]
    return "\n".join(
        (
            "import asyncio",
            "",
            "from mcp import Client",
            *(("from mcp_types import ElicitResult",) if asks else ()),
            "",
            "",
            *(approve if asks else ()),
            "async def main() -> None:",
            *opening,
            *lines,
            "        print(result.structured_content or result.content)",
            "",
            "",
            "asyncio.run(main())",
        )
    )


def _shell(tool: Tool, arguments: JsonObject) -> str:
    if all(map(_is_plain, arguments.values())) and all(map(str.isidentifier, arguments)):
        words = [f"{name}={_argument(argument)}" for name, argument in arguments.items()]
    else:
        words = ["--json", _one_line(arguments)]
    if not tool.annotations.read_only:
        words.append("--yes")
    return " ".join(("toolspec call", word(exact_name(tool)), *map(word, words)))


def _is_plain(value: JsonValue) -> bool:
    """Return whether a value is a scalar that a command line shows well."""
    if isinstance(value, str):
        # Without `{`, the text cannot contain a template tag.
        is_word = value.isascii() and value.isprintable() and "{" not in value
        return is_word and len(value) <= _LONGEST
    return value is not None and not isinstance(value, (dict, list))


def _argument(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _one_line(value: JsonValue) -> str:
    return json_example(value, 10**9).rstrip("\n")


def _curl(tool: Tool, arguments: JsonObject, server: str) -> str:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": _VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": exact_name(tool),
    }
    meta: JsonObject = {
        "io.modelcontextprotocol/protocolVersion": _VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "curl", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
        if tool.annotations.read_only
        else {"elicitation": {"form": {}}},
    }
    params: JsonObject = {"name": exact_name(tool), "arguments": arguments, "_meta": meta}
    body: JsonObject = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    # Text of JSON can write an apostrophe as an escape, so that the quotes need none.
    text = json_example(body).rstrip("\n").replace("'", "\\u0027")
    return " \\\n".join(
        (
            f"curl -s {word(server)}",
            *(f"  -H {word(f'{name}: {value}')}" for name, value in headers.items()),
            f"  -d '{text}'",
        )
    )
