"""How a service is called: from Python, from an MCP client, from a shell."""

from __future__ import annotations

from json import dumps
from shlex import quote
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, Idempotency, InputForm
from toolspec.sinks.markdown import fenced, fenced_json
from toolspec.sinks.markdown_layout import blocks, section
from toolspec.targets.arguments import has_optional_arguments
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue

_KEY = "idempotency_key"
_LONGEST = 40  # of a text that is shown as an argument


_FROM_CLIENT = (
    "From an MCP client; this goes into its configuration. Without `--handlers module:object` the "
    "server answers from the examples:"
)


def calling(service: Service, package: str) -> str:
    """Return how to call a service in blocks of code, by the tool that is easiest to show."""
    shown = _shown(service)
    return blocks(
        section(
            "From Python, with the generated client:",
            fenced(_python(service, package, *shown), "python") if shown else "",
        ),
        section(_FROM_CLIENT, fenced_json(_client_configuration(service))),
        section("From a shell:", fenced(_shell(*shown), "sh") if shown else ""),
    )


def _shown(service: Service) -> tuple[Tool, JsonObject] | None:
    """Return a tool with arguments that are plain enough to be shown in any language.

    Reading is safer to try than writing, and an example of the author's better than none.
    """
    best: tuple[tuple[bool, bool], Tool, JsonObject] | None = None
    for tool in service.tools:
        arguments = next(filter(None, (_plain(tool, each.input) for each in tool.examples)), {})
        worth = (tool.annotations.read_only, bool(arguments))
        if best is None or worth > best[0]:
            best = (worth, tool, arguments)
    return best and best[1:]


def _plain(tool: Tool, value: JsonValue) -> JsonObject:
    """Return arguments of which every name is an ASCII word and every value a short plain scalar."""
    if tool.input_form is InputForm.TEXT and isinstance(value, str):
        value = {"input": value}
    if not isinstance(value, dict):
        return {}
    for name, each in value.items():
        if not (name.isascii() and name.isidentifier()) or not _is_plain(each):
            return {}
    return value


def _is_plain(value: JsonValue) -> bool:
    if isinstance(value, str):
        # Without `{`, no template tag can come about.
        is_word = value.isascii() and value.isprintable() and "{" not in value
        return is_word and len(value) <= _LONGEST
    return isinstance(value, (bool, int, float))


def _python(service: Service, package: str, tool: Tool, arguments: JsonObject) -> str:
    module, stem = service.names.module, service.names.class_stem
    call = f"client.{tool.names.method}({', '.join(_parameters(tool, arguments))})"
    lines = (
        (f"    async for chunk in {call}:", "        print(chunk)")
        if tool.streaming
        else (f"    print(await {call})",)
    )
    return "\n".join(
        (
            "import asyncio",
            "",
            f"from {package}.{module} import {stem}Client, bind",
            "",
            "",
            "async def main() -> None:",
            "    # What is given here is yours.",
            f"    registry = bind({', '.join(('handlers', *_options(service)))})",
            f"    client = {stem}Client(registry)",
            *lines,
            "",
            "",
            "asyncio.run(main())",
        )
    )


def _options(service: Service) -> Iterator[str]:
    """Yield what `bind` takes of this service beside handlers."""
    if service.settings is not None:
        yield "settings=settings"
    if service.auth.kind is not AuthKind.NONE:
        yield "credentials=credentials"
    if any(each.names for each in (service.hooks, *(tool.hooks for tool in service.tools))):
        yield "hooks=hooks"


def _parameters(tool: Tool, arguments: JsonObject) -> tuple[str, ...]:
    key = dumps(arguments.get(_KEY, "a-key-of-yours"))
    own = {name: each for name, each in arguments.items() if name not in {_KEY, "instance"}}
    instance = (f"instance={dumps(tool.instances[0])}",) if tool.instances else ()
    if tool.input_form is InputForm.TEXT:
        first = _literal(own.get("input", "a text of yours"))
    else:
        first = f"{{{', '.join(f'{dumps(name)}: {_literal(each)}' for name, each in own.items())}}}"
    if first == "{}" and has_optional_arguments(tool):
        first = ""
    keyed = tool.idempotency is not Idempotency.NONE
    is_needed = tool.idempotency is Idempotency.REQUIRED or _KEY in arguments
    given = (first, *instance, *((f"{_KEY}={key}",) if keyed and is_needed else ()))
    return tuple(filter(None, given))


def _literal(value: JsonValue) -> str:
    """Return a plain scalar as Python; JSON's strings are Python's too."""
    return dumps(value) if isinstance(value, str) else repr(value)


def _client_configuration(service: Service) -> JsonObject:
    arguments: list[JsonValue] = ["serve", "--transport", "stdio"]
    return {"mcpServers": {service.name: {"command": "toolspec", "args": arguments}}}


def _shell(tool: Tool, arguments: JsonObject) -> str:
    words = [f"{name}={_argument(each)}" for name, each in arguments.items()]
    if tool.instances and "instance" not in arguments:
        words.append(f"instance={tool.instances[0]}")
    return " ".join(("toolspec call", exact_name(tool), *map(quote, words)))


def _argument(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
