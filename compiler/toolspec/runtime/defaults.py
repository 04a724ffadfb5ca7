"""Filling in the defaults of a schema, at any depth that plain members and items lead to."""

from __future__ import annotations

from toolspec.runtime.record import Record
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.values import JsonObject, JsonValue

_DEFINITION = "#/$defs/"


class Defaults(Record):
    """Fills in what a caller left out: `fill(value)` changes that value, which must be a copy.

    Follows `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf` and `$ref`. What
    stands under `anyOf`, `oneOf` or `if` is left alone: which branch a value belongs to is not known
    without deciding it again. A member is made only from its own `default`, never to hold others'.
    """

    root: JsonValue
    definitions: JsonObject

    @staticmethod
    def of(text: str) -> Defaults | None:
        """Return the defaults of a schema given as JSON text; None where it has none."""
        if '"default"' not in text:
            return None
        import json

        root = json.loads(text)
        return Defaults(root=root, definitions=root.get("$defs", {}))

    def fill(self, value: JsonValue) -> JsonValue:
        """Return the value with every missing default added in place."""
        self._fill(value, self.root)
        return value

    def _fill(self, value: JsonValue, schema: JsonValue) -> None:
        if not isinstance(schema, dict) or not isinstance(value, (dict, list)):
            return
        reference = schema.get("$ref")
        if isinstance(reference, str):
            self._fill(value, self._referenced(reference))
        parts = schema.get("allOf")
        if isinstance(parts, list):
            for part in parts:
                self._fill(value, part)
        if isinstance(value, dict):
            self._fill_members(value, schema)
        else:
            self._fill_items(value, schema)

    def _fill_members(self, value: JsonObject, schema: JsonObject) -> None:
        properties = schema.get("properties")
        members = properties if isinstance(properties, dict) else {}
        for name, member in members.items():
            if name not in value and isinstance(member, dict) and "default" in member:
                value[name] = copied(member["default"])
        others = schema.get("additionalProperties")
        for name, item in value.items():
            self._fill(item, members.get(name, others))

    def _fill_items(self, value: list[JsonValue], schema: JsonObject) -> None:
        prefix = schema.get("prefixItems")
        leading = prefix if isinstance(prefix, list) else []
        rest = schema.get("items")
        for index, item in enumerate(value):
            self._fill(item, leading[index] if index < len(leading) else rest)

    def _referenced(self, reference: str) -> JsonValue:
        if reference == "#":
            return self.root
        name = reference.removeprefix(_DEFINITION).replace("~1", "/").replace("~0", "~")
        return self.definitions.get(name)
