"""A result is an object without described members."""

from toolspec.rules.api import IN_PLACE, Diagnostics, JsonValue, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the result of `{tool}` describes none of its members",
    "describe the `properties` that a caller can rely on",
)
VISITS = ToolVisit
_DESCRIBING = IN_PLACE | {
    "properties",
    "patternProperties",
    "propertyNames",
    "$ref",
    "const",
    "enum",
}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a result that is an object without members, or a list of them."""
    schema = visit.tool.output.value
    if isinstance(schema, dict) and schema.get("type") == "array":
        schema = schema.get("items")
    if _is_opaque(schema):
        yield KIND.at(visit.at("outputSchema"), tool=visit.tool.name)


def _is_opaque(schema: JsonValue) -> bool:
    return (
        isinstance(schema, dict)
        and schema.get("type") == "object"
        and _DESCRIBING.isdisjoint(schema)
        and schema.get("additionalProperties", True) in (True, {})
    )
