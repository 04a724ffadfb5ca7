"""The form of results over MCP: which output schemas need a wrapper object, in each era."""

from __future__ import annotations

from toolspec.shared.references import at_pointer

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonValue

META = "toolspec"
"""The key of `_meta` under which compiled tools have what MCP has no member for."""


def is_wrapped(output: JsonValue, *, modern: bool) -> bool:
    """Return whether results of an output schema are sent as `{"result": …}`.

    2025-11-25 takes objects only. 2026-07-28 takes any value, but clients read null as no result.
    """
    if output is True:
        return False
    return may_be_null(output) if modern else not is_object(output)


def is_object(schema: JsonValue) -> bool:
    """Return whether the root has `type: object`, directly or through its `$ref`."""
    visited: set[str] = set()
    root = schema
    while isinstance(schema, dict) and schema.get("type") != "object":
        reference = schema.get("$ref")
        if not isinstance(reference, str) or reference in visited:
            return False
        visited.add(reference)
        schema = _target(root, reference)
    return isinstance(schema, dict)


def may_be_null(schema: JsonValue) -> bool:
    """Return whether null may satisfy a schema: false only where a root keyword excludes it."""
    return not _rules_null_out(schema, schema, frozenset())


def _rules_null_out(schema: JsonValue, root: JsonValue, visited: frozenset[str]) -> bool:
    if not isinstance(schema, dict):
        return schema is False
    kinds = schema.get("type", "null")
    if "null" not in (kinds if isinstance(kinds, list) else [kinds]):
        return True
    values = schema.get("enum")
    if isinstance(values, list) and None not in values:
        return True
    if schema.get("const") is not None:
        return True
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in visited:
        target = _target(root, reference)
        if _rules_null_out(target, root, visited | {reference}):
            return True
    return any(
        isinstance(parts := schema.get(keyword), list)
        and quantifier(_rules_null_out(part, root, visited) for part in parts)
        for keyword, quantifier in (("allOf", any), ("anyOf", all), ("oneOf", all))
    )


def _target(root: JsonValue, reference: str) -> JsonValue:
    """Return the target of a pointer into the schema; `true` where it does not resolve."""
    target = at_pointer(root, reference.removeprefix("#"))
    return True if target is None else target
