"""Discriminators of unions: the members that select a branch."""

from __future__ import annotations

from toolspec.shared.json_values import identity

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue
    from toolspec.shared.references import References

    Tags: TypeAlias = tuple[dict[str, list[JsonValue]], set[str]]
    """The values of each member with enumerated values, and the names of required members."""

MAX_DEPTH = 8
"""Maximum depth of references and nested unions in the search for tags."""


class Discriminators:
    """Finds the discriminators of the unions of one document."""

    __slots__ = ("_references", "_tags")

    def __init__(self, references: References) -> None:
        self._references = references
        self._tags: dict[int, Tags] = {}

    def tags(self, schema: JsonValue, depth: int = 0) -> Tags:
        """Return the members of an object schema that enumerate their values, and the required ones."""
        tags = self._tags.get(id(schema))
        if tags is None:
            tags = self._tags[id(schema)] = self._read_tags(schema, depth)
        return tags

    def absent_from(
        self, branches: Sequence[JsonValue], value: JsonObject
    ) -> tuple[str, list[JsonValue]] | None:
        """Return a discriminator that a value lacks, with the values of all branches, or None.

        Every branch requires the member, and it has at least as many values as there are branches.
        """
        tags = [self.tags(branch) for branch in branches]
        for name in tags[0][0]:
            if name in value or not all(
                name in options and name in required for options, required in tags
            ):
                continue
            values = [option for options, _ in tags for option in options[name]]
            if len({identity(option) for option in values}) >= len(branches):
                return name, values
        return None

    def _read_tags(self, schema: JsonValue, depth: int) -> Tags:
        options: dict[str, list[JsonValue]] = {}
        required: set[str] = set()
        if not isinstance(schema, dict) or depth > MAX_DEPTH:
            return options, required
        properties = schema.get("properties")
        for name, member in properties.items() if isinstance(properties, dict) else ():
            values = self._enumerated(member, depth)
            if values is not None:
                options[name] = values
        names = schema.get("required")
        required.update(map(str, names if isinstance(names, list) else ()))
        target, parts = self._references.of(schema), schema.get("allOf")
        for part in (
            *(parts if isinstance(parts, list) else ()),
            *([] if target is None else [target]),
        ):
            more, also = self.tags(part, depth + 1)
            options = {**more, **options}
            required |= also
        return options, required

    def _enumerated(self, schema: JsonValue, depth: int) -> list[JsonValue] | None:
        """Return the values that a schema enumerates; None if it enumerates none."""
        while isinstance(schema, dict) and depth <= MAX_DEPTH:
            if "const" in schema:
                return [schema["const"]]
            values = schema.get("enum")
            if isinstance(values, list):
                return values
            schema, depth = self._references.of(schema), depth + 1
        return None
