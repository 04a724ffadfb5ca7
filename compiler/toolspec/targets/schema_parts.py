"""Where a schema holds other schemas (JSON Schema 2020-12), and where its local references lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

DEFINITION = "#/$defs/"

ONE = frozenset(
    {
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
SEVERAL = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})


def parts(schema: JsonObject) -> Iterator[tuple[Path, JsonValue]]:
    """Yield every schema directly inside one, with the path that leads to it, in document order."""
    for keyword, value in schema.items():
        if keyword in ONE:
            yield (keyword,), value
        elif keyword in SEVERAL and isinstance(value, list):
            yield from (((keyword, index), each) for index, each in enumerate(value))
        elif keyword in NAMED and isinstance(value, dict):
            yield from (((keyword, name), each) for name, each in value.items())


def definition(root: JsonValue, reference: str) -> JsonValue:
    """Return what a reference into the same schema leads to; `true` where it leads nowhere."""
    found = root
    for step in parse_fragment(reference.removeprefix("#")):
        if isinstance(found, dict) and step in found:
            found = found[step]
        elif isinstance(found, list) and step.isdecimal() and int(step) < len(found):
            found = found[int(step)]
        else:
            return True
    return found
