"""Search for a value that one schema accepts and another rejects."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from toolspec.shared.json_values import as_list, identity
from toolspec.shared.samples import NoSampleError, minimal
from toolspec.shared.samples.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue

_PLAIN: tuple[JsonValue, ...] = (
    None, True, False, 0, 1, -1, 0.5, 1e30, "", "a", "A", "0", " ", "not a value", "é" * 300, [], {},
)  # fmt: skip
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_LENGTHS = ("minLength", "maxLength")
_SIZES = ("minItems", "maxItems", "minContains", "maxContains")
_COUNTS = ("minProperties", "maxProperties")
_LONGEST = 5_000
_MOST = 600
_DEEPEST = 4
_KEPT = 12


def find_witnesses(
    sender: JsonValue, receiver: JsonValue, accepts: Accepts, receives: Accepts
) -> list[str]:
    """Return values that the sender accepts and the receiver does not, the smallest first.

    Each is JSON text, of different types as far as there are some. `accepts` and `receives` validate
    the schemas.
    """
    found: dict[str, str] = {}
    for count, value in enumerate(candidates(sender, receiver, 0)):
        if count > _MOST:
            break
        if accepts(value) and not receives(value):
            found[json.dumps(value, ensure_ascii=False)] = type(value).__name__
    ordered = sorted(found, key=lambda text: (len(text), text))
    firsts = {found[text]: text for text in reversed(ordered)}
    return list(dict.fromkeys((*ordered[:1], *firsts.values(), *ordered[1:_KEPT])))


def candidates(sender: JsonValue, receiver: JsonValue, depth: int) -> Iterator[JsonValue]:
    """Yield values near the differences of two schemas, simple ones first."""
    one = sender if isinstance(sender, dict) else {}
    other = receiver if isinstance(receiver, dict) else {}
    values = [as_list(schema.get("enum")) for schema in (one, other)]
    if len(values[0]) + len(values[1]) > _MOST:
        yield from _in_one(values)
    for schema, listed in zip((one, other), values, strict=True):
        yield from listed
        yield from as_list(schema.get("examples"))
        yield from (schema[key] for key in ("const", "default") if key in schema)
    yield from _PLAIN
    yield from _numbers((one, other))
    yield from _texts((one, other))
    if depth < _DEEPEST:
        yield from _arrays(one, other, depth)
        yield from _objects(one, other, depth)
        for keyword in ("anyOf", "oneOf", "allOf"):
            for branch in (*as_list(one.get(keyword)), *as_list(other.get(keyword))):
                yield from candidates(branch, receiver, depth + 1)
        if "not" in one or "not" in other:
            yield from candidates(one.get("not", True), other.get("not", True), depth + 1)
    yield from _minimal(sender)


def _in_one(values: list[list[JsonValue]]) -> Iterator[JsonValue]:
    """Yield the values that only one of two lists has."""
    known = [set(map(identity, listed)) for listed in values]
    for listed, others in zip(values, reversed(known), strict=True):
        yield from (value for value in listed if identity(value) not in others)


def _numbers(schemas: Iterable[JsonObject]) -> Iterator[JsonValue]:
    bounds = [
        bound
        for schema in schemas
        for keyword in _NUMBERS
        if isinstance(bound := schema.get(keyword), (int, float)) and not isinstance(bound, bool)
    ]
    for bound in bounds:
        yield from (bound, bound + 1, bound - 1, bound + 0.5, bound - 0.5, bound * 2, -bound)
        yield from (bound * other for other in bounds)


def _texts(schemas: Iterable[JsonObject]) -> Iterator[JsonValue]:
    chance = Random(1)  # noqa: S311 - no secret
    for schema in schemas:
        forms: JsonObject = {
            key: schema[key] for key in ("pattern", "format", "contentEncoding") if key in schema
        }
        for length in _near(_LENGTHS, (schema,)):
            yield "a" * length
            yield "0" * length
        if forms:
            for _ in range(6):
                try:
                    made = text(forms, chance)
                except (NoSampleError, ValueError, OverflowError, RecursionError):
                    break
                yield from (
                    made,
                    made.upper(),
                    made + "\n",
                    made + "0",
                    made + "a",
                    " " + made,
                    made[:1],
                )


def _arrays(one: JsonObject, other: JsonObject, depth: int) -> Iterator[JsonValue]:
    if not {"items", "prefixItems", *_SIZES, "uniqueItems", "contains"} & (
        one.keys() | other.keys()
    ):
        return
    items = one.get("items", True)
    (first, *_) = [*_minimal(items), 0]
    contained = [*_minimal(one.get("contains", items)), *_minimal(other.get("contains", items))]
    for size in sorted({0, 1, 2, *_near(_SIZES, (one, other))}):
        yield [first] * size
        yield [*range(size)]
        yield [f"{first}{index}" for index in range(size)]
        for counted in contained:
            yield [counted] * size
    for item in candidates(items, other.get("items", True), depth + 1):
        yield [item]
    prefixes = [as_list(schema.get("prefixItems")) for schema in (one, other)]
    leading: list[JsonValue] = [next(_minimal(item), None) for item in prefixes[0]]
    for length in range(len(leading) + 2):
        yield [*leading, first][:length]
    for index, item in enumerate(prefixes[1]):
        for value in candidates(
            prefixes[0][index] if index < len(leading) else items, item, depth + 1
        ):
            yield [*leading[:index], value, *leading[index + 1 :]]


def _objects(one: JsonObject, other: JsonObject, depth: int) -> Iterator[JsonValue]:
    mine, theirs = _mapping(one, "properties"), _mapping(other, "properties")
    base = next((value for value in _minimal(one) if isinstance(value, dict)), {})
    yield base
    for name in base:
        yield {key: item for key, item in base.items() if key != name}
    for name in (*mine, *(name for name in theirs if name not in mine)):
        member = mine.get(name, one.get("additionalProperties", True))
        for count, value in enumerate(candidates(member, theirs.get(name, True), depth + 1)):
            yield {**base, name: value}
            if count > _MOST // 4:
                break
    yield from _patterned(one, other, base)
    full = dict(base)
    for name, member in mine.items():
        full.update((name, value) for value in _minimal(member))
    yield full
    for name in full:
        yield {key: item for key, item in full.items() if key != name}
    if "additionalProperties" in one or "propertyNames" in other or "patternProperties" in other:
        extra = next(_minimal(one.get("additionalProperties", True)), None)
        yield from ({**base, name: extra} for name in ("other", "a b", "X", "x-", "0"))
    for size in range(4):
        yield {**base, **{f"k{index}": None for index in range(size)}}
    extra = next(_minimal(one.get("additionalProperties", True)), None)
    for size in _near(_COUNTS, (one, other)):
        yield {**base, **{f"k{index}": extra for index in range(size - len(base))}}
        yield dict([*full.items()][:size])


def _patterned(one: JsonObject, other: JsonObject, base: JsonObject) -> Iterator[JsonValue]:
    """Yield objects with one more member, whose name matches a pattern."""
    patterns = {**_mapping(one, "patternProperties"), **_mapping(other, "patternProperties")}
    for form, member in patterns.items():
        for key in _texts(({"pattern": form},)):
            for value in (*_PLAIN, *_minimal(member)):
                yield {**base, str(key): value}


def _near(keywords: tuple[str, ...], schemas: Iterable[JsonObject]) -> set[int]:
    """Return the sizes that some keywords state, and those beside them."""
    return {
        near
        for schema in schemas
        for keyword in keywords
        if isinstance(size := schema.get(keyword), (int, float)) and size < _LONGEST
        for near in (int(size) - 1, int(size), int(size) + 1)
        if near >= 0
    }


def _minimal(schema: JsonValue) -> Iterator[JsonValue]:
    try:
        yield minimal(schema)
    except (NoSampleError, RecursionError, ValueError, OverflowError):
        return


def _mapping(schema: JsonObject, keyword: str) -> JsonObject:
    held = schema.get(keyword)
    return held if isinstance(held, dict) else {}
