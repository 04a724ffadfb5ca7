"""A tool answers with an object of which nothing is said."""

from toolspec.rules.api import IN_PLACE, Diagnostics, JsonValue, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "nothing is said of the members that `{tool}` answers with",
    "describe the `properties` that a caller can count on",
)
VISITS = ToolVisit
_SAYING = IN_PLACE | {"properties", "patternProperties", "propertyNames", "$ref", "const", "enum"}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a result that is such an object, or a list of them."""
    schema = visit.tool.output.value
    if isinstance(schema, dict) and schema.get("type") == "array":
        schema = schema.get("items")
    if _is_opaque(schema):
        yield KIND.at(visit.at("outputSchema"), tool=visit.tool.name)


def _is_opaque(schema: JsonValue) -> bool:
    return (
        isinstance(schema, dict)
        and schema.get("type") == "object"
        and _SAYING.isdisjoint(schema)
        and schema.get("additionalProperties", True) in (True, {})
    )
