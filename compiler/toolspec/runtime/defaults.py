"""Schema defaults: fills in missing members and converts whole floats to ints."""

from __future__ import annotations

from toolspec.runtime.values import copied
from toolspec.shared.default_values import has_default

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    _Layer: TypeAlias = tuple[int, bool]
    """The id of a schema, and whether it applies to every value."""

_DEFINITION = "#/$defs/"
_RELEVANT = ('"default"', '"integer"', '"enum"', '"const"')
"""A schema without any of these never changes a value."""
_MUTABLE_TYPES = frozenset((dict, list, float))
"""Types that may need a change, to the value or inside it."""
_END: JsonValue = {}
"""Placeholder after the last schema of a level."""


class Defaults:
    """Changes that one schema makes to a valid value and its parts.

    Defaults come from `properties`, `items`, `prefixItems`, `additionalProperties`, `allOf` and
    `$ref`. `anyOf`, `oneOf` and `if` add none, since choosing a branch would mean validating again.
    A member is created only from its own `default`, never just to contain other defaults; a null
    default that the member's schema rejects is not used (`schema/null-default`).

    JSON Schema counts a float without a fraction as an integer, while the generated types say
    `int`. It therefore becomes an int if the schema has type `integer` or lists one, and also if a
    branch of `anyOf`, `oneOf` or `patternProperties` does: an int is valid for a branch with
    `number` as well.
    """

    __slots__ = ("adds", "also", "is_whole", "leading", "members", "missing", "others", "rest")

    def __init__(self) -> None:
        self.adds = False
        """Whether members may be added to the value or inside it; set for the root only."""
        self.also: list[Defaults] = []
        self.is_whole = False
        self.missing: list[tuple[str, JsonValue, bool]] = []
        """Name, default, and whether to copy it."""
        self.members: dict[str, Defaults | None] = {}
        self.others: Defaults | None = None
        self.leading: list[Defaults | None] = []
        self.rest: Defaults | None = None

    @staticmethod
    def of(text: str) -> Defaults | None:
        """Return the defaults of a schema given as JSON text; None if it changes nothing."""
        if not any(keyword in text for keyword in _RELEVANT):
            return None
        import json

        return _DefaultsReader(json.loads(text)).of_root()

    def fill(self, value: JsonValue) -> JsonValue:
        """Apply all changes to `value`, which must be a copy, and return it."""
        if isinstance(value, float):
            return int(value) if self.is_whole and value.is_integer() else value
        for other_defaults in self.also:
            other_defaults.fill(value)
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
        for name, defaults in self.members.items():
            item = value.get(name)
            if type(item) in _MUTABLE_TYPES and defaults is not None:
                value[name] = defaults.fill(item)

    def _fill_all(self, value: JsonObject, others: Defaults) -> None:
        for name, item in value.items():
            defaults = self.members.get(name, others)
            if type(item) in _MUTABLE_TYPES and defaults is not None:
                value[name] = defaults.fill(item)

    def _fill_items(self, value: list[JsonValue]) -> None:
        for index, item in enumerate(value):
            defaults = self.leading[index] if index < len(self.leading) else self.rest
            if type(item) in _MUTABLE_TYPES and defaults is not None:
                value[index] = defaults.fill(item)


class _DefaultsReader:
    """Builds the defaults of one document, once per schema since schemas may be recursive.

    `sure` schemas apply to every value; those under a choice do not and add no member.
    """

    __slots__ = ("_adds", "_definitions", "_layers", "_pending", "_reach", "_root")

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        definitions = root.get("$defs") if isinstance(root, dict) else None
        self._definitions = definitions if isinstance(definitions, dict) else {}
        self._layers: dict[_Layer, Defaults] = {}
        self._pending: list[tuple[Defaults, JsonObject, bool]] = []
        self._reach: dict[_Layer, bool] = {}
        self._adds = False

    def of_root(self) -> Defaults | None:
        """Return the defaults of the document's root schema."""
        defaults = self._part(self._root, sure=True)
        # An explicit list instead of the call stack, since definitions may be nested deeply.
        while self._pending:
            self._read(*self._pending.pop())
        if defaults is not None:
            defaults.adds = self._adds
        return defaults

    def _part(self, schema: JsonValue, *, sure: bool) -> Defaults | None:
        """Return the defaults of a schema; None if it changes nothing."""
        if not isinstance(schema, dict) or not self._reaches(schema, sure):
            return None
        return _combined([self._layer(*layer) for layer in self._applied(schema, sure)])

    def _applied(self, schema: JsonObject, sure: bool) -> list[tuple[JsonObject, bool]]:
        """Return all schemas that apply to the same value, each once, `schema` last."""
        visited: set[_Layer] = set()
        applied: list[tuple[JsonObject, bool]] = []
        pending: list[tuple[JsonValue, bool, bool]] = [(schema, sure, False)]
        while pending:
            current, sure, is_complete = pending.pop()
            if not isinstance(current, dict):
                continue
            if is_complete:
                applied.append((current, sure))
            elif (id(current), sure) not in visited:
                visited.add((id(current), sure))
                pending.append((current, sure, True))
                pending += [(inner, False, False) for inner in reversed(_choices(current))]
                pending += [(inner, sure, False) for inner in reversed(_list(current, "allOf"))]
                pending.append((self._target(current), sure, False))
        return applied

    def _layer(self, schema: JsonObject, sure: bool) -> Defaults:
        """Return the defaults of a single schema, empty until it is read."""
        cached = self._layers.get((id(schema), sure))
        if cached is not None:
            return cached
        layer = self._layers[id(schema), sure] = Defaults()
        layer.is_whole = _admits_integer(schema)
        self._pending.append((layer, schema, sure))
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
        layer.leading = [self._part(item, sure=sure) for item in _list(schema, "prefixItems")]
        layer.rest = self._part(schema.get("items"), sure=sure)

    def _others(self, schema: JsonObject, sure: bool) -> Defaults | None:
        """Return the defaults of additional members, without reading their patterns."""
        candidates = [self._part(schema.get("additionalProperties"), sure=sure)]
        patterns = _object(schema, "patternProperties").values()
        candidates += [self._part(pattern, sure=False) for pattern in patterns]
        parts = [candidate for candidate in candidates if candidate is not None]
        return _combined(parts) if parts else None

    def _target(self, schema: JsonObject) -> JsonValue:
        """Return the target of a schema's `$ref`."""
        reference = schema.get("$ref")
        if reference == "#":
            return self._root
        if not isinstance(reference, str):
            return None
        name = reference.removeprefix(_DEFINITION).replace("~1", "/").replace("~0", "~")
        return self._definitions.get(name)

    def _reaches(self, schema: JsonObject, sure: bool) -> bool:
        """Return whether a default or an integer is reachable from a schema.

        Results are cached, so that each schema is visited once.
        """
        start = id(schema), sure
        if start in self._reach:
            return self._reach[start]
        ancestors: list[_Layer] = []
        visited: set[_Layer] = set()
        levels: list[Iterator[tuple[JsonValue, bool]]] = [iter([(schema, sure)])]
        while levels:
            current, sure = next(levels[-1], (_END, False))
            if current is _END:
                levels.pop()
                if levels:
                    ancestors.pop()
            elif isinstance(current, dict):
                key = id(current), sure
                if self._reach.get(key) or self._has_own_changes(current, sure):
                    self._reach.update(dict.fromkeys((*ancestors, key), True))
                    return True
                if key not in visited and key not in self._reach:
                    visited.add(key)
                    ancestors.append(key)
                    levels.append(self._inner(current, sure))
        self._reach.update(dict.fromkeys(visited, False))
        return False

    def _has_own_changes(self, schema: JsonObject, sure: bool) -> bool:
        members = _object(schema, "properties").values()
        return _admits_integer(schema) or (sure and any(map(has_default, members)))

    def _inner(self, schema: JsonObject, sure: bool) -> Iterator[tuple[JsonValue, bool]]:
        """Yield the subschemas of a schema, each with whether it applies to every value."""
        yield self._target(schema), sure
        for member in _object(schema, "properties").values():
            yield member, sure
        yield schema.get("additionalProperties"), sure
        yield schema.get("items"), sure
        for item in (*_list(schema, "allOf"), *_list(schema, "prefixItems")):
            yield item, sure
        for choice in (*_choices(schema), *_object(schema, "patternProperties").values()):
            yield choice, False


def _combined(parts: list[Defaults]) -> Defaults:
    """Return the defaults of several schemas for the same value, applied in order."""
    if len(parts) == 1:
        return parts[0]
    combined = Defaults()
    combined.also = parts
    combined.is_whole = any(layer.is_whole for layer in parts)
    return combined


def _admits_integer(schema: JsonObject) -> bool:
    """Return whether a schema has type `integer` or lists an integer."""
    declared = schema.get("type")
    if declared == "integer" or (isinstance(declared, list) and "integer" in declared):
        return True
    return any(type(value) is int for value in (schema.get("const"), *_list(schema, "enum")))


def _choices(schema: JsonObject) -> list[JsonValue]:
    return [*_list(schema, "anyOf"), *_list(schema, "oneOf")]


def _object(schema: JsonObject, name: str) -> JsonObject:
    value = schema.get(name)
    return value if isinstance(value, dict) else {}


def _list(schema: JsonObject, name: str) -> list[JsonValue]:
    value = schema.get(name)
    return value if isinstance(value, list) else []
