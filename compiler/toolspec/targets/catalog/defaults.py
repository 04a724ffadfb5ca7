"""Members that `catalog.json` leaves out where they have their default.

A new tool therefore adds few lines to review. `[[render]]` templates see every member.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import DEFAULT_ICON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue

_HOOKS: JsonObject = {"before": [], "middleware": [], "after": [], "afterResponse": []}
_TIMEOUT: JsonObject = {"idle": None, "total": None}

_NESTED: Mapping[str, JsonValue] = {"chunk": None, "origin": None}

SERVICE: Mapping[str, JsonValue] = {
    "names": "prefixed",
    "instructions": "",
    "category": "",
    "icons": [],
    "definitions": {},
    "settingsDigest": None,
    "auth": {"type": "none"},
    "instances": [],
    "modes": [],
    "scopes": [],
    "permissions": [],
    "hooks": _HOOKS,
    "timeout": _TIMEOUT,
    "formats": "assert",
    "extensions": {},
}
TOOL: Mapping[str, JsonValue] = {
    "group": "",
    "tags": [],
    "icons": [],
    "icon": DEFAULT_ICON,
    "version": "",
    "wireName": "",
    "aliases": [],
    "deprecated": None,
    "inputForm": "object",
    "streaming": False,
    "reduction": None,
    "effects": [],
    "taskSupport": "forbidden",
    "idempotency": "none",
    "verify": False,
    "revert": False,
    "scopes": [],
    "permissions": [],
    "hooks": _HOOKS,
    "timeout": _TIMEOUT,
    "errors": [],
    "examples": [],
    "contentType": "application/json",
    "formats": "assert",
    "extensions": {},
}
"""`exactName` and `summary` are left out too where they repeat `name` and `description`."""


def compact_service(entry: JsonObject) -> JsonObject:
    """Return an entry of a service without members that have their default."""
    return _without(SERVICE, entry)


def compact_tool(entry: JsonObject) -> JsonObject:
    """Return an entry of a tool without members that have their default or repeat another."""
    defaults = {**TOOL, "exactName": entry["name"], "summary": entry["description"]}
    nested = {
        name: _without(_NESTED, member)
        for name in ("digests", "source")
        if isinstance(member := entry[name], dict)
    }
    return _without(defaults, {**entry, **nested})


def _without(defaults: Mapping[str, JsonValue], entry: JsonObject) -> JsonObject:
    return {
        name: value
        for name, value in entry.items()
        if name not in defaults or value != defaults[name]
    }
