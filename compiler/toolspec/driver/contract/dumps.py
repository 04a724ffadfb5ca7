"""Facts of a list of tools, as an MCP server sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.side import Side
from toolspec.importers.own_manifest import META
from toolspec.ir.tool import Formats
from toolspec.schema.result_wrapper import RESULT, unwrapped
from toolspec.shared.result_form import is_object

if TYPE_CHECKING:
    from toolspec.importers.dump import Dump
    from toolspec.shared.json_values import JsonObject, JsonValue

SHOWN = frozenset(
    {"service", "title", "description", "icons", "hints", "input", "output", "extensions"}
)
"""The facts of a tool that each list shows."""

SHOWN_BY_OWN = SHOWN | {
    "aliases", "contentType", "deprecated", "effects", "formats", "group", "icon", "reduction",
    "streaming", "summary", "tags", "version",
}  # fmt: skip
"""The facts of a tool in a list of a server that serves compiled tools: `_meta.toolspec` has more."""

_HINTS = {
    "readOnly": ("readOnlyHint", False),
    "destructive": ("destructiveHint", True),
    "idempotent": ("idempotentHint", False),
    "openWorld": ("openWorldHint", True),
}
"""The hints with the defaults of MCP."""


def dump_side(dump: Dump, label: str) -> Side:
    """Return the side of a list of tools; its service is nameless."""
    service: JsonObject = {"instructions": dump.instructions}
    has_own = any(META in _mapping(tool.members.get("_meta")) for tool in dump.tools)
    return Side(
        label,
        {"": service},
        {exact_name(tool.name, tool.members): _tool(tool.members) for tool in dump.tools},
        frozenset({"instructions"}),
        SHOWN_BY_OWN if has_own else SHOWN,
    )


def exact_name(name: str, members: JsonObject) -> str:
    """Return the name of a listed tool, with its version if it has one."""
    version = _own(members).get("version")
    return f"{name}@{version}" if version else name


def _tool(members: JsonObject) -> JsonObject:
    stated = _mapping(members.get("annotations"))
    hints: JsonObject = {
        name: stated.get(keyword, default) is True for name, (keyword, default) in _HINTS.items()
    }
    if hints["readOnly"]:  # the other two mean nothing for it
        hints |= {"destructive": False, "idempotent": True}
    own, output = _own(members), members.get("outputSchema", True)
    if own.get("wrapped") == RESULT:
        inner = unwrapped(output)
        output = output if inner is None else inner
    meta = _mapping(members.get("_meta"))
    description = members.get("description", "")
    reduction = own.get("streaming")
    return {
        "service": "",
        "title": members.get("title", stated.get("title", "")),
        "description": description,
        "icons": [_icon(icon) for icon in _listed(members.get("icons"))],
        "hints": hints,
        "input": members.get("inputSchema", True),
        "output": _plain(output),
        "extensions": {name: value for name, value in meta.items() if name != META},
        "aliases": _listed(own.get("aliases")),
        "contentType": own.get("contentType", "application/json"),
        "deprecated": _deprecation(own.get("deprecated")),
        "effects": _listed(own.get("effects")),
        "formats": own.get("formats", Formats.ASSERT.value),
        "group": own.get("group", ""),
        "icon": own.get("icon", ""),
        "reduction": reduction,
        "streaming": reduction is not None,
        "summary": own.get("summary", description),
        "tags": _listed(own.get("tags")),
        "version": own.get("version", ""),
    }


def _own(members: JsonObject) -> JsonObject:
    """Return what a server of compiled tools adds."""
    return _mapping(_mapping(members.get("_meta")).get(META))


def _plain(schema: JsonValue) -> JsonValue:
    """Return a schema without the type beside a reference, which 2025-11-25 demands, if it adds none."""
    if isinstance(schema, dict) and schema.get("type") == "object" and "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "type"}
        return rest if is_object(rest) else schema
    return schema


def _icon(icon: JsonValue) -> JsonValue:
    """Return an icon with every member, empty ones included."""
    empty: JsonObject = {"src": "", "mimeType": "", "sizes": [], "theme": ""}
    return {**empty, **icon} if isinstance(icon, dict) else icon


def _deprecation(stated: JsonValue) -> JsonValue:
    empty: JsonObject = {"since": "", "use": "", "remove": ""}
    return {**empty, **_mapping(stated)} if stated else None


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
