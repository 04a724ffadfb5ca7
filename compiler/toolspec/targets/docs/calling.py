"""Instructions for calling a service from Python, from an MCP client, from a shell."""

from __future__ import annotations

from json import dumps
from shlex import quote
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, Idempotency, InputForm
from toolspec.shared.samples import sample
from toolspec.shared.validator import compiled
from toolspec.sinks.markdown import fenced
from toolspec.targets.arguments import has_optional_arguments
from toolspec.targets.docs.view import Calls, Markdown
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Example, Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue

_KEY = "idempotency_key"
_LONGEST = 40  # longest text shown as an argument
_LINE = 88
_WIDEST = 68  # widest argument, so that its line fits
_LARGEST = 50_000  # largest schema to make sample arguments for, which takes time by its size


def calls(service: Service, package: str) -> Calls:
    """Return examples of calls of a service, with the tool that is easiest to show."""
    shown = _example_call(service)
    bound = ", ".join(("handlers", *_options(service)))
    return Calls(
        client=f"{service.names.class_stem}Client(bind({bound}))",
        python=Markdown(fenced(_python(service, package, *shown), "python") if shown else ""),
        configuration=_client_configuration(service),
        shell=Markdown(fenced(_shell(*shown), "sh") if shown else ""),
    )


def _example_call(service: Service) -> tuple[Tool, JsonObject] | None:
    """Return a tool with valid arguments that are plain enough for any language.

    A tool that reads is safer to try than one that writes, and the author's example is better than
    a generated one. Where no tool has such arguments, the first is shown without any.
    """
    best: tuple[tuple[bool, bool], Tool, JsonObject] | None = None
    # Tools that read come first: arguments of the others are then rarely validated.
    for tool in sorted(service.tools, key=lambda tool: not tool.annotations.read_only):
        if best is not None and (tool.annotations.read_only, True) <= best[0]:
            continue
        example_arguments = next(
            (
                passed
                for example in tool.examples
                if not example.error and (passed := _example_arguments(tool, example))
            ),
            None,
        )
        worth = (tool.annotations.read_only, bool(example_arguments))
        if best is not None and worth <= best[0]:
            continue
        arguments = example_arguments or _sample_arguments(tool)
        if arguments is not None:
            best = (worth, tool, arguments)
    if best is None and service.tools:
        return service.tools[0], {}
    return best and best[1:]


def _example_arguments(tool: Tool, example: Example) -> JsonObject | None:
    """Return the arguments of an example; None where they are not plain, or not valid."""
    value = example.input
    if tool.input_form is InputForm.TEXT:
        value = {"input": value}
    if not isinstance(value, dict) or not _is_shown(value):
        return None
    text = dumps(tool.arguments)
    return value if compiled(text, formats=tool.formats == "assert")(value) else None


def _sample_arguments(tool: Tool) -> JsonObject | None:
    """Return minimal sample arguments, generated as for mocks; None if none were found."""
    text = dumps(tool.arguments)
    if len(text) > _LARGEST:
        return None
    try:
        value = sample(text, tool.names.full, "assert" if tool.formats == "assert" else "annotate")
    except ValueError:  # no such value exists, or none was found
        return None
    if not isinstance(value, dict):
        return None
    accepts = compiled(text, formats=tool.formats == "assert")
    for name in list(value):
        fewer = {key: item for key, item in value.items() if key != name}
        if accepts(fewer):
            value = fewer
    return value if _is_shown(value) else None


def _is_shown(arguments: JsonObject) -> bool:
    """Return whether arguments are plain, and each fits on a line."""
    widths = (len(f"{dumps(name)}: {_literal(argument)},") for name, argument in arguments.items())
    return _is_plain(arguments) and max(widths, default=0) <= _WIDEST


def _is_plain(value: JsonValue) -> bool:
    """Return whether a value is plain in any language: short texts in ASCII, without braces."""
    match value:
        case str():
            # Without `{`, the text cannot contain a template tag.
            is_word = value.isascii() and value.isprintable() and "{" not in value
            return is_word and len(value) <= _LONGEST
        case list():
            return all(map(_is_plain, value))
        case dict():
            names = (name.isascii() and name.isidentifier() for name in value)
            return all(names) and all(map(_is_plain, value.values()))
        case _:
            return True


def _python(service: Service, package: str, tool: Tool, arguments: JsonObject) -> str:
    module, stem = service.names.module, service.names.class_stem
    lines = _call_lines(tool, arguments)
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
            f"SERVE = {dumps(_serve(service))}",
            "",
            "",
            "async def main() -> None:",
            '    command = StdioServerParameters(command="toolspec", args=SERVE)',
            "    async with McpTransport(command) as server:",
            f"        client = {stem}Client(server{approver})",
            *lines,
            "",
            "",
            "asyncio.run(main())",
        )
    )


def _call_lines(tool: Tool, arguments: JsonObject) -> list[str]:
    """Return the call and the statement that prints its result, in the layout of formatters."""
    parameters = _parameters(tool, arguments)
    method = f"client.{tool.names.method}"
    call = f"{method}({', '.join(parameters)})"
    if tool.streaming:
        short = [f"        async for chunk in {call}:", "            print(chunk)"]
        before, after = f"async for chunk in {method}(", "):"
    else:
        short = [f"        print(await {call})"]
        before, after = f"result = await {method}(", ")"
    if len(short[0]) <= _LINE or not parameters or not parameters[0].startswith("{"):
        return short
    comma = "," if len(parameters) > 1 else ""
    own = {name: argument for name, argument in arguments.items() if name not in {_KEY, "instance"}}
    return [
        f"        {before}",
        "            {",
        *(
            f"                {dumps(name)}: {_literal(argument)},"
            for name, argument in own.items()
        ),
        f"            }}{comma}",
        *(f"            {parameter}," for parameter in parameters[1:]),
        f"        {after}",
        "            print(chunk)" if tool.streaming else "        print(result)",
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


def _parameters(tool: Tool, arguments: JsonObject) -> tuple[str, ...]:
    key = dumps(arguments.get(_KEY, "a-key-of-yours"))
    own = {name: argument for name, argument in arguments.items() if name not in {_KEY, "instance"}}
    instance = (f"instance={dumps(tool.instances[0])}",) if tool.instances else ()
    if tool.input_form is InputForm.TEXT:
        first = _literal(own.get("input", "a text of yours"))
    else:
        first = _literal(own)
    if first == "{}" and has_optional_arguments(tool):
        first = ""
    keyed = tool.idempotency is not Idempotency.NONE
    is_needed = tool.idempotency is Idempotency.REQUIRED or _KEY in arguments
    parameters = (first, *instance, *((f"{_KEY}={key}",) if keyed and is_needed else ()))
    return tuple(filter(None, parameters))


def _literal(value: JsonValue) -> str:
    """Return a plain value as Python; JSON strings are valid in Python, too."""
    match value:
        case str():
            return dumps(value)
        case list():
            return f"[{', '.join(map(_literal, value))}]"
        case dict():
            return f"{{{', '.join(f'{dumps(name)}: {_literal(item)}' for name, item in value.items())}}}"
        case _:
            return repr(value)


def _client_configuration(service: Service) -> JsonObject:
    return {"mcpServers": {service.name: {"command": "toolspec", "args": _serve(service)}}}


def _shell(tool: Tool, arguments: JsonObject) -> str:
    if tool.instances:
        arguments = {**arguments, "instance": arguments.get("instance", tool.instances[0])}
    words = [f"{name}={_argument(argument)}" for name, argument in arguments.items()]
    if any(
        isinstance(argument, (dict, list)) or argument is None for argument in arguments.values()
    ):
        words = ["--json", dumps(arguments)]
    if not tool.annotations.read_only:
        words.append("--yes")
    return " ".join(("toolspec call", exact_name(tool), *map(quote, words)))


def _argument(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
