"""Tools that a server lists: definitions for the client, and decoding of results."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import mcp_types as types

from toolspec.runtime.definition import ToolDefinition
from toolspec.runtime.values import copied
from toolspec.serving.client.listing import read_list
from toolspec.shared.records import dataclass, field, replace
from toolspec.shared.result_form import META

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from mcp import Client

    from toolspec.shared.json_values import JsonObject, JsonValue

_WRITES, _DESTROYS = 2, 3
_REDUCTIONS = ("join", "list", "last")


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A listed tool: `name` is used for calls, `definition` has the declared properties.

    A server lists only the highest version of a tool, given in `version`.
    """

    name: str
    definition: ToolDefinition
    version: str = ""
    aliases: tuple[str, ...] = ()
    is_wrapped: bool = False
    is_known: bool = True

    @staticmethod
    def unknown(name: str) -> ListedTool:
        """Return an unlisted tool, with the highest risk since nothing is known about it."""
        plain = name.partition("@")[0]
        definition = ToolDefinition(
            name=plain, full_name=plain, method=plain, mutation=True, risk=_DESTROYS
        )
        return ListedTool(name, definition, is_known=False)

    def named(self, name: str) -> ListedTool:
        """Return the tool by the name of a version; the schemas of other versions are unknown.

        A tool without a version answers any.
        """
        _, _, version = name.partition("@")
        if self.version in ("", version):
            return replace(self, name=name)
        schemas = {"arguments_schema": '{"type":"object"}', "output_schema": "true"}
        definition = ToolDefinition(**{**vars(self.definition), **schemas})
        return replace(self, name=name, definition=definition, is_wrapped=False)

    def value(self, result: types.CallToolResult) -> JsonValue:
        """Return a result as a value: structured content, else text, parsed if it is JSON."""
        structured: Any = result.structured_content
        notes = (result.meta or {}).get(META)
        is_marked = isinstance(notes, dict) and notes.get("wrapped") == "result"
        is_wrapped = self.is_wrapped or is_marked
        if is_wrapped and isinstance(structured, dict) and "result" in structured:
            return structured["result"]  # type: ignore[no-any-return]  # JSON from the SDK
        if structured is not None:
            return structured  # type: ignore[no-any-return]  # the same
        texts = [item.text for item in result.content if isinstance(item, types.TextContent)]
        if len(texts) != 1:
            blocks = result.content
            return [
                item.model_dump(by_alias=True, mode="json", exclude_none=True) for item in blocks
            ]
        try:
            return copied(json.loads(texts[0]))
        except (ValueError, RecursionError):
            return texts[0]


def find_listed(tools: Mapping[str, ListedTool], name: str) -> ListedTool | None:
    """Return the tool with a name or alias, optionally with a version; None if it is unlisted."""
    plain, _, version = name.partition("@")
    tool = tools.get(name) or tools.get(plain)
    if tool is None:
        tool = next((listed for listed in tools.values() if plain in listed.aliases), None)
    return tool.named(f"{tool.definition.full_name}@{version}") if tool and version else tool


@dataclass(frozen=True, slots=True)
class Listing:
    """A server's whole list: its tools by name, and everything as it was sent."""

    tools: Mapping[str, ListedTool]
    dump: JsonObject = field(repr=False)


async def read_listing(client: Client) -> Listing:
    """Return all pages of `tools/list`. Raises ToolError `output` for endless pages."""
    dump = await read_list(client)
    result = types.ListToolsResult.model_validate(dump, by_name=False)
    # The client of the SDK then knows the list, as if it had read it by itself.
    kept = client.session._absorb_tool_listing(result, complete=True)  # noqa: SLF001
    return Listing({tool.name: _listed(tool) for tool in kept.tools}, dump)


def _listed(tool: types.Tool) -> ListedTool:
    declared = (tool.meta or {}).get(META)
    notes = declared if isinstance(declared, dict) else {}
    hints = tool.annotations or types.ToolAnnotations()
    read_only = hints.read_only_hint is True
    destructive = not read_only and hints.destructive_hint is not False
    properties = tool.input_schema.get("properties")
    keyed = isinstance(properties, dict) and "idempotency_key" in properties
    reduction, mode, aliases = (notes.get(key) for key in ("streaming", "mode", "aliases"))
    definition = ToolDefinition(
        name=tool.name,
        full_name=tool.name,
        method=tool.name,
        title=tool.title or hints.title or "",
        description=tool.description or "",
        summary=(tool.description or "").partition("\n")[0],
        arguments_schema=json.dumps(tool.input_schema),
        output_schema=json.dumps(tool.output_schema or True),
        streaming=reduction in _REDUCTIONS,
        reduction=reduction if reduction in _REDUCTIONS else None,
        mutation=not read_only,
        read_only=read_only,
        destructive=destructive,
        idempotent=read_only or hints.idempotent_hint is True,
        open_world=hints.open_world_hint is not False,
        idempotency="optional" if keyed else "none",
        risk=_risk(notes, read_only, destructive),
        formats="annotate" if notes.get("formats") == "annotate" else "assert",
    )
    version = notes.get("version")
    return ListedTool(
        tool.name,
        definition.in_mode(mode) if isinstance(mode, str) and mode else definition,
        version=version if isinstance(version, str) else "",
        aliases=tuple(map(str, aliases)) if isinstance(aliases, list) else (),
        is_wrapped=notes.get("wrapped") == "result",
    )


def _risk(notes: JsonObject, read_only: bool, destructive: bool) -> int:
    """Return the risk tier from the hints, unless the service declares a higher one."""
    derived = 0 if read_only else _DESTROYS if destructive else _WRITES
    declared = notes.get("risk")
    tier = declared.get("tier") if isinstance(declared, dict) else None
    return max(derived, tier) if isinstance(tier, int) else derived
