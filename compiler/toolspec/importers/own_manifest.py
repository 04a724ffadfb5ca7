"""Import of manifests that this compiler wrote: restores fields from `_meta.toolspec`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend.bind.parts import first_sentence, title
from toolspec.frontend.shape.contract import fits_field
from toolspec.ir.tool import DEFAULT_ICON
from toolspec.shared.result_form import META
from toolspec.shared.result_wrapper import RESULT, unwrapped

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

_FIELDS = {
    "summary": "summary",
    "group": "group",
    "tags": "tags",
    "icon": "icon",
    "aliases": "aliases",
    "version": "version",
    "deprecated": "deprecated",
    "effects": "effects",
    "risk": "risk",
    "contentType": "outputContentType",
    "formats": "formats",
}
_REDUCTIONS = ("join", "list", "last")


def with_own_fields(members: JsonObject, name: str) -> JsonObject:
    """Return the members of a listed tool with the fields in `_meta.toolspec`.

    Fields with their default are left out. `_meta` keeps unknown members; its `x-` members are the
    author's extensions. `name` is the tool's name without its service.
    """
    meta = members.get("_meta")
    own = meta.get(META) if isinstance(meta, dict) else None
    if not isinstance(meta, dict) or not isinstance(own, dict):
        return members
    result = {key: value for key, value in members.items() if key != "_meta"}
    left: JsonObject = {}
    for key, value in own.items():
        if not _take(result, key, value):
            left[key] = value
    rest = {key: value for key, value in meta.items() if key != META}
    for key in [key for key in rest if _is_extension(key) and key not in result]:
        result[key] = rest.pop(key)
    if left:
        rest[META] = left
    if rest:
        result["_meta"] = rest
    hints = result.get("annotations")
    if isinstance(hints, dict) and hints.get("title") == members.get("title"):
        result["annotations"] = {key: hint for key, hint in hints.items() if key != "title"}
    for key, default in _derived(members, name).items():
        if result.get(key) == default:
            del result[key]
    return result


def _take(result: JsonObject, key: str, value: JsonValue) -> bool:
    """Restore the field for a member of `_meta.toolspec`; return False for an unknown member."""
    if key == "streaming" and value in _REDUCTIONS:
        result.setdefault("streaming", True)
        if value == "last":
            result.setdefault("chunkSchema", True)
        return True
    if key == "wrapped" and value == RESULT:
        inner = unwrapped(result.get("outputSchema"))
        if inner is None:
            return False
        result["outputSchema"] = inner
        return True
    if key == "deprecated" and value is True:
        value = {}
    field = _FIELDS.get(key, "")
    if not field or field in result or not fits_field("tool", field, value):
        return False
    result[field] = value
    return True


def _derived(members: JsonObject, name: str) -> JsonObject:
    """Return the values that the compiler fills in by default."""
    description = members.get("description")
    text = description if isinstance(description, str) else ""
    return {"title": title(name), "icon": DEFAULT_ICON, "summary": first_sentence(text)}


def _is_extension(key: str) -> bool:
    return key.startswith("x-") and key != "x-mcp" and not key.startswith("x-toolspec")
