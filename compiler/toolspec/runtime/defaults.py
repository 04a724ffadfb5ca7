"""What a schema makes of a value that it admits: defaults filled in, whole numbers as ints."""

from __future__ import annotations

from toolspec.runtime.values import copied
from toolspec.shared.default_values import has_default

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    _Layer: TypeAlias = tuple[int, bool]
    """The identity of a schema, and whether it holds for every value."""

_DEFINITION = "#/$defs/"
_TELLING = ('"default"', '"integer"', '"enum"', '"const"')
"""A schema without any of these makes nothing of a value."""
_CHANGING = frozenset((dict, list, float))
"""What a part may change a value of, or inside of."""
_END: JsonValue = {}
"""Stands behind the last schema of a level."""


class Defaults:
    """What one schema makes of a value, and of what is inside it.

    Defaults come in through `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf`
    and `$ref`. What stands under `anyOf`, `oneOf` or `if` adds none: which branch a value belongs
    to is not known without deciding it again. A member is made only from its own `default`, never
    to hold others'; where that is a null that its own schema refuses, it is not made
    (`schema/null-default`).

    A float without a fraction is an integer in JSON Schema, and `int` is what the types promise. So
    it becomes an int where the schema says `integer` or lists one, and where a branch of `anyOf`,
    `oneOf` or `patternProperties` does: an int does for a branch that says `number` as well.
    """

    __slots__ = ("adds", "also", "is_whole", "leading", "members", "missing", "others", "rest")

    def __init__(self) -> None:
        self.adds = False
        """Whether members may come in, here or further down; only the root knows."""
        self.also: list[Defaults] = []
        self.is_whole = False
        self.missing: list[tuple[str, JsonValue, bool]] = []
        """Name, default, and whether it is to be copied."""
        self.members: dict[str, Defaults | None] = {}
        self.others: Defaults | None = None
        self.leading: list[Defaults | None] = []
        self.rest: Defaults | None = None

    @staticmethod
    def of(text: str) -> Defaults | None:
        """Return what a schema given as JSON text makes of values; None for nothing."""
        if not any(each in text for each in _TELLING):
            return None
        import json

        return _Reading(json.loads(text)).of_root()

    def fill(self, value: JsonValue) -> JsonValue:
        """Return the value, which must be a copy, with all that the schema makes of it in place."""
        if isinstance(value, float):
            return int(value) if self.is_whole and value.is_integer() else value
        for part in self.also:
            part.fill(value)
        if isinstance(value, dict):
            for name, default, nested in self.missing:
                if name not in value:
                    value[name] = copied(default) if nested else default
            if self.others is not None:
                self._fill_all(value, self.others)
            elif self.members:
                self._fill_members(value)
        elif isinstance(value, list) and (self.leading or self.rest is not None):
            self._fill_items(value)
        return value

    def _fill_members(self, value: JsonObject) -> None:
        for name, part in self.members.items():
            item = value.get(name)
            if type(item) in _CHANGING and part is not None:
                value[name] = part.fill(item)

    def _fill_all(self, value: JsonObject, others: Defaults) -> None:
        for name, item in value.items():
            part = self.members.get(name, others)
            if type(item) in _CHANGING and part is not None:
                value[name] = part.fill(item)

    def _fill_items(self, value: list[JsonValue]) -> None:
        for index, item in enumerate(value):
            part = self.leading[index] if index < len(self.leading) else self.rest
            if type(item) in _CHANGING and part is not None:
                value[index] = part.fill(item)


class _Reading:
    """Makes the parts of one document, each schema's once: they may lead back to themselves.

    What is `sure` holds for every value; what stands under a choice does not, and adds no member.
    """

    __slots__ = ("_adds", "_definitions", "_layers", "_reach", "_root", "_waiting")

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        definitions = root.get("$defs") if isinstance(root, dict) else None
        self._definitions = definitions if isinstance(definitions, dict) else {}
        self._layers: dict[_Layer, Defaults] = {}
        self._waiting: list[tuple[Defaults, JsonObject, bool]] = []
        self._reach: dict[_Layer, bool] = {}
        self._adds = False

    def of_root(self) -> Defaults | None:
        """Return what the document's own schema makes of a value."""
        part = self._part(self._root, sure=True)
        # Schemas wait in a list, not on the stack: definitions lead to one another however often.
        while self._waiting:
            self._read(*self._waiting.pop())
        if part is not None:
            part.adds = self._adds
        return part

    def _part(self, schema: JsonValue, *, sure: bool) -> Defaults | None:
        """Return what a schema makes of a value; None where there is nothing that it could."""
        if not isinstance(schema, dict) or not self._reaches(schema, sure):
            return None
        return _together([self._layer(*each) for each in self._applied(schema, sure)])

    def _applied(self, schema: JsonObject, sure: bool) -> list[tuple[JsonObject, bool]]:
        """Return all schemas that say something of the same value, each once, the given one last."""
        seen: set[_Layer] = set()
        found: list[tuple[JsonObject, bool]] = []
        waiting: list[tuple[JsonValue, bool, bool]] = [(schema, sure, False)]
        while waiting:
            each, sure, is_left = waiting.pop()
            if not isinstance(each, dict):
                continue
            if is_left:
                found.append((each, sure))
            elif (id(each), sure) not in seen:
                seen.add((id(each), sure))
                waiting.append((each, sure, True))
                waiting += [(inner, False, False) for inner in reversed(_choices(each))]
                waiting += [(inner, sure, False) for inner in reversed(_list(each, "allOf"))]
                waiting.append((self._target(each), sure, False))
        return found

    def _layer(self, schema: JsonObject, sure: bool) -> Defaults:
        """Return what a schema makes of a value by itself, empty until it is read."""
        known = self._layers.get((id(schema), sure))
        if known is not None:
            return known
        layer = self._layers[id(schema), sure] = Defaults()
        layer.is_whole = _says_integer(schema)
        self._waiting.append((layer, schema, sure))
        return layer

    def _read(self, layer: Defaults, schema: JsonObject, sure: bool) -> None:
        layer.others = self._others(schema, sure)
        for name, member in _object(schema, "properties").items():
            if sure and isinstance(member, dict) and has_default(member):
                default = member["default"]
                layer.missing.append((name, default, isinstance(default, (dict, list))))
                self._adds = True
            inner = self._part(member, sure=sure)
            if inner is not None or layer.others is not None:
                layer.members[name] = inner
        layer.leading = [self._part(each, sure=sure) for each in _list(schema, "prefixItems")]
        layer.rest = self._part(schema.get("items"), sure=sure)

    def _others(self, schema: JsonObject, sure: bool) -> Defaults | None:
        """Return what is made of members without a name of their own, their patterns unread."""
        found = [self._part(schema.get("additionalProperties"), sure=sure)]
        patterns = _object(schema, "patternProperties").values()
        found += [self._part(each, sure=False) for each in patterns]
        parts = [each for each in found if each is not None]
        return _together(parts) if parts else None

    def _target(self, schema: JsonObject) -> JsonValue:
        """Return where a schema's `$ref` leads."""
        reference = schema.get("$ref")
        if reference == "#":
            return self._root
        if not isinstance(reference, str):
            return None
        name = reference.removeprefix(_DEFINITION).replace("~1", "/").replace("~0", "~")
        return self._definitions.get(name)

    def _reaches(self, schema: JsonObject, sure: bool) -> bool:
        """Return whether a default or an integer can be reached from a schema.

        What is found on the way is kept, so that each schema is looked at once in all.
        """
        start = id(schema), sure
        if start in self._reach:
            return self._reach[start]
        way: list[_Layer] = []
        met: set[_Layer] = set()
        levels: list[Iterator[tuple[JsonValue, bool]]] = [iter([(schema, sure)])]
        while levels:
            each, sure = next(levels[-1], (_END, False))
            if each is _END:
                levels.pop()
                if levels:
                    way.pop()
            elif isinstance(each, dict):
                key = id(each), sure
                if self._reach.get(key) or self._makes(each, sure):
                    self._reach.update(dict.fromkeys((*way, key), True))
                    return True
                if key not in met and key not in self._reach:
                    met.add(key)
                    way.append(key)
                    levels.append(self._inner(each, sure))
        self._reach.update(dict.fromkeys(met, False))
        return False

    def _makes(self, schema: JsonObject, sure: bool) -> bool:
        members = _object(schema, "properties").values()
        return _says_integer(schema) or (sure and any(map(has_default, members)))

    def _inner(self, schema: JsonObject, sure: bool) -> Iterator[tuple[JsonValue, bool]]:
        """Yield the schemas that one leads to, each with what holds for every value."""
        yield self._target(schema), sure
        for each in _object(schema, "properties").values():
            yield each, sure
        yield schema.get("additionalProperties"), sure
        yield schema.get("items"), sure
        for each in (*_list(schema, "allOf"), *_list(schema, "prefixItems")):
            yield each, sure
        for each in (*_choices(schema), *_object(schema, "patternProperties").values()):
            yield each, False


def _together(parts: list[Defaults]) -> Defaults:
    """Return what several schemas make of the same value, one after the other."""
    if len(parts) == 1:
        return parts[0]
    part = Defaults()
    part.also = parts
    part.is_whole = any(each.is_whole for each in parts)
    return part


def _says_integer(schema: JsonObject) -> bool:
    """Return whether a schema names the type, or lists a value of it."""
    stated = schema.get("type")
    if stated == "integer" or (isinstance(stated, list) and "integer" in stated):
        return True
    return any(type(value) is int for value in (schema.get("const"), *_list(schema, "enum")))


def _choices(schema: JsonObject) -> list[JsonValue]:
    return [*_list(schema, "anyOf"), *_list(schema, "oneOf")]


def _object(schema: JsonObject, name: str) -> JsonObject:
    found = schema.get(name)
    return found if isinstance(found, dict) else {}


def _list(schema: JsonObject, name: str) -> list[JsonValue]:
    found = schema.get(name)
    return found if isinstance(found, list) else []
