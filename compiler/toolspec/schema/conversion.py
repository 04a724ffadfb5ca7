"""Converts schemas of any dialect to 2020-12, and maps their paths."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.schema.bundle import numbered
from toolspec.schema.dialect import ANY_DIALECT, Dialect, dialect_of
from toolspec.shared.keywords import ALLOW, ANNOTATIONS, Holds
from toolspec.shared.records import dataclass, field
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.schema.scope import Outline
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# Identifiers and anchors: references are resolved and are pointers now.
_NAMING = frozenset(
    {"$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"}
)
_OMITTED = _NAMING | {ALLOW}

# In old dialects only keywords that validate nothing are kept beside a `$ref`.
_BESIDE_REF = (ANNOTATIONS | {"$ref"}) - {
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
}

# Annotations with the same meaning in dialects that do not define them, for a value of this type.
SAME_ANYWHERE: dict[str, type] = {
    "$comment": str,
    "deprecated": bool,
    "readOnly": bool,
    "writeOnly": bool,
}

_REFERENCES = ("$recursiveRef", "$dynamicRef")

# Keywords that need conversion even in a schema of 2020-12.
_REWRITTEN = (
    _OMITTED
    | {"definitions", "dependencies", "$dynamicRef"}
    | (ANY_DIALECT - Dialect.DRAFT_2020_12.keywords)
)

_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_CONTAINS = ("contains", "minContains", "maxContains")


@dataclass(frozen=True)
class Conversion:
    """A schema in 2020-12; `moved` maps the new path of each moved value to the old one."""

    value: JsonValue
    moved: Mapping[Path, Path] = field(default_factory=dict)

    def original_path(self, path: Path) -> Path:
        """Return the original path of a converted path."""
        return _translated(path, self.moved)

    def converted_path(self, path: Path) -> Path:
        """Return the converted path of an original path."""
        return _translated(path, self._back)

    @cached_property
    def _back(self) -> dict[Path, Path]:
        return {old: new for new, old in self.moved.items()}


def convert(
    value: JsonValue,
    outline: Outline,
    dialect: Dialect,
    lifted: Mapping[Path, Dialect] | None = None,
) -> Conversion:
    """Return a valid schema in 2020-12; the same object if nothing differs.

    `dialect` is the default. `lifted` has the paths and dialects of referenced schemas at positions
    where no subschema belongs: they become definitions, and the unknown keyword that contained them
    is removed. A keyword that the dialect of a schema does not define is an annotation, whatever
    its value, so it is removed too, unless it means the same in 2020-12.
    """
    if not lifted and outline.used_dialects <= {Dialect.DRAFT_2020_12}:
        rewritten = _REWRITTEN & outline.uses.keys()
        if not rewritten:
            return Conversion(value)
        # The common case: only `$schema` at the root.
        if rewritten <= _OMITTED and all(list(outline.uses[word]) == [0] for word in rewritten):
            assert isinstance(value, dict), "it uses a keyword"
            return Conversion({key: value[key] for key in value if key not in _OMITTED})
    converter = _Converter(lifted or {}, hides_contains="unevaluatedItems" in outline.uses)
    converted = converter.schema(value, (), (), dialect)
    if lifted and isinstance(converted, dict):
        converted = converter.with_lifted(value, converted)
    if not converter.moved and converted == value:
        return Conversion(value)
    return Conversion(converted, converter.moved)


def is_ignored(keyword: str, value: JsonValue, dialect: Dialect) -> bool:
    """Return whether another dialect ignores a keyword whose meaning its author may expect.

    References find `$defs` in any dialect.
    """
    return (
        keyword not in dialect.keywords
        and keyword != "$defs"
        and not isinstance(value, SAME_ANYWHERE.get(keyword, ()))
    )


class _Converter:
    """State of one conversion, with the moved paths."""

    def __init__(self, lifted: Mapping[Path, Dialect], *, hides_contains: bool) -> None:
        self._lifted = lifted
        # An unknown keyword around a lifted schema is a container and not an annotation.
        self._holders = {path[:length] for path in lifted for length in range(1, len(path) + 1)}
        self._hides_contains = hides_contains
        self.moved: dict[Path, Path] = {}

    def with_lifted(self, value: JsonValue, converted: JsonObject) -> JsonObject:
        """Return the schema with the lifted schemas in its `$defs`."""
        defs = converted.get("$defs")
        definitions: JsonObject = dict(defs) if isinstance(defs, dict) else {}
        for path, dialect in self._lifted.items():
            name = numbered(str(path[-1]), definitions)
            lifted = value_at(value, path)
            definitions[name] = self.schema(lifted, path, ("$defs", name), dialect)
        return {**converted, "$defs": definitions}

    def schema(self, value: JsonValue, old: Path, new: Path, dialect: Dialect) -> JsonValue:
        """Return the converted schema of an old path for its new path."""
        if old != new:
            self.moved[new] = old
        if not isinstance(value, dict):
            return value
        dialect = dialect_of(value, dialect)
        result: JsonObject = {}
        hidden: JsonObject = {}
        all_of = value.get("allOf")
        hidden_path = (*new, "allOf", len(all_of) if isinstance(all_of, list) else 0)
        for keyword, member in value.items():
            if keyword == "dependencies" or not self._is_kept(keyword, value, old, dialect):
                continue
            holder, member_path = result, (*new, _renamed(keyword, value, dialect))
            if self._hides_contains and dialect is Dialect.DRAFT_2019_09 and keyword in _CONTAINS:
                holder, member_path = hidden, (*hidden_path, "not", "not", keyword)
            source = _BOUNDS[keyword] if keyword in _BOUNDS and member is True else keyword
            holder[str(member_path[-1])] = self._keyword(
                keyword, value[source], (*old, source), member_path, dialect
            )
        extra: list[JsonValue] = []
        if hidden:
            # In 2019-09 `contains` evaluates no items for `unevaluatedItems`; nor does a schema
            # below `not`.
            extra.append({"not": {"not": hidden}})
        if self._is_kept("dependencies", value, old, dialect):
            extra += self._dependencies(value, result, (old, new, dialect), len(extra))
        if extra:
            existing = result.get("allOf")
            result["allOf"] = [*(existing if isinstance(existing, list) else ()), *extra]
        return result

    def _is_kept(self, keyword: str, node: JsonObject, old: Path, dialect: Dialect) -> bool:
        """Return whether a keyword of a schema exists in 2020-12, under any name."""
        is_id = keyword == "id" and dialect is Dialect.DRAFT_04
        if keyword not in node or keyword in _OMITTED or is_id:
            return False
        if keyword not in ANY_DIALECT:
            return (*old, keyword) not in self._holders
        if keyword not in dialect.keywords:
            return isinstance(node[keyword], SAME_ANYWHERE.get(keyword, ()))
        if dialect.has_reference(node):
            return keyword in _BESIDE_REF
        if keyword in _BOUNDS:
            return node[keyword] is not False
        # In draft-04 a flag beside a bound makes it exclusive.
        flag = f"exclusive{keyword.capitalize()}"
        return dialect.applies(keyword, node) and not (flag in _BOUNDS and node.get(flag) is True)

    def _keyword(
        self, keyword: str, value: JsonValue, old: Path, new: Path, dialect: Dialect
    ) -> JsonValue:
        if old != new:
            self.moved[new] = old
        holds = dialect.applicators.get(keyword)
        if isinstance(value, list) and holds in (Holds.LIST, Holds.ONE):
            return [
                self.schema(child, (*old, index), (*new, index), dialect)
                for index, child in enumerate(value)
            ]
        if isinstance(value, dict) and holds is Holds.MAP:
            return {
                name: self.schema(child, (*old, name), (*new, name), dialect)
                for name, child in value.items()
            }
        if holds is Holds.ONE:
            return self.schema(value, old, new, dialect)
        return value

    def _dependencies(
        self,
        node: JsonObject,
        result: JsonObject,
        context: tuple[Path, Path, Dialect],
        extra_count: int,
    ) -> list[JsonValue]:
        """Add `dependencies` as keywords of 2020-12; return the schemas that belong in `allOf`.

        One belongs there for each of these keywords that the schema has already.
        """
        old, new, dialect = context
        value = node["dependencies"]
        all_of = node.get("allOf")
        index = extra_count + (len(all_of) if isinstance(all_of, list) else 0)
        parts: dict[str, JsonObject] = {"dependentRequired": {}, "dependentSchemas": {}}
        extra: list[JsonValue] = []
        for keyword, dependencies in parts.items():
            is_present = keyword in result
            holder = (*new, "allOf", index, keyword) if is_present else (*new, keyword)
            for name, child in value.items() if isinstance(value, dict) else ():
                source = (*old, "dependencies", name)
                if isinstance(child, list) != (keyword == "dependentRequired"):
                    continue
                self.moved[*holder, name] = source
                dependencies[name] = self.schema(child, source, (*holder, name), dialect)
            if dependencies and is_present:
                extra.append({keyword: dependencies})
                index += 1
            elif dependencies:
                result[keyword] = dependencies
        return extra


def _renamed(keyword: str, schema: JsonObject, dialect: Dialect) -> str:
    """Return the equivalent keyword of 2020-12."""
    if keyword == "definitions":
        is_free = "$defs" not in schema or "$defs" not in dialect.keywords
        return "$defs" if is_free else keyword
    if keyword in _REFERENCES:
        return "$ref"
    if dialect is not Dialect.DRAFT_2020_12:
        if keyword == "items" and isinstance(schema["items"], list):
            return "prefixItems"
        if keyword == "additionalItems":
            return "items"
    return keyword


def _translated(path: Path, moved: Mapping[Path, Path]) -> Path:
    """Return a path with its longest moved prefix replaced."""
    for length in range(len(path), 0, -1) if moved else ():
        target = moved.get(path[:length])
        if target is not None:
            return (*target, *path[length:])
    return path
