"""Facts of tools as a list of an MCP server shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.side import Side
from toolspec.shared.json_values import as_list, as_object
from toolspec.shared.result_form import META, is_object
from toolspec.shared.result_wrapper import RESULT, unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.shared.json_values import JsonObject, JsonValue

SHOWN = frozenset(
    {"service", "title", "description", "icons", "hints", "input", "output", "extensions", "rest"}
)
"""The facts of a tool that each list shows."""

SHOWN_BY_OWN = SHOWN | {
    "aliases", "contentType", "deprecated", "effects", "formats", "group", "icon", "reduction",
    "streaming", "summary", "tags", "version",
}  # fmt: skip
"""The facts of a tool in a list of a server that serves compiled tools: `_meta.toolspec` has more."""

SHOWN_OF_SERVICE = frozenset({"instructions", "listed"})
"""The facts of a service that a server states beside its list."""

_HINTS = {
    "readOnly": ("readOnlyHint", False),
    "destructive": ("destructiveHint", True),
    "idempotent": ("idempotentHint", False),
    "openWorld": ("openWorldHint", True),
}
"""The hints with the defaults of MCP."""

_READ = frozenset(
    {"name", "title", "description", "icons", "annotations", "inputSchema", "outputSchema", "_meta"}
)
_OWN_READ = (SHOWN_BY_OWN - SHOWN) | {"wrapped"}


def listed_side(tools: Iterable[JsonObject], label: str, instructions: str = "") -> Side:
    """Return the side of a list of tools; its service is nameless.

    The fact `rest` has the members of a tool that no other fact covers. Each tool has a name.
    """
    listed = list(tools)
    has_own = any(META in as_object(tool.get("_meta")) for tool in listed)
    facts = SHOWN_BY_OWN if has_own else SHOWN
    return _side(map(exact_name, listed), listed, label, instructions, facts)


def wire_side(tools: Iterable[JsonObject], label: str, instructions: str = "") -> Side:
    """Return the side of a list as a guard compares it.

    Tools have the names that calls use, whatever version a server states. Facts that a server does
    not state have their defaults, so that it cannot hide them.
    """
    listed = list(tools)
    names = [str(tool["name"]) for tool in listed]
    return _side(names, listed, label, instructions, SHOWN_BY_OWN)


def _side(
    names: Iterable[str],
    tools: list[JsonObject],
    label: str,
    instructions: str,
    facts: frozenset[str],
) -> Side:
    order: list[JsonValue] = [*names]
    service: JsonObject = {"instructions": instructions, "listed": order}
    named = {str(name): _facts(tool) for name, tool in zip(order, tools, strict=True)}
    return Side(label, {"": service}, named, SHOWN_OF_SERVICE, facts)


def exact_name(tool: JsonObject) -> str:
    """Return the name of a listed tool, with its version if it has one."""
    version = _own(tool).get("version")
    return f"{tool['name']}@{version}" if version else str(tool["name"])


def _facts(tool: JsonObject) -> JsonObject:
    stated = as_object(tool.get("annotations"))
    hints: JsonObject = {
        name: stated.get(keyword, default) is True for name, (keyword, default) in _HINTS.items()
    }
    if hints["readOnly"]:  # the other two mean nothing for it
        hints |= {"destructive": False, "idempotent": True}
    assumed: list[JsonValue] = [
        name for name, (keyword, _) in _HINTS.items() if keyword not in stated
    ]
    if assumed:
        hints["assumed"] = assumed
    own, output = _own(tool), tool.get("outputSchema", True)
    if own.get("wrapped") == RESULT:
        inner = unwrapped(output)
        output = output if inner is None else inner
    meta = as_object(tool.get("_meta"))
    description = tool.get("description", "")
    reduction = own.get("streaming")
    return {
        "service": "",
        "title": tool.get("title", stated.get("title", "")),
        "description": description,
        "icons": [_icon(icon) for icon in as_list(tool.get("icons"))],
        "hints": hints,
        "input": tool.get("inputSchema", True),
        "output": _plain(output),
        "extensions": {name: value for name, value in meta.items() if name != META},
        "rest": _rest(tool, stated, own),
        "aliases": as_list(own.get("aliases")),
        "contentType": own.get("contentType", "application/json"),
        "deprecated": _deprecation(own.get("deprecated")),
        "effects": as_list(own.get("effects")),
        "formats": own.get("formats", "assert"),
        "group": own.get("group", ""),
        "icon": own.get("icon", ""),
        "reduction": reduction,
        "streaming": reduction is not None,
        "summary": own.get("summary", description),
        "tags": as_list(own.get("tags")),
        "version": own.get("version", ""),
    }


def _rest(tool: JsonObject, stated: JsonObject, own: JsonObject) -> JsonObject:
    read = {keyword for keyword, _ in _HINTS.values()}
    if tool.get("title", stated.get("title")) == stated.get("title"):  # which has its own fact
        read.add("title")
    parts: dict[str, JsonObject] = {
        "": {name: value for name, value in tool.items() if name not in _READ},
        "annotations": {name: value for name, value in stated.items() if name not in read},
        f"_meta.{META}": {name: value for name, value in own.items() if name not in _OWN_READ},
    }
    return {
        f"{part}.{name}".lstrip("."): value
        for part, members in parts.items()
        for name, value in members.items()
    }


def _own(tool: JsonObject) -> JsonObject:
    """Return what a server of compiled tools adds."""
    return as_object(as_object(tool.get("_meta")).get(META))


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
    return {**empty, **as_object(stated)} if stated else None
