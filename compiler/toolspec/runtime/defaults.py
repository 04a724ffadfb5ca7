"""Filling in the defaults of a schema, at any depth that plain members and items lead to."""

from __future__ import annotations

from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.values import JsonObject, JsonValue

_DEFINITION = "#/$defs/"


class Defaults:
    """What one schema adds to a value, and the same for what is inside it.

    Follows `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf` and `$ref`. What
    stands under `anyOf`, `oneOf` or `if` is left alone: which branch a value belongs to is not known
    without deciding it again. A member is made only from its own `default`, never to hold others';
    where that is a null that its own schema refuses, it is not made (`schema/null-default`).
    """

    __slots__ = ("also", "leading", "members", "missing", "others", "rest")

    def __init__(self) -> None:
        self.also: list[Defaults] = []
        self.missing: list[tuple[str, JsonValue, bool]] = []
        """Name, default, and whether it is to be copied."""
        self.members: dict[str, Defaults | None] = {}
        self.others: Defaults | None = None
        self.leading: list[Defaults | None] = []
        self.rest: Defaults | None = None

    @staticmethod
    def of(text: str) -> Defaults | None:
        """Return the defaults of a schema given as JSON text; None where it has none."""
        if '"default"' not in text:
            return None
        import json

        return _Reading(json.loads(text)).of_root()

    def fill(self, value: JsonValue) -> JsonValue:
        """Return the value, which must be a copy, with every missing default added in place."""
        for part in self.also:
            part.fill(value)
        if isinstance(value, dict):
            for name, default, nested in self.missing:
                if name not in value:
                    value[name] = copied(default) if nested else default
            if self.members or self.others is not None:
                self._fill_members(value)
        elif isinstance(value, list) and (self.leading or self.rest is not None):
            self._fill_items(value)
        return value

    def _fill_members(self, value: JsonObject) -> None:
        for name, item in value.items():
            part = self.members.get(name, self.others)
            if part is not None:
                part.fill(item)

    def _fill_items(self, value: list[JsonValue]) -> None:
        for index, item in enumerate(value):
            part = self.leading[index] if index < len(self.leading) else self.rest
            if part is not None:
                part.fill(item)


class _Reading:
    """Makes the parts of one document, each definition's once: they may lead back to themselves."""

    __slots__ = ("_definitions", "_made", "_root")

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        definitions = root.get("$defs")
        self._definitions = definitions if isinstance(definitions, dict) else {}
        self._made: dict[str, Defaults] = {}

    def of_root(self) -> Defaults | None:
        """Return what the document's own schema adds."""
        found = self._referenced("#")
        return found[0] if found else None

    def part(self, schema: JsonValue) -> Defaults | None:
        """Return what a schema adds; None where there is nothing that it could add."""
        if not isinstance(schema, dict) or not self._adds(schema, set()):
            return None
        part = Defaults()
        self._read(schema, part)
        return part

    def _read(self, schema: JsonObject, part: Defaults) -> None:
        reference = schema.get("$ref")
        if isinstance(reference, str):
            part.also += self._referenced(reference)
        part.also += [one for each in _list(schema, "allOf") if (one := self.part(each))]
        self._read_members(schema, part)
        part.leading = [self.part(each) for each in _list(schema, "prefixItems")]
        part.rest = self.part(schema.get("items"))

    def _read_members(self, schema: JsonObject, part: Defaults) -> None:
        part.others = self.part(schema.get("additionalProperties"))
        for name, member in _object(schema, "properties").items():
            if isinstance(member, dict) and _has_default(member):
                default = member["default"]
                part.missing.append((name, default, isinstance(default, (dict, list))))
            inner = self.part(member)
            if inner is not None or part.others is not None:
                part.members[name] = inner

    def _referenced(self, reference: str) -> list[Defaults]:
        """Return the part of a definition, empty as yet where it is just being read."""
        schema = self._target(reference)
        if not isinstance(schema, dict) or not self._adds(schema, set()):
            return []
        if reference not in self._made:
            part = self._made[reference] = Defaults()
            self._read(schema, part)
        return [self._made[reference]]

    def _target(self, reference: str) -> JsonValue:
        if reference == "#":
            return self._root
        name = reference.removeprefix(_DEFINITION).replace("~1", "/").replace("~0", "~")
        return self._definitions.get(name)

    def _adds(self, schema: JsonValue, seen: set[str]) -> bool:
        """Return whether a default can be reached from a schema."""
        if not isinstance(schema, dict):
            return False
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            if self._adds(self._target(reference), seen):
                return True
        members = list(_object(schema, "properties").values())
        if any(isinstance(member, dict) and _has_default(member) for member in members):
            return True
        inner = [*members, schema.get("additionalProperties"), schema.get("items")]
        inner += [*_list(schema, "allOf"), *_list(schema, "prefixItems")]
        return any(self._adds(each, seen) for each in inner)


def _has_default(schema: JsonObject) -> bool:
    """Return whether there is a default; a null that is none of the values only says "optional"."""
    if "default" not in schema or schema["default"] is not None:
        return "default" in schema
    stated, values = schema.get("type", "null"), schema.get("enum")
    is_allowed = stated == "null" or (isinstance(stated, list) and "null" in stated)
    return is_allowed and not (isinstance(values, list) and None not in values)


def _object(schema: JsonObject, name: str) -> JsonObject:
    found = schema.get(name)
    return found if isinstance(found, dict) else {}


def _list(schema: JsonObject, name: str) -> list[JsonValue]:
    found = schema.get(name)
    return found if isinstance(found, list) else []
