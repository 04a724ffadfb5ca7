"""Section of one tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import (
    DEFAULT_ICON,
    Formats,
    Idempotency,
    InputForm,
    PermissionKind,
    Reduction,
    TaskSupport,
)
from toolspec.sinks.markdown import cell, code, fenced_json, text
from toolspec.sinks.markdown_layout import blocks, bullets, section, table
from toolspec.targets.docs.extensions import extension_table
from toolspec.targets.docs.safety_lists import badges
from toolspec.targets.docs.schema_table import SchemaTable, schema_table
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Example, Permission, Provenance, ScopeRule, Timeout, Tool
    from toolspec.targets.docs.types import Types

_PIECES = {
    Reduction.JOIN: "It arrives in pieces; joined, they are the result.",
    Reduction.LIST: "It arrives item by item; all of them together are the result.",
    Reduction.LAST: "It arrives in chunks; the last one is the result.",
}
_PURPOSE = {
    PermissionKind.FILE: "the files",
    PermissionKind.WEB: "the web host",
    PermissionKind.TOOL: "the tool",
}


def tool_section(tool: Tool, types: Types) -> str:
    """Return the Markdown section of a tool."""
    parameters = schema_table(tool.arguments, types.links(tool.input))
    result = schema_table(tool.output.bundle, types.links(tool.output))
    return blocks(
        f"### {code(exact_name(tool))}",
        f"{cell(tool.title)} · {badges(tool)}",
        _deprecated(tool),
        text(tool.description),
        "**Parameters**",
        parameters.about,
        parameters.inputs or _no_parameters(tool),
        "**Returns**",
        _returns(tool, result),
        result.members,
        _chunk(tool, types),
        bullets(_conditions(tool)),
        _errors(tool),
        section("**Extensions**", extension_table(tool.extensions)),
        *map(_example, tool.examples),
        _source(tool.provenance),
    )


def _chunk(tool: Tool, types: Types) -> str:
    """Return the type of a chunk where the result does not imply it."""
    if tool.chunk is None or tool.reduction is not Reduction.LAST:
        return ""
    if tool.chunk.bundle == tool.output.bundle:
        return ""
    chunk = schema_table(tool.chunk.bundle, types.links(tool.chunk))
    return blocks("**Chunk**", chunk.sentences, chunk.members)


def _errors(tool: Tool) -> str:
    rows = (
        (code(each.code), cell(each.description), "yes" if each.retryable else "no")
        for each in tool.errors
    )
    return section("**Errors**", table(("Code", "When", "Worth repeating"), rows))


def _deprecated(tool: Tool) -> str:
    said = tool.deprecated
    if said is None:
        return ""
    parts = [
        f"Deprecated since {cell(said.since)}." if said.since else "Deprecated.",
        f"Use {code(said.use)} instead." if said.use else "",
        f"It goes in {cell(said.remove)}." if said.remove else "",
    ]
    return " ".join(filter(None, parts))


def _no_parameters(tool: Tool) -> str:
    """Return the text for a tool without named parameters."""
    if tool.input_form is InputForm.RAW:
        return "Any arguments: they reach the tool as they are."
    return "None."


def _returns(tool: Tool, result: SchemaTable) -> str:
    """Return the sentences on the result that precede its members."""
    kind = tool.output_content_type
    said = [
        result.sentences,
        "" if kind == "application/json" else f"Content type {code(kind)}.",
        _PIECES[tool.reduction] if tool.streaming else "",
    ]
    return " ".join(filter(None, said))


def _conditions(tool: Tool) -> Iterator[str]:
    """Yield further facts for callers, as items of a list."""
    if tool.version:
        yield f"Version {code(tool.version)}; the highest one answers to {code(tool.names.full)}."
    if tool.aliases:
        yield f"Also answers to {', '.join(map(code, tool.aliases))}."
    if tool.tags:
        yield f"Tags: {', '.join(map(cell, tool.tags))}."
    if tool.icon not in {"", DEFAULT_ICON}:
        yield f"Icon: {code(tool.icon)}."
    if tool.risk.reason:
        yield f"Risk tier {tool.risk.tier}: {cell(tool.risk.reason)}"
    if tool.effects:
        yield f"Effects: {', '.join(each.value for each in tool.effects)}."
    if tool.scopes:
        yield f"Needs the scopes {' and '.join(map(_scope, tool.scopes))}."
    for permission in tool.permissions:
        yield f"Asks for permission before each run: {_permission(permission)}."
    if tool.formats is Formats.ANNOTATE:
        yield "Formats and encodings of values are documented, not checked."
    yield from _running(tool)


def _running(tool: Tool) -> Iterator[str]:
    if tool.idempotency is not Idempotency.NONE:
        yield f"Can be repeated safely: an {code('idempotency_key')} is {tool.idempotency.value}."
    if limits := _limits(tool.timeout):
        yield f"Ends after {limits}."
    if tool.task_support is TaskSupport.OPTIONAL:
        yield "May run as a task."
    if tool.task_support is TaskSupport.REQUIRED:
        yield "Runs only as a task."
    if tool.verify:
        yield "Its result is verified before it is returned."
    if tool.revert:
        yield "Its effect can be reverted."
    if tool.hooks.names:
        yield f"Hooks: {', '.join(map(code, tool.hooks.names))}."


def _scope(rule: ScopeRule) -> str:
    names = " or ".join(map(code, rule.any_of))
    return f"({names})" if len(rule.any_of) > 1 else names


def _permission(permission: Permission) -> str:
    purpose = f"{_PURPOSE[permission.kind]} {code(permission.resource)}"
    return f"{purpose} ({code(permission.operation)})" if permission.operation else purpose


def _limits(timeout: Timeout) -> str:
    said = [
        f"{_seconds(number)} {words}"
        for number, words in ((timeout.idle, "without progress"), (timeout.total, "altogether"))
        if number is not None
    ]
    return ", or ".join(said)


def _seconds(number: float) -> str:
    return "1 second" if number == 1 else f"{number:g} seconds"


def _example(example: Example) -> str:
    """Return an example call and its result."""
    return blocks(
        f"**Example:** {cell(example.title)}",
        fenced_json(example.input),
        f"Fails with {code(example.error)}." if example.error else "Returns",
        "" if example.error else fenced_json(example.output),
    )


def _source(origin: Provenance) -> str:
    where = f"Defined in {code(origin.file)}, line {origin.line}."
    if not origin.location:
        return where
    member = f", {code(origin.member)}" if origin.member else ""
    return f"{where} Imported from {code(origin.location)}{member}."
