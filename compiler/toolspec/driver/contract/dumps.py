"""Facts of a list of tools, as an MCP server sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.side import Side

if TYPE_CHECKING:
    from toolspec.importers.dump import Dump
    from toolspec.shared.json_values import JsonObject, JsonValue

SHOWN = frozenset(
    {"service", "title", "description", "icons", "hints", "input", "output", "extensions"}
)
"""The facts of a tool that a list shows."""

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
    return Side(
        label,
        {"": service},
        {tool.name: _tool(tool.members) for tool in dump.tools},
        frozenset({"instructions"}),
        SHOWN,
    )


def _tool(members: JsonObject) -> JsonObject:
    annotations = members.get("annotations")
    stated = annotations if isinstance(annotations, dict) else {}
    hints: JsonObject = {
        name: stated.get(keyword, default) is True for name, (keyword, default) in _HINTS.items()
    }
    if hints["readOnly"]:  # the other two mean nothing for it
        hints |= {"destructive": False, "idempotent": True}
    meta = members.get("_meta")
    return {
        "service": "",
        "title": members.get("title", stated.get("title", "")),
        "description": members.get("description", ""),
        "icons": members.get("icons", []),
        "hints": hints,
        "input": members.get("inputSchema", True),
        "output": members.get("outputSchema", True),
        "extensions": _extensions(meta),
    }


def _extensions(meta: JsonValue) -> JsonObject:
    return dict(meta) if isinstance(meta, dict) else {}
