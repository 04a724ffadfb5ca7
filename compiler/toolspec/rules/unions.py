"""Branches of `anyOf` and `oneOf`, and proofs that two are disjoint, or one contains the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.contradictions import types_of
from toolspec.schema.walk import find, members
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from toolspec.rules.visits import SchemaVisit
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# Largest number of branches that are compared with each other.
MOST = 40
_LONGEST = 20
_STATING = ANNOTATIONS | {"type"}


def branches(visit: SchemaVisit, path: Path) -> tuple[JsonObject, ...]:
    """Return the branches under a keyword at a path, with references resolved.

    Empty if one is no object of keywords, or there are too many to compare.
    """
    root = visit.schema.bundle
    at = find(root, map(str, path))
    listed = None if at is None else value_at(root, at)
    if not isinstance(listed, list) or len(listed) > MOST:
        return ()
    objects = [
        branch for branch in (meant(item, root) for item in listed) if isinstance(branch, dict)
    ]
    return tuple(objects) if len(objects) == len(listed) else ()


def is_object(branch: JsonObject) -> bool:
    """Return whether all values of a branch are objects."""
    return types_of(branch) == {"object"}


def are_disjoint(one: JsonObject, other: JsonObject) -> bool:
    """Return whether evidently no value satisfies both; False proves nothing."""
    kinds, others = _kinds(one), _kinds(other)
    if kinds and others and kinds.isdisjoint(others):
        return True
    values, other_values = _values(one), _values(other)
    if values and other_values:
        return values.isdisjoint(other_values)
    return is_object(one) and is_object(other) and (_has_tag(one, other) or _needs_more(one, other))


def is_inside(one: JsonObject, other: JsonObject) -> bool:
    """Return whether the second branch evidently accepts every value of the first."""
    kinds, others = _kinds(one), _kinds(other)
    return bool(kinds and others) and kinds <= others and other.keys() <= _STATING


def meant(branch: JsonValue, root: JsonValue) -> JsonValue:
    """Return a schema, or the target of its reference if that has no siblings."""
    for _ in range(_LONGEST):
        if not isinstance(branch, dict) or "$ref" not in branch:
            return branch
        reference = branch["$ref"]
        if not (isinstance(reference, str) and branch.keys() <= ANNOTATIONS | {"$ref"}):
            return None
        if not (reference + "/").startswith("#/"):
            return None  # an anchor, or the identifier of a schema
        at = find(root, parse_fragment(reference[1:]))
        branch = None if at is None else value_at(root, at)
    return None


def _kinds(branch: JsonObject) -> frozenset[str]:
    """Return the types of a branch, `number` including `integer`; empty if unknown."""
    types = types_of(branch)
    if not types and (values := _values(branch)):
        types = frozenset(kind for kind, _ in values)
    return types | {"integer"} if "number" in types else types


def _values(branch: JsonObject) -> frozenset[tuple[str, str]]:
    """Return the listed values of a branch, each with its type; empty if they are not listed."""
    listed = [branch["const"]] if "const" in branch else branch.get("enum")
    plain = [_plain(item) for item in listed] if isinstance(listed, list) else []
    return frozenset(value for value in plain if value) if all(plain) else frozenset()


def _plain(value: JsonValue) -> tuple[str, str] | None:
    match value:
        case str():
            return "string", value
        case bool():
            return "boolean", str(value)
        case int():
            return "integer", str(value)
        case None:
            return "null", ""
    return None


def _has_tag(one: JsonObject, other: JsonObject) -> bool:
    """Return whether a property that both require has different values in each."""
    mine, theirs = members(one), members(other)
    shared = _required(one) & _required(other) & mine.keys() & theirs.keys()
    return any(_tags(mine[name]) and _differ(mine[name], theirs[name]) for name in shared)


def _differ(one: JsonValue, other: JsonValue) -> bool:
    values, other_values = _tags(one), _tags(other)
    return bool(values and other_values) and values.isdisjoint(other_values)


def _tags(schema: JsonValue) -> frozenset[tuple[str, str]]:
    return _values(schema) if isinstance(schema, dict) else frozenset()


def _needs_more(one: JsonObject, other: JsonObject) -> bool:
    """Return whether one requires a property that the other, being closed, forbids."""
    return any(
        b.get("additionalProperties") is False
        and "patternProperties" not in b
        and not _required(a) <= members(b).keys()
        for a, b in ((one, other), (other, one))
    )


def lacks(one: JsonObject, other: JsonObject) -> bool:
    """Return whether a branch requires a property that the other does not declare."""
    return not _required(one) <= members(other).keys()


def _required(branch: JsonObject) -> frozenset[str]:
    listed = branch.get("required")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()
