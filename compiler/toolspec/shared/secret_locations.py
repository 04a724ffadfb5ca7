"""Parts of a value that a schema declares secret, by `writeOnly` or the format `password`."""

from __future__ import annotations

from toolspec.shared.validator import is_too_expensive

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue
    from toolspec.shared.references import References

    Applied = tuple[JsonObject, ...]
    """All schemas that may apply to one part of a value."""

_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else")


def declares_secret(schema: JsonObject) -> bool:
    """Return whether a schema itself, not one of its parts, declares a value secret."""
    return schema.get("writeOnly") is True or schema.get("format") == "password"


class SecretLocations:
    """Finds the schemas that may apply to a part of a value; one of them can declare it secret.

    A part is located from the root, since any subschema on the way may say more about it than the
    one that rejects it. Of several branches each may apply, also if it rejects the value.
    `pattern` returns a validator of names.
    """

    def __init__(self, references: References, pattern: Callable[[str], Accepts]) -> None:
        self._references = references
        self._pattern = pattern

    def applied(self, schemas: Iterable[JsonValue], limit: float = float("inf")) -> Applied | None:
        """Return the schemas with all that they may apply to the same value.

        Returns None if these are more than `limit`.
        """
        found: dict[int, JsonObject] = {}
        pending = [*schemas]
        while pending:
            schema = pending.pop()
            if not isinstance(schema, dict) or id(schema) in found:
                continue
            found[id(schema)] = schema
            if len(found) > limit:
                return None
            pending += self._in_place(schema)
        return tuple(found.values())

    def inside(self, applied: Applied, step: str | int) -> Iterator[JsonValue]:
        """Yield the schemas that may apply to a member or an item."""
        for schema in applied:
            yield from (
                self._of_member(schema, step) if isinstance(step, str) else _of_item(schema, step)
            )

    def _in_place(self, schema: JsonObject) -> Iterator[JsonValue]:
        for keyword in _BRANCHES:
            branches = schema.get(keyword)
            yield from branches if isinstance(branches, list) else ()
        for keyword in _CONDITIONS:
            yield schema.get(keyword)
        dependent = schema.get("dependentSchemas")
        yield from dependent.values() if isinstance(dependent, dict) else ()
        yield from self._references.possible_targets(schema)

    def _of_member(self, schema: JsonObject, name: str) -> Iterator[JsonValue]:
        properties, patterns = schema.get("properties"), schema.get("patternProperties")
        others = patterns if isinstance(patterns, dict) else {}
        if isinstance(properties, dict) and name in properties:
            yield properties[name]
            yield from (part for text, part in others.items() if self._may_match(text, name))
        else:
            yield from others.values()
            yield schema.get("additionalProperties")
            yield schema.get("unevaluatedProperties")

    def _may_match(self, pattern: str, name: str) -> bool:
        return self._pattern(pattern)(name) or is_too_expensive(pattern, name)


def _of_item(schema: JsonObject, number: int) -> Iterator[JsonValue]:
    first = schema.get("prefixItems")
    if isinstance(first, list) and number < len(first):
        yield first[number]
    else:
        yield schema.get("items")
        yield schema.get("unevaluatedItems")
    yield schema.get("contains")
