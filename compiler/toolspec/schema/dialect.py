"""Which dialect a schema declares, and draft-07 told in the words of 2020-12."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.schema.keywords import ALLOW, ANNOTATIONS, APPLICATORS, NEWER, VALUES, Holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path


class Dialect(StrEnum):
    """The dialects that are read; the value is what `$schema` says, without scheme and fragment."""

    DRAFT_2020_12 = "json-schema.org/draft/2020-12/schema"
    DRAFT_07 = "json-schema.org/draft-07/schema"

    @property
    def uri(self) -> str:
        """The identifier by which the dialect is known to validators."""
        if self is Dialect.DRAFT_07:
            return f"http://{self.value}#"
        return f"https://{self.value}"


# Identifiers and anchors: references were resolved by them and are pointers now.
NAMING = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary"})

# What may stay beside a `$ref` in draft-07, which ignores its siblings: it changes no verdict.
BESIDE_REF = ANNOTATIONS | {"$ref"}

# What no reader of a self-contained schema has a use for.
_LEFT_OUT = NAMING | {ALLOW}

# Keywords that call for a conversion wherever they stand; the second lot only in draft-07.
_REWRITTEN = _LEFT_OUT | {"definitions"}
_REWRITTEN_07 = _REWRITTEN | NEWER | {"$ref", "additionalItems", "dependencies"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A schema in 2020-12, and where its parts stood before.

    `moved` holds, by new path, the old path of every part that changed its place.
    """

    value: JsonValue
    moved: Mapping[Path, Path] = field(default_factory=dict)

    def before(self, path: Path) -> Path:
        """Return where the author wrote what now stands at a path."""
        return _translated(path, self.moved)

    def after(self, path: Path) -> Path:
        """Return where what the author wrote at a path stands now."""
        return _translated(path, {old: new for new, old in self.moved.items()})


def read_dialect(declared: JsonValue) -> Dialect | None:
    """Return the dialect that a `$schema` names, with or without `#`; None for any other."""
    if not isinstance(declared, str):
        return None
    name = declared.removeprefix("https://").removeprefix("http://").removesuffix("#")
    return next((each for each in Dialect if each.value == name), None)


def may_differ(words: Iterable[str], dialect: Dialect) -> bool:
    """Whether a schema that uses some keywords may have to be converted."""
    return dialect is Dialect.DRAFT_07 or not _REWRITTEN.isdisjoint(words)


def convert(value: JsonValue, nodes: Iterable[Subschema], dialect: Dialect) -> Conversion:
    """Return a valid schema in 2020-12; the very same value where nothing differs.

    `nodes` are the schema's subschemas, `dialect` is what holds where none is declared. `$schema`,
    `$id`, anchors and suppressions go; `definitions` become `$defs`. Of draft-07 (its specification, sections 8
    and 9): a list under `items` becomes `prefixItems`, `additionalItems` its `items`,
    `dependencies` are parted, siblings of `$ref` and newer keywords go because it ignores them.
    """
    concerned = [path for path, node in nodes if _concerns(node, dialect)]
    if not concerned:
        return Conversion(value)
    if concerned == [()] and isinstance(value, dict) and _is_only_named(value, dialect):
        return Conversion({key: inside for key, inside in value.items() if key not in _LEFT_OUT})
    converter = _Converter()
    converted = converter.schema(value, (), (), dialect)
    return Conversion(converted, converter.moved)


def _concerns(node: JsonObject | bool, dialect: Dialect) -> bool:
    """Whether a schema may differ once it is converted."""
    if isinstance(node, bool):
        return False
    if dialect is Dialect.DRAFT_07:
        return not _REWRITTEN_07.isdisjoint(node) or isinstance(node.get("items"), list)
    return not _REWRITTEN.isdisjoint(node)


def _is_only_named(schema: JsonObject, dialect: Dialect) -> bool:
    """Whether a schema differs only in what it is called, and in what it allows."""
    rest = {key: value for key, value in schema.items() if key not in _LEFT_OUT}
    return not _concerns(rest, dialect)


class _Converter:
    """One conversion under way; it keeps account of what moved."""

    def __init__(self) -> None:
        self.moved: dict[Path, Path] = {}

    def schema(self, value: JsonValue, old: Path, new: Path, dialect: Dialect) -> JsonValue:
        if old != new:
            self.moved[new] = old
        if not isinstance(value, dict):
            return value
        dialect = read_dialect(value.get("$schema")) or dialect
        result: JsonObject = {}
        for keyword, inside in value.items():
            if keyword in _LEFT_OUT or (dialect is Dialect.DRAFT_07 and _ignored(keyword, value)):
                continue
            if keyword == "dependencies" and dialect is Dialect.DRAFT_07:
                self._part_dependencies(inside, result, old, new)
                continue
            target = _renamed(keyword, value, dialect)
            result[target] = self._keyword(keyword, target, inside, (old, new, dialect))
        return result

    def _keyword(
        self, keyword: str, target: str, value: JsonValue, at: tuple[Path, Path, Dialect]
    ) -> JsonValue:
        old, new, dialect = (*at[0], keyword), (*at[1], target), at[2]
        if keyword != target:
            self.moved[new] = old
        holds = APPLICATORS.get(keyword)
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

    def _part_dependencies(
        self, value: JsonValue, result: JsonObject, old: Path, new: Path
    ) -> None:
        if not isinstance(value, dict):
            return
        required: JsonObject = {}
        schemas: JsonObject = {}
        for name, child in value.items():
            source = (*old, "dependencies", name)
            if isinstance(child, list):
                self.moved[*new, "dependentRequired", name] = source
                required[name] = child
            else:
                target = (*new, "dependentSchemas", name)
                schemas[name] = self.schema(child, source, target, Dialect.DRAFT_07)
        result |= {"dependentRequired": required} if required else {}
        result |= {"dependentSchemas": schemas} if schemas else {}


def _ignored(keyword: str, schema: JsonObject) -> bool:
    """Whether draft-07 ignores a keyword where it stands."""
    if keyword in NEWER:
        return True
    if "$ref" in schema and keyword in VALUES and keyword not in BESIDE_REF:
        return True
    return keyword == "additionalItems" and not isinstance(schema.get("items"), list)


def _renamed(keyword: str, schema: JsonObject, dialect: Dialect) -> str:
    if keyword == "definitions" and "$defs" not in schema:
        return "$defs"
    if dialect is Dialect.DRAFT_07:
        if keyword == "items" and isinstance(schema["items"], list):
            return "prefixItems"
        if keyword == "additionalItems":
            return "items"
    return keyword


def _translated(path: Path, moved: Mapping[Path, Path]) -> Path:
    """Return a path with its longest known beginning replaced."""
    for length in range(len(path), 0, -1) if moved else ():
        known = moved.get(path[:length])
        if known is not None:
            return (*known, *path[length:])
    return path
