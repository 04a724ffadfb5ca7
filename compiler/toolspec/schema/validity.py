"""Validates schemas by their metaschema, and explains each error."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from toolspec.diagnostics import did_you_mean
from toolspec.schema import kinds
from toolspec.schema.diagnostics import diagnostic_at, shown
from toolspec.schema.dialect import Dialect
from toolspec.schema.scope import outline
from toolspec.schema.walk import emptied, split
from toolspec.shared.keywords import ALLOW, OLDER_VALUES, TYPES, VALUES, Holds
from toolspec.shared.validator import invalid_parts, is_schema
from toolspec.syntax.limits import MAX_DIAGNOSTICS, too_many
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.scope import Outline
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path

# Names of types in other type systems.
_TYPE_WORDS = {
    "any": "omit `type` to accept any value",
    "bool": "write `boolean`",
    "bytes": "write `type: string` with `contentEncoding: base64`",
    "date": "write `type: string` with `format: date`",
    "datetime": "write `type: string` with `format: date-time`",
    "date-time": "write `type: string` with `format: date-time`",
    "decimal": "write `number`",
    "dict": "write `object`",
    "double": "write `number`",
    "enum": "omit `type`: `enum` is enough",
    "file": "write `type: string` with `contentEncoding: base64`",
    "float": "write `number`",
    "int": "write `integer`",
    "json": "omit `type` to accept any value",
    "list": "write `array`",
    "long": "write `integer`",
    "map": "write `object`",
    "none": "write `'null'`, in quotes",
    "set": "write `type: array` with `uniqueItems: true`",
    "str": "write `string`",
    "text": "write `string`",
    "tuple": "write `type: array` with `prefixItems`",
    "uri": "write `type: string` with `format: uri`",
    "url": "write `type: string` with `format: uri`",
    "uuid": "write `type: string` with `format: uuid`",
}


class ErrorLimit:
    """Limits the errors of a service's schemas against their metaschemas, in order of reading.

    `left_out` counts the invalid schemas after the limit, which have no diagnostic.
    """

    def __init__(self) -> None:
        self._left = MAX_DIAGNOSTICS
        self.left_out = 0

    def limited(self, diagnostics: Iterator[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield the diagnostics within the limit; the first one beyond it reports the omission."""
        if self._left < 0:
            self.left_out += 1
            return
        for diagnostic in diagnostics:
            self._left -= 1
            if self._left < 0:
                yield too_many(diagnostic)
                return
            yield diagnostic


def check(
    value: JsonValue, schema_outline: Outline, location: Location, limit: ErrorLimit
) -> Iterator[Diagnostic]:
    """Yield the errors of a schema by the metaschema of its dialect, one for each cause.

    A subschema of another dialect is validated by the metaschema of that dialect. Errors are
    explained only for an invalid schema.
    """
    if not isinstance(value, (dict, bool)):
        yield _not_a_schema(value, (), location, Dialect.DRAFT_2020_12)
        return
    start, dialect = len(schema_outline.nodes[0][0]), schema_outline.dialects[0]
    if len(schema_outline.used_dialects) > 1:
        paths = _schemas_of_other_dialects(schema_outline)
        for path in paths:
            subschema_outline = outline(value_at(value, path[start:]), dialect, path)
            yield from check(
                value_at(value, path[start:]), subschema_outline, location.at(*path[start:]), limit
            )
            value = emptied(value, [path[start:]])
    assert isinstance(value, (dict, bool)), "subschemas of other dialects are emptied"
    if isinstance(value, bool) and dialect is Dialect.DRAFT_04:
        yield _not_a_schema(value, (), location, dialect)
    elif not is_schema(value, dialect.uri):
        yield from limit.limited(_errors(value, dialect, location))


def _schemas_of_other_dialects(outline: Outline) -> list[Path]:
    """Return the outermost schemas of another dialect than the first."""
    paths: list[Path] = []
    for (path, _), dialect in zip(outline.nodes, outline.dialects, strict=True):
        is_inside = any(path[: len(outer)] == outer for outer in paths)
        if dialect is not outline.dialects[0] and not is_inside:
            paths.append(path)
    return paths


def _errors(value: JsonObject | bool, dialect: Dialect, location: Location) -> Iterator[Diagnostic]:
    """Yield the errors of a schema that the metaschema rejects."""
    # For a whole schema the engine lists every error at once, and there can be millions.
    is_explained = False
    for path, node in outline(value, dialect).nodes:
        if isinstance(node, dict):
            for local in _refused(_without_subschemas(node, dialect), dialect):
                is_explained = True
                yield from _causes((*path, *local), location, dialect)
    if not is_explained:
        for path in _refused(value, dialect):
            yield from _causes(path, location, dialect)


def _refused(schema: JsonObject | bool, dialect: Dialect) -> list[Path]:
    """Return the paths that the metaschema rejects."""
    return sorted(invalid_parts(schema, dialect.uri), key=lambda path: [str(step) for step in path])


def _without_subschemas(node: JsonObject, dialect: Dialect) -> JsonObject:
    """Return a schema without valid subschemas and with only the first invalid ones."""
    reduced: JsonObject = {}
    for keyword, value in node.items():
        holds = dialect.applicators.get(keyword)
        if holds is Holds.MAP and isinstance(value, dict):
            invalid_members = ((name, item) for name, item in value.items() if not _is_schema(item))
            reduced[keyword] = dict(islice(invalid_members, MAX_DIAGNOSTICS))
        elif holds is not None and isinstance(value, list):
            invalid_indexes = (index for index, item in enumerate(value) if not _is_schema(item))
            end = next(islice(invalid_indexes, MAX_DIAGNOSTICS, None), len(value))
            reduced[keyword] = [{} if _is_schema(item) else item for item in value[:end]]
        else:
            reduced[keyword] = {} if holds is not None and _is_schema(value) else value
    return reduced


def _is_schema(value: JsonValue) -> bool:
    return isinstance(value, (dict, bool))


def _causes(path: Path, root: Location, dialect: Dialect) -> Iterator[Diagnostic]:
    schema, rest = split(path)
    location = root.at(*path)
    value = location.value_or_none
    if not rest and dialect is Dialect.DRAFT_04 and isinstance(value, dict):
        yield from _flags_without_bound(location, value)
        return
    if not rest or (len(rest) > 1 and rest[0] in {"prefixItems", "allOf", "anyOf", "oneOf"}):
        yield _not_a_schema(value, path, location, dialect)
        return
    keyword, schema_location = str(rest[0]), root.at(*schema)
    match keyword, value:
        case "type", _:
            yield from _wrong_type(schema_location / "type", schema_location)
        case "required", bool():
            yield _misplaced_required(schema, location)
        case _:
            yield _wrong_value(keyword, value, location, dialect)


def _flags_without_bound(location: Location, node: JsonObject) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each exclusive flag of draft-04 without its bound."""
    for keyword, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(node.get(keyword), bool) and bound not in node:
            yield diagnostic_at(
                kinds.WRONG_KEYWORD_VALUE,
                location / keyword,
                keyword=keyword,
                wanted=f"beside `{bound}`",
                found="alone",
                suggestion=f"write the bound as `{bound}`, or delete the keyword",
            )


def _wrong_type(location: Location, schema: Location) -> Iterator[Diagnostic]:
    value = location.value_or_none
    names = value if isinstance(value, list) else [value]
    unknown = [(index, name) for index, name in enumerate(names) if name not in TYPES]
    for index, name in unknown:
        name_location = location / index if isinstance(value, list) else location
        if isinstance(name, str):
            suggestion = _TYPE_WORDS.get(name.casefold()) or did_you_mean(name, TYPES)
            yield diagnostic_at(kinds.UNKNOWN_TYPE, name_location, type=name, suggestion=suggestion)
        else:
            yield _wrong_value("type", name, name_location)
    if not unknown:
        yield _wrong_value("type", value, schema / "type")


def _misplaced_required(schema: Path, location: Location) -> Diagnostic:
    suggestion = "list the names of required properties in the object: `required: [name]`"
    if len(schema) > 1 and schema[-2] == "properties":
        suggestion = f"delete it, and write `required: [{schema[-1]}]` beside the `properties`"
        if location.value_or_none is False:
            suggestion = "delete it: a property that the object does not list is optional"
    return diagnostic_at(kinds.MISPLACED_REQUIRED, location, suggestion=suggestion)


def _wrong_value(
    keyword: str, value: JsonValue, location: Location, dialect: Dialect = Dialect.DRAFT_2020_12
) -> Diagnostic:
    expected = VALUES.get(keyword) or OLDER_VALUES.get(keyword, "another value")
    if dialect is Dialect.DRAFT_04 and keyword in {"exclusiveMinimum", "exclusiveMaximum"}:
        expected = "true or false in draft-04"
    return diagnostic_at(
        kinds.WRONG_KEYWORD_VALUE,
        location,
        keyword=keyword,
        wanted=expected,
        found=_described(value),
        suggestion=_value_hint(keyword, value),
    )


def _value_hint(keyword: str, value: JsonValue) -> str:
    suggestion = "correct the value, or delete the keyword"
    match keyword, value:
        case "type", dict() if not value.keys().isdisjoint({"type", "description", "enum"}):
            suggestion = "a property named `type` belongs below `properties`"
        case (("exclusiveMinimum" | "exclusiveMaximum"), bool()):
            bound = "minimum" if keyword == "exclusiveMinimum" else "maximum"
            suggestion = f"write the bound here, and delete `{bound}`"
        case (("enum" | "examples" | "required"), str() | int() | float()):
            suggestion = f"write `{keyword}: [{value}]`"
        case (("properties" | "patternProperties" | "$defs"), list()):
            suggestion = "write each schema under its name: `name: {type: string}`"
        case (("allOf" | "anyOf" | "oneOf" | "prefixItems"), dict()):
            suggestion = "write a list, even of one schema"
        case _, str(text) if _is_number(text):
            suggestion = "write the number without quotes"
        case (("required" | "type" | "dependentRequired"), list(names)) if _has_duplicates(names):
            suggestion = "delete the duplicate"
    return suggestion


def _not_a_schema(value: JsonValue, path: Path, location: Location, dialect: Dialect) -> Diagnostic:
    match value:
        case _ if path and path[-1] == ALLOW:
            suggestion = f"move `{ALLOW}` into a schema: here each key is a name of one"
        case bool() if dialect is Dialect.DRAFT_04:
            suggestion = "write `{}`, or `{not: {}}`: draft-04 has no schemas that are booleans"
        case str(word) if word in TYPES:
            suggestion = f"write `{{type: {word}}}`"
        case str(word) if word.casefold() in _TYPE_WORDS:
            suggestion = _TYPE_WORDS[word.casefold()]
        case list() if path and path[-1] == "items":
            suggestion = "write the schemas of a tuple under `prefixItems`"
        case [{**_first}, *_]:
            suggestion = "write one schema; for a choice between several use `anyOf`"
        case None:
            suggestion = "write a schema; `true` allows anything"
        case _:
            suggestion = "write an object of keywords, such as `{type: string}`"
    return diagnostic_at(
        kinds.NOT_A_SCHEMA, location, found=_described(value), suggestion=suggestion
    )


def _described(value: JsonValue) -> str:
    match value:
        case dict():
            return "an object"
        case []:
            return "an empty list"
        case list(names) if _has_duplicates(names):
            return "a list with a duplicate item"
        case list():
            return "a list"
    return shown(value)


def _has_duplicates(values: list[JsonValue]) -> bool:
    texts = [shown(value) for value in values]
    return len(set(texts)) < len(texts)


def _is_number(text: str) -> bool:
    return text.strip().lstrip("-").replace(".", "", 1).isdigit()
