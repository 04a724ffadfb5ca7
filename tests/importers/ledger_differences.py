"""Differences of two schemas, and whether the ledger of a lowered tool accounts for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.syntax.pointer import Path, format_pointer

_TYPES = {bool: "boolean", str: "string", int: "integer", float: "number", type(None): "null"}
_NONE = -1
_MISSING = object()


def unaccounted(before: Any, after: Any, changes: Mapping[str, Any]) -> list[str]:
    """Return the pointers of differences without an entry among the changes of a ledger.

    A keyword that is gone or changed has an entry of its own. One that is new, and the `type` and
    the `description` of a schema, may also stem from a change of a keyword beside or below them.
    """
    return [
        format_pointer(path)
        for path, is_new in _differences(canonical(before), canonical(after), ())
        if not _is_accounted(path, is_new, changes)
    ]


def canonical(schema: Any) -> Any:
    """Return a schema without what says nothing, in one of several spellings of the same."""
    if not isinstance(schema, dict):
        return schema
    node: dict[str, Any] = {}
    for word, value in schema.items():
        holds = APPLICATORS.get(word)
        if holds is Holds.MAP and isinstance(value, dict):
            node[word] = {name: canonical(item) for name, item in value.items()}
        elif holds is not None and isinstance(value, list):
            node[word] = [canonical(item) for item in value]
        else:
            node[word] = value if holds is None else canonical(value)
    for word in ("properties", "required"):
        if not node.get(word, True):
            del node[word]
    if "required" in node:
        node["required"] = sorted(node["required"])
    values = [node["const"]] if "const" in node else node.get("enum", [])
    if values and "type" not in node and len({type(each) for each in values}) == 1:
        node["type"] = _TYPES.get(type(values[0]), "object")
    options = node.get("anyOf", [{}])
    if "type" not in node and all(
        isinstance(each, dict) and each.keys() == {"type"} for each in options
    ):
        node["type"] = [each["type"] for each in node.pop("anyOf")]
    return node or True


def _is_accounted(path: Path, is_new: bool, changes: Mapping[str, Any]) -> bool:
    *above, word = path
    if format_pointer(path) in changes or _is_lost_null(path, changes):
        return True
    if above[-1:] == ["$defs"]:
        inlined = any(each["keyword"] == "$ref" for each in changes.values())
        return inlined or _has_changes(path, changes)
    if above[-1:] == ["properties"] or word == "required":
        if word != "required":
            *above, _ = above
        of_members = (
            format_pointer((*above, each)) for each in ("properties", "additionalProperties")
        )
        if any(pointer in changes for pointer in of_members):
            return True
    return (is_new or word in ("type", "description")) and _has_changes(above, changes)


def _has_changes(path: Sequence[str | int], changes: Mapping[str, Any]) -> bool:
    return any(other.startswith(f"{format_pointer(tuple(path))}/") for other in changes)


def _is_lost_null(path: Path, changes: Mapping[str, Any]) -> bool:
    """Return whether a path is in a property whose null value a strict form cannot tell."""
    for index, step in enumerate(path[:-1]):
        required = changes.get(format_pointer((*path[:index], "required")))
        if step == "properties" and required is not None:
            lost = required.get("detail", "").partition("null as a value is lost: ")[2]
            if path[index + 1] in lost.split(", "):
                return True
    return False


def _differences(before: Any, after: Any, path: Path) -> Iterator[tuple[Path, bool]]:
    """Yield the path of each keyword that differs, and whether it is new."""
    if before == after:
        return
    if not isinstance(before, dict) or not isinstance(after, dict):
        yield path, before is _MISSING
        return
    for word in {**before, **after}:
        old, new, at = before.get(word, _MISSING), after.get(word, _MISSING), (*path, word)
        if APPLICATORS.get(word) is Holds.ONE:
            yield from _differences(old, new, at)
        elif word == "$defs" or (word in APPLICATORS and _length(old) == _length(new) != _NONE):
            parts, others = _parts(old), _parts(new)
            for key in {**parts, **others}:
                one, other = parts.get(key, _MISSING), others.get(key, _MISSING)
                yield from _differences(one, other, (*at, key))
        elif old != new:
            yield at, old is _MISSING


def _length(value: Any) -> int:
    """Return the number of subschemas in a list, 0 for a map, and `_NONE` for neither."""
    return len(value) if isinstance(value, list) else 0 if isinstance(value, dict) else _NONE


def _parts(value: Any) -> dict[Any, Any]:
    """Return the subschemas of a keyword with several, by index or name."""
    return dict(enumerate(value)) if isinstance(value, list) else {} if value is _MISSING else value
