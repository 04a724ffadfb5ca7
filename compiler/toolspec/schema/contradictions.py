"""Contradicting keywords of one subschema, and required properties without a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from toolspec.diagnostics import Label
from toolspec.schema import kinds
from toolspec.schema.diagnostics import diagnostic_at, listed, shown
from toolspec.schema.walk import applied
from toolspec.shared.json_values import has_type
from toolspec.shared.keywords import IN_PLACE
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.diagnostics import Locations
    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# Lower and upper bound, whether equal bounds exclude everything, and their type.
_BOUNDS = (
    ("minimum", "maximum", False, "number"),
    ("minimum", "exclusiveMaximum", True, "number"),
    ("exclusiveMinimum", "maximum", True, "number"),
    ("exclusiveMinimum", "exclusiveMaximum", True, "number"),
    ("minLength", "maxLength", False, "string"),
    ("minItems", "maxItems", False, "array"),
    ("minProperties", "maxProperties", False, "object"),
)
_LOWER = frozenset(lower for lower, _, _, _ in _BOUNDS)
_UPPER = frozenset(upper for _, upper, _, _ in _BOUNDS)

# An unsatisfiable schema below one of these may be intended.
_HYPOTHETICAL = frozenset({"not", "if"})

_TYPES_OF_BOUNDS = {
    "number": frozenset({"number", "integer"}),
    "string": frozenset({"string"}),
    "array": frozenset({"array"}),
    "object": frozenset({"object"}),
}

# Beside or below one of these, other schemas may describe the object's properties.
_DESCRIBING = IN_PLACE | {"$ref", "patternProperties", "unevaluatedProperties"}

_STATING = frozenset({"enum", "const", "required"})

# Maximum unknown names in one list that get a suggestion.
_MAX_COMPARED = 200


def check(resource: Resource) -> Iterator[Diagnostic]:
    """Yield diagnostics about contradicting keywords, and undescribed required properties."""
    if resource.words.isdisjoint(_STATING | _LOWER):
        return
    bounded = resource.numbers(_LOWER) & resource.numbers(_UPPER)
    for path, node in resource.at(bounded | resource.numbers(_STATING)):
        diagnostics = _diagnostics(path, node, resource.locations)
        if diagnostics and _HYPOTHETICAL.isdisjoint(applied(path)):
            yield from diagnostics


def _diagnostics(path: Path, node: JsonObject, locations: Locations) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    if not _LOWER.isdisjoint(node):
        diagnostics += _bounds(path, node, locations)
    if "enum" in node or "const" in node:
        diagnostics += _values(path, node, locations)
    if "required" in node:
        diagnostics += _required(path, node, locations)
    return diagnostics


def _bounds(path: Path, node: JsonObject, locations: Locations) -> Iterator[Diagnostic]:
    for lower, upper, is_strict, bound_type in _BOUNDS:
        if lower not in node or upper not in node:
            continue
        low, high = node[lower], node[upper]
        if not (_is_number(low) and _is_number(high)):
            continue
        if (low > high or (is_strict and low == high)) and _is_only(types_of(node), bound_type):
            sign = "not below" if is_strict else "above"
            label = Label(locations((*path, upper)).span, "the upper bound")
            yield diagnostic_at(
                kinds.UNSATISFIABLE,
                locations((*path, lower)),
                labels=[label],
                reason=f"`{lower}` {shown(low)} is {sign} `{upper}` {shown(high)}",
                suggestion="exchange the two, or correct one",
            )


def _values(path: Path, node: JsonObject, locations: Locations) -> Iterator[Diagnostic]:
    allowed = node.get("enum")
    keyword = "const" if "const" in node else "enum"
    values = [node["const"]] if "const" in node else allowed
    if not isinstance(values, list):
        return
    if "const" in node and isinstance(allowed, list) and node["const"] not in allowed:
        reason = f"`const` {shown(values[0])} is not in `enum`"
        yield _contradiction((*path, "const"), reason, "correct one of the two", locations)
    elif not values:
        yield _contradiction((*path, "enum"), "`enum` is empty", "list the values", locations)
    elif "type" in node and not _has_any(values, types_of(node)):
        reason = f"no value in `{keyword}` is of type {listed(sorted(types_of(node)))}"
        yield _contradiction(
            (*path, keyword), reason, "correct the values, or the `type`", locations
        )


def _has_any(values: list[JsonValue], types: frozenset[str]) -> bool:
    return any(has_type(value, name) for value in values for name in types)


def _required(path: Path, node: JsonObject, locations: Locations) -> Iterator[Diagnostic]:
    names, properties = node.get("required"), node.get("properties")
    if not isinstance(names, list) or not isinstance(properties, dict):
        return
    if all(name in properties for name in names) or _has_other_schemas(path, node):
        return
    is_closed = node.get("additionalProperties") is False and types_of(node) == {"object"}
    declared_names = sorted(properties.keys() - set(map(str, names)))
    unknown = [
        (index, name)
        for index, name in enumerate(names)
        if isinstance(name, str) and name not in properties
    ]
    for count, (index, name) in enumerate(unknown):
        name_path = (*path, "required", index)
        close = nearest(name, declared_names) if count < _MAX_COMPARED else ""
        hint = f"did you mean `{close}`?" if close else f"describe `{name}` in `properties`"
        if is_closed:
            reason = f"`{name}` is required, and `additionalProperties: false` forbids it"
            yield _contradiction(name_path, reason, hint, locations)
        else:
            yield diagnostic_at(
                kinds.UNDECLARED_REQUIRED, locations(name_path), name=name, suggestion=hint
            )


def _contradiction(path: Path, reason: str, suggestion: str, locations: Locations) -> Diagnostic:
    return diagnostic_at(kinds.UNSATISFIABLE, locations(path), reason=reason, suggestion=suggestion)


def _has_other_schemas(path: Path, node: JsonObject) -> bool:
    """Return whether other schemas may describe the properties of the same object."""
    if not _DESCRIBING.isdisjoint(node):
        return True
    return not IN_PLACE.isdisjoint(applied(path)[-1:])


def types_of(node: JsonObject) -> frozenset[str]:
    """Return the names under `type`; empty without one."""
    match node.get("type"):
        case str(name):
            return frozenset({name})
        case list(names):
            return frozenset(map(str, names))
    return frozenset()


def _is_only(types: frozenset[str], bound_type: str) -> bool:
    """Return whether a schema admits only the type of a bound."""
    return bool(types) and types <= _TYPES_OF_BOUNDS[bound_type]


def _is_number(value: JsonValue) -> TypeGuard[int | float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
