"""Null in strict schemas: the way in which they say that a property is optional."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.shared.records import dataclass
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path


class StrictNulls(StrEnum):
    """Meaning of a required property that accepts null, in a schema that requires all properties.

    OPTIONAL: it may be missing, and is never null. REQUIRED: as written. NULLABLE: it may be
    missing, and may be null.
    """

    OPTIONAL = "optional"
    REQUIRED = "required"
    NULLABLE = "nullable"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A schema, and the paths of the properties to which a meaning was given."""

    schema: JsonValue
    paths: tuple[Path, ...]


def without_strict_nulls(schema: JsonValue, meaning: StrictNulls) -> Rewritten:
    """Return a strict schema in which required properties that accept null have their meaning."""
    definitions = schema.get("$defs") if isinstance(schema, dict) else None
    rewriter = _Rewriter(meaning, definitions if isinstance(definitions, dict) else {})
    return Rewritten(rewriter.rewrite(schema, ()), tuple(rewriter.paths))


class _Rewriter:
    def __init__(self, meaning: StrictNulls, definitions: JsonObject) -> None:
        self.paths: list[Path] = []
        self._meaning = meaning
        self._definitions = definitions

    def rewrite(self, node: JsonValue, path: Path) -> JsonValue:
        """Return a schema and its subschemas rewritten."""
        if not isinstance(node, dict):
            return node
        rewritten: JsonObject = {}
        for word, value in node.items():
            holds, at = APPLICATORS.get(word), (*path, word)
            if holds is Holds.MAP and isinstance(value, dict):
                rewritten[word] = {
                    name: self.rewrite(item, (*at, name)) for name, item in value.items()
                }
            elif holds is not None and isinstance(value, list):
                rewritten[word] = [
                    self.rewrite(item, (*at, index)) for index, item in enumerate(value)
                ]
            else:
                rewritten[word] = value if holds is None else self.rewrite(value, at)
        return self._with_optional(rewritten, path)

    def _with_optional(self, node: JsonObject, path: Path) -> JsonObject:
        properties, required = node.get("properties"), node.get("required")
        if not isinstance(properties, dict) or not isinstance(required, list):
            return node
        optional = [
            name for name in properties if name in required and self._is_null(properties[name])
        ]
        self.paths += [(*path, "properties", name) for name in optional]
        if not optional or self._meaning is StrictNulls.REQUIRED:
            return node
        if self._meaning is StrictNulls.OPTIONAL:
            properties = {
                name: _without_null(member) if name in optional else member
                for name, member in properties.items()
            }
        rest: JsonObject = {**node, "properties": properties}
        rest["required"] = [name for name in required if name not in optional]
        if not rest["required"]:
            del rest["required"]
        return rest

    def _is_null(self, node: JsonValue) -> bool:
        """Return whether a schema lists null among several types or options."""
        followed = 0
        while isinstance(node, dict) and isinstance(node.get("$ref"), str):
            *_, name = parse_pointer(str(node["$ref"]).removeprefix("#")) or ("",)
            node, followed = self._definitions.get(str(name)), followed + 1
            if followed > len(self._definitions):
                return False
        if not isinstance(node, dict):
            return False
        types, options = node.get("type"), node.get("anyOf")
        return (isinstance(types, list) and "null" in types and len(types) > 1) or (
            isinstance(options, list) and any(map(_is_null_type, options)) and len(options) > 1
        )


def _is_null_type(option: JsonValue) -> bool:
    return isinstance(option, dict) and option.get("type") == "null"


def _without_null(node: JsonValue) -> JsonValue:
    """Return a schema without null as a type or an option; one behind a reference is unchanged."""
    if not isinstance(node, dict):
        return node
    types, options, values = node.get("type"), node.get("anyOf"), node.get("enum")
    if isinstance(types, list) and "null" in types:
        rest = [name for name in types if name != "null"]
        node = {**node, "type": rest[0] if len(rest) == 1 else rest}
        if isinstance(values, list):
            node["enum"] = [value for value in values if value is not None]
    elif isinstance(options, list) and any(map(_is_null_type, options)):
        left = [option for option in options if not _is_null_type(option)]
        outer = {word: value for word, value in node.items() if word != "anyOf"}
        only = left[0] if len(left) == 1 else None
        if isinstance(only, dict) and not only.keys() & outer.keys():
            return {**only, **outer}
        node = {**outer, "anyOf": left}
    return node
