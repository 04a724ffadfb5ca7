"""Generation of small values that satisfy a JSON Schema, reproducible by seed."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from toolspec.shared.json_values import as_object, as_texts
from toolspec.shared.samples.schemas import Schemas, declared_type, merged
from toolspec.shared.samples.texts import text
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Literal, TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    Formats: TypeAlias = Literal["assert", "annotate"]


_SPREAD = 100


def integer(schema: JsonObject, chance: Random) -> int:
    """Return an integer near the lower bound, or near the upper one without a lower."""
    step = _stated(schema, "multipleOf")
    whole = Fraction(1) if step is None else Fraction(step.numerator)
    return int(_between(schema, whole, chance))


def number(schema: JsonObject, chance: Random) -> float:
    """Return a number like `integer`, whole unless the schema needs a fraction."""
    step = _stated(schema, "multipleOf")
    if step is not None:
        return _plain(_between(schema, step, chance))
    low, high, is_open = _bounds(schema)
    width = None if low is None or high is None else high - low
    if width is not None and (width < 1 or is_open):
        assert low is not None
        return _plain(low + width / 2)
    return _plain(_between(schema, Fraction(1), chance))


def _between(schema: JsonObject, step: Fraction, chance: Random) -> Fraction:
    low, high, _ = _bounds(schema)
    if low is None:
        low = Fraction(0) if high is None else min(Fraction(0), high - _SPREAD * step)
    first = math.ceil(low / step)
    if _stated(schema, "exclusiveMinimum") == first * step:
        first += 1
    last = first + _SPREAD
    if high is not None:
        last = min(last, math.floor(high / step))
        if _stated(schema, "exclusiveMaximum") == last * step:
            last -= 1
    return chance.randint(first, max(first, last)) * step


def _bounds(schema: JsonObject) -> tuple[Fraction | None, Fraction | None, bool]:
    lows = [_stated(schema, "minimum"), _stated(schema, "exclusiveMinimum")]
    highs = [_stated(schema, "maximum"), _stated(schema, "exclusiveMaximum")]
    low = max((item for item in lows if item is not None), default=None)
    high = min((item for item in highs if item is not None), default=None)
    return low, high, lows[1] is not None or highs[1] is not None


def _stated(schema: JsonObject, keyword: str) -> Fraction | None:
    value = schema.get(keyword)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return Fraction(str(value)) if math.isfinite(value) else None


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)


ATTEMPTS = 60
"""Maximum number of attempts to generate a value."""

_LOCAL_ATTEMPTS = 12
_MINIMAL_ATTEMPTS = (1, *range(3, 15), 0)  # attempt 1 makes required members alone, attempt 0 all
_DEEP, _MANY = 5, 1_000  # levels and values after which only the smallest value is made
_TOO_DEEP, _TOO_MANY = 40, 10_000
_ITEMS = 2
_UNIQUE_ATTEMPTS = 30
_HARD = frozenset({"not", "oneOf", "if", "contains", "dependentSchemas"})
_WORDS = ("alpha", "bravo", "carol", "delta", "ember")


_PLAIN: dict[str, Callable[[JsonObject, Random], JsonValue]] = {
    "string": text,
    "integer": integer,
    "number": number,
    "boolean": lambda _, chance: chance.random() < 0.5,  # noqa: PLR2004 - even odds
}


class NoSampleError(ValueError):
    """No value was found; none may exist."""


def sample(
    schema: str, seed: str, formats: Formats = "assert", *, is_small: bool = False
) -> JsonValue:
    """Return a value that satisfies a schema given as JSON text.

    Prefers examples and defaults of the schema; with `is_small` also an object without optional members
    of its own. Raises NoSampleError if no value is found in `ATTEMPTS` attempts, or in fewer large ones.
    """
    root = json.loads(schema)
    accepts = compiled(schema, formats=formats == "assert")
    attempts = [(attempt, False) for attempt in range(ATTEMPTS)]
    makers = (
        _Maker(
            root,
            Random(f"{seed}/{attempt}"),  # noqa: S311 - not a secret
            attempt,
            formats,
            without_optional=without_optional,
        )
        for attempt, without_optional in ([(0, True), *attempts] if is_small else attempts)
    )
    return _first_accepted(makers, root, accepts)


def _first_accepted(
    makers: Iterable[_Maker], schema: JsonValue, accepts: Callable[[JsonValue], bool]
) -> JsonValue:
    """Return the first value that satisfies a schema.

    Raises NoSampleError if there is none, or once more than `_TOO_MANY` values were made.
    """
    made = 0
    for maker in makers:
        with suppress(NoSampleError, RecursionError):
            value = maker.make(schema, 0)
            if accepts(value):
                return value
        made += maker.values
        if made > _TOO_MANY:
            break
    problem = "no value was found that satisfies the schema"
    raise NoSampleError(problem)


class _Maker:
    """Generates one value; later attempts choose other branches and ignore examples."""

    def __init__(
        self,
        root: JsonValue,
        chance: Random,
        attempt: int,
        formats: Formats = "assert",
        *,
        without_optional: bool = False,
    ) -> None:
        self._schemas = Schemas(root)
        self._formats: Formats = formats
        self._without_optional = without_optional
        self._chance = chance
        self._attempt = attempt
        self.values = 0

    def make(self, schema: JsonValue, depth: int) -> JsonValue:
        self.values += 1
        if depth > _TOO_DEEP or self.values > _TOO_MANY:
            raise NoSampleError(str(depth))
        if schema is True or schema == {}:
            return self._chance.choice(_WORDS)
        if not isinstance(schema, dict):
            raise NoSampleError(str(schema))
        if _HARD.isdisjoint(schema):
            return self._made(schema, depth)
        accepts = compiled(self._schemas.alone(schema), formats=self._formats == "assert")
        for _ in range(_LOCAL_ATTEMPTS):
            value = self._made(schema, depth)
            if accepts(value):
                return value
            if self.values > _MANY:
                break
        return self._made(schema, depth)

    def _is_ending(self, depth: int) -> bool:
        """Return whether a value is deep or large enough, so that recursion and choices have to end."""
        return depth > _DEEP or self.values > _MANY

    def _made(self, schema: JsonObject, depth: int) -> JsonValue:
        flat = self._flattened(schema, depth)
        if "const" in flat:
            return flat["const"]
        values = flat.get("enum")
        if isinstance(values, list) and values:
            return values[0] if self._attempt == 0 else self._chance.choice(values)
        suggestions = self._suggestions(flat)
        if suggestions and self._attempt < _ITEMS:
            return suggestions[self._attempt % len(suggestions)]
        return self._of_type(flat, depth)

    def _suggestions(self, schema: JsonObject) -> list[JsonValue]:
        examples = schema.get("examples")
        suggestions = list(examples) if isinstance(examples, list) else []
        return [*suggestions, schema["default"]] if "default" in schema else suggestions

    def _flattened(self, schema: JsonObject, depth: int) -> JsonObject:
        """Return a schema without references and branches: one of each choice, merged."""
        flat: JsonObject = {}
        pending: list[JsonValue] = [schema]
        steps = 0
        while pending:
            part = pending.pop()
            steps += 1
            if part is True:
                continue
            if not isinstance(part, dict) or steps > _TOO_DEEP * 10:
                raise NoSampleError(str(part))
            plain, more = self._opened(part, depth)
            flat = merged(flat, plain)
            pending += more
        return flat

    def _opened(self, part: JsonObject, depth: int) -> tuple[JsonObject, list[JsonValue]]:
        """Return the plain keywords of a schema, and the schemas that apply as well."""
        plain = dict(part)
        more: list[JsonValue] = []
        for keyword in ("$ref", "$dynamicRef"):
            reference = plain.pop(keyword, None)
            if isinstance(reference, str):
                more.append(self._schemas.referenced(reference))
        every = plain.pop("allOf", None)
        more += every if isinstance(every, list) else []
        for keyword in ("anyOf", "oneOf"):
            branches = plain.pop(keyword, None)
            if isinstance(branches, list) and branches:
                more.append(self._branch(branches, depth))
        if "if" in plain:
            more += self._condition(plain)
        for keyword in ("then", "else"):
            plain.pop(keyword, None)
        return plain, more

    def _branch(self, branches: list[JsonValue], depth: int) -> JsonValue:
        if self._is_ending(depth):
            # The smallest branch of a recursive schema ends the recursion.
            return min(branches, key=lambda branch: len(json.dumps(branch)))
        return branches[0] if self._attempt == 0 else self._chance.choice(branches)

    def _condition(self, plain: JsonObject) -> list[JsonValue]:
        condition = plain.pop("if")
        if self._chance.random() < 0.5:  # noqa: PLR2004 - even odds
            return [condition, plain.get("then", True)]
        return [plain.get("else", True)]

    def _of_type(self, schema: JsonObject, depth: int) -> JsonValue:
        kind = declared_type(schema, self._chance, shallow=self._is_ending(depth))
        if kind == "object":
            return self._object(schema, depth + 1)
        if kind == "array":
            return self._array(schema, depth + 1)
        plain = _PLAIN.get(kind)
        return plain(schema, self._chance) if plain is not None else None

    def _object(self, schema: JsonObject, depth: int) -> JsonObject:
        properties = as_object(schema.get("properties"))
        names = self._wanted(schema, properties, depth)
        members: JsonObject = {}
        for name in names:
            members[name] = self.make(self._member(schema, properties, name), depth)
            for item in as_object(schema.get("dependentSchemas")).items():
                if item[0] == name and isinstance(item[1], dict):
                    rest = self._object({"type": "object", **item[1]}, depth)
                    members.update(
                        {key: value for key, value in rest.items() if key not in members}
                    )
        return members

    def _wanted(self, schema: JsonObject, properties: JsonObject, depth: int) -> list[str]:
        """Return the names of the members to generate: the required ones, and some others."""
        required = as_texts(schema.get("required"))
        names = list(dict.fromkeys(required))
        most = _count(schema.get("maxProperties"), 1000)
        for name, member in properties.items():
            optional = name not in names and member is not False and not self._is_ending(depth)
            if optional and len(names) < most and self._likely(depth):
                names.append(name)
        for name in names:
            names += [
                item
                for item in as_texts(as_object(schema.get("dependentRequired")).get(name))
                if item not in names
            ]
        least = _count(schema.get("minProperties"), 0)
        free = [name for name in properties if name not in names and properties[name] is not False]
        while len(names) < least:
            names.append(free.pop(0) if free else self._new_name(schema, names))
        declared = [name for name in properties if name in names]
        return declared + [name for name in names if name not in properties]

    def _likely(self, depth: int) -> bool:
        if self._without_optional and depth == 1:
            return False
        # Of the first attempts one makes every member and one none; later ones choose at random.
        if self._attempt <= 1:
            return self._attempt == 0
        return self._chance.random() < 0.5  # noqa: PLR2004 - even odds

    def _new_name(self, schema: JsonObject, taken: list[str]) -> str:
        patterns = list(as_object(schema.get("patternProperties")))
        form: JsonValue = schema.get("propertyNames", {"type": "string", "minLength": 1})
        for _ in range(_UNIQUE_ATTEMPTS):
            if patterns and schema.get("additionalProperties") is False:
                name = text({"pattern": self._chance.choice(patterns)}, self._chance)
            else:
                sample_value = self.make({"type": "string", **as_object(form)}, 0)
                name = sample_value if isinstance(sample_value, str) else ""
            if name not in taken:
                return name
        raise NoSampleError(str(taken))

    def _member(self, schema: JsonObject, properties: JsonObject, name: str) -> JsonValue:
        import re

        schemas: list[JsonValue] = [properties[name]] if name in properties else []
        for pattern, member in as_object(schema.get("patternProperties")).items():
            try:
                if re.search(pattern, name):
                    schemas.append(member)
            except re.error:
                continue
        if not schemas:
            return schema.get("additionalProperties", True)
        return schemas[0] if len(schemas) == 1 else {"allOf": schemas}

    def _array(self, schema: JsonObject, depth: int) -> list[JsonValue]:
        prefix = schema.get("prefixItems")
        leading = list(prefix) if isinstance(prefix, list) else []
        rest = schema.get("items", True)
        least = _count(schema.get("minItems"), 0)
        most = _count(schema.get("maxItems"), 1000)
        contained = schema.get("contains")
        needed = _count(schema.get("minContains"), 1) if contained is not None else 0
        size = self._size(least, most, depth, len(leading), closed=rest is False)
        items: list[JsonValue] = []
        for index in range(max(size, min(needed, most))):
            form = leading[index] if index < len(leading) else rest
            if contained is not None and index < needed:
                form = {"allOf": [form, contained]}
            self._append(items, form, depth, unique=schema.get("uniqueItems") is True, least=least)
        return items

    def _size(self, least: int, most: int, depth: int, leading: int, *, closed: bool) -> int:
        if closed:
            most = min(most, leading)
        wish = (
            least if self._is_ending(depth) or self._attempt == 1 else max(least, leading, _ITEMS)
        )
        return max(least, min(wish, most))

    def _append(
        self, items: list[JsonValue], form: JsonValue, depth: int, *, unique: bool, least: int
    ) -> None:
        for _ in range(_UNIQUE_ATTEMPTS):
            item = self.make(form, depth)
            if not unique or item not in items:
                items.append(item)
                return
            form = self._without_suggestions(form, items)
        if len(items) < least:
            raise NoSampleError(str(form))

    def _without_suggestions(self, form: JsonValue, items: list[JsonValue]) -> JsonValue:
        """Return a schema without examples that repeat an item, for arrays of unique items."""
        if not isinstance(form, dict):
            return form
        flat = self._flattened(form, 0)
        values = flat.get("enum")
        if isinstance(values, list):
            left = [item for item in values if item not in items]
            return {**flat, "enum": left} if left else flat
        plain = {key: item for key, item in flat.items() if key not in ("examples", "default")}
        return plain or {"type": "string"}


def _count(value: JsonValue, otherwise: int) -> int:
    return int(value) if isinstance(value, (int, float)) else otherwise


def minimal(schema: JsonValue, formats: Formats = "assert") -> JsonValue:
    """Return a small value that satisfies a schema, if possible with required members only.

    Raises NoSampleError if no value is found.
    """
    accepts = compiled(schema, formats=formats == "assert")
    makers = (
        _Maker(schema, Random(attempt), attempt, formats)  # noqa: S311 - not a secret
        for attempt in _MINIMAL_ATTEMPTS
    )
    return _first_accepted(makers, schema, accepts)
