"""Features of JSON Schema that provider profiles distinguish: the rows of the keyword tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from toolspec.providers.node import WRITTEN_AS_BOOLEAN, Node, below, every
from toolspec.shared.keywords import ANNOTATIONS, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Feature: TypeAlias = "tuple[str, Node, str]"
"""The use of a feature: its name, the subschema, the keyword."""

FEATURES = {
    "type": "type (single), properties, required",
    "properties_empty": "properties: {}",
    "type_nullable": "type: [T, null]",
    "type_union": "type: [T1, T2]",
    "enum_str": "enum (strings)",
    "enum_other": "enum (numbers, null, mixed)",
    "const": "const",
    "default": "default",
    "title": "title",
    "description": "description",
    "examples": "examples",
    "annotations": "deprecated, readOnly, writeOnly, $comment",
    "dialect": "$schema, $id, $anchor",
    "ref": "$ref to #/$defs",
    "ref_siblings": "$ref with sibling keywords",
    "ref_pointer": "$ref to another pointer",
    "definitions": "definitions (draft-07)",
    "ref_recursive": "recursive $ref",
    "ref_remote": "remote $ref",
    "anyOf": "anyOf (nested)",
    "oneOf": "oneOf (nested)",
    "allOf": "allOf (nested)",
    "root_comb": "anyOf/oneOf/allOf at the root",
    "not": "not",
    "if": "if/then/else",
    "dependent": "dependentRequired, dependentSchemas",
    "optional": "property absent from required",
    "ap_false": "additionalProperties: false",
    "ap_open": "additionalProperties true or absent",
    "ap_schema": "additionalProperties: {schema} (map)",
    "patternProperties": "patternProperties",
    "propertyNames": "propertyNames",
    "minProperties": "minProperties, maxProperties",
    "unevaluated": "unevaluatedProperties, unevaluatedItems",
    "items": "items: {schema}",
    "items_untyped": "items: true or {}",
    "items_missing": "items missing",
    "prefixItems": "prefixItems (tuple)",
    "minItems01": "minItems 0 or 1",
    "minItems": "minItems > 1, maxItems",
    "uniqueItems": "uniqueItems",
    "contains": "contains",
    "minLength": "minLength, maxLength",
    "pattern": "pattern",
    "pattern_look": "pattern with lookaround or backreference",
    "format": "format",
    "content": "contentEncoding, contentMediaType",
    "minimum": "minimum, maximum",
    "exclusive": "exclusiveMinimum, exclusiveMaximum",
    "multipleOf": "multipleOf",
    "bool_schema": "boolean subschema",
    "empty_schema": "empty subschema {}",
    "nullable": "nullable: true (OpenAPI)",
    "x": "x-* and other unknown keys",
}

_KEYWORDS = {
    "required": "type",
    "const": "const",
    "default": "default",
    "title": "title",
    "description": "description",
    "examples": "examples",
    "deprecated": "annotations",
    "readOnly": "annotations",
    "writeOnly": "annotations",
    "$comment": "annotations",
    "$schema": "dialect",
    "$id": "dialect",
    "$anchor": "dialect",
    "$dynamicAnchor": "dialect",
    "$vocabulary": "dialect",
    "$dynamicRef": "ref_pointer",
    "$defs": "ref",
    "definitions": "definitions",
    "not": "not",
    "if": "if",
    "then": "if",
    "else": "if",
    "dependentRequired": "dependent",
    "dependentSchemas": "dependent",
    "dependencies": "dependent",
    "patternProperties": "patternProperties",
    "propertyNames": "propertyNames",
    "minProperties": "minProperties",
    "maxProperties": "minProperties",
    "unevaluatedProperties": "unevaluated",
    "unevaluatedItems": "unevaluated",
    "additionalItems": "unevaluated",
    "prefixItems": "prefixItems",
    "maxItems": "minItems",
    "uniqueItems": "uniqueItems",
    "contains": "contains",
    "minContains": "contains",
    "maxContains": "contains",
    "minLength": "minLength",
    "maxLength": "minLength",
    "format": "format",
    "contentEncoding": "content",
    "contentMediaType": "content",
    "contentSchema": "content",
    "minimum": "minimum",
    "maximum": "minimum",
    "exclusiveMinimum": "exclusive",
    "exclusiveMaximum": "exclusive",
    "multipleOf": "multipleOf",
    "nullable": "nullable",
}
_NAMING = frozenset({"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary"})
_COMBINATORS = frozenset({"anyOf", "oneOf", "allOf"})
_DEFINED = re.compile(r"#(/\$defs/[^/]+)?")
# A lookaround, a named or numbered backreference; sufficient outside of character classes.
_LOOKING = re.compile(r"\(\?(?:[=!]|<[=!])|\\[1-9]|\\k<|\(\?P=")
_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


def looks_around(pattern: str) -> bool:
    """Return whether a pattern has a lookaround or a backreference."""
    plain = _CLASS.sub(
        lambda match: "" if match[0].startswith("[") else _escape_kept(match[0]), pattern
    )
    return _LOOKING.search(plain) is not None


def _escape_kept(escape: str) -> str:
    return escape if escape[1] in "123456789k" else ""


def feature(node: Node, word: str, *, is_root: bool = False) -> str:
    """Return the feature of a keyword in a schema."""
    if word in _COMBINATORS:
        return "root_comb" if is_root else word
    read_closely = _READERS.get(word)
    return read_closely(node) if read_closely else _KEYWORDS.get(word, "x")


def _enum(node: Node) -> str:
    values = node.value("enum")
    texts = isinstance(values, list) and all(isinstance(value, str) for value in values)
    return "enum_str" if texts else "enum_other"


def _properties(node: Node) -> str:
    return "type" if node.named("properties") else "properties_empty"


def _additional(node: Node) -> str:
    schema = node.additional
    return "ap_false" if schema.is_never else "ap_open" if schema.is_empty else "ap_schema"


def _items(node: Node) -> str:
    return "items_untyped" if (node.one("items") or Node()).is_empty else "items"


def _least(node: Node) -> str:
    return "minItems01" if node.value("minItems") in {0, 1} else "minItems"


def _pattern(node: Node) -> str:
    return "pattern_look" if looks_around(str(node.value("pattern"))) else "pattern"


def features(root: Node) -> Iterator[Feature]:
    """Yield every feature that a schema uses: its name, the subschema, the keyword.

    The keyword is empty for a feature that consists in the absence of one.
    """
    recursive = recursive_definitions(root)
    for node in every(root):
        for word in node.words:
            name = feature(node, word, is_root=node is root)
            if name == "ref" and node.value(word) in recursive:
                name = "ref_recursive"
            yield name, node, word
        yield from ((name, node, "") for name in _absent(node))
        for word, _, child in below(node):
            if child.is_never and word not in WRITTEN_AS_BOOLEAN:
                yield "bool_schema", child, ""
            elif child.is_empty and word not in WRITTEN_AS_BOOLEAN | {"items"}:
                yield "empty_schema", child, ""


def _absent(node: Node) -> Iterator[str]:
    if "object" in node.types or "properties" in node:
        if "additionalProperties" not in node:
            yield "ap_open"
        if node.named("properties").keys() - set(node.required):
            yield "optional"
    if "array" in node.types and not {"items", "prefixItems"} & node.words.keys():
        yield "items_missing"


def _type(node: Node) -> str:
    types = node.types
    if isinstance(node.value("type"), str) or len(types) == 1:
        return "type"
    others = [name for name in types if name != "null"]
    return "type_nullable" if len(others) == 1 else "type_union"


def _reference(node: Node) -> str:
    text = str(node.value("$ref"))
    if not text.startswith("#"):
        return "ref_remote"
    if not _DEFINED.fullmatch(text):
        return "ref_pointer"
    return "ref_siblings" if node.words.keys() - {"$ref", "$defs"} else "ref"


_READERS: Mapping[str, Callable[[Node], str]] = {
    "$ref": _reference,
    "additionalProperties": _additional,
    "enum": _enum,
    "items": _items,
    "minItems": _least,
    "pattern": _pattern,
    "properties": _properties,
    "type": _type,
}


def recursive_definitions(root: Node) -> frozenset[str]:
    """Return the references (`#`, `#/$defs/…`) to recursive schemas."""
    bodies = {f"#/$defs/{name}": node for name, node in root.named("$defs").items()}
    bodies["#"] = root.without("$defs")
    leads = {name: references(body) for name, body in bodies.items()}
    recursive: set[str] = set()
    for start in bodies:
        reached: set[str] = set()
        waiting = list(leads[start])
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += leads.get(name, ())
        if start in reached:
            recursive.add(start)
    return frozenset(recursive)


def references(root: Node) -> frozenset[str]:
    """Return the texts of all references in a schema."""
    return frozenset(str(node.value("$ref")) for node in every(root) if "$ref" in node)


def refuses(word: str) -> bool:
    """Return whether a keyword can reject a value; others are annotations."""
    return is_known(word) and word not in ANNOTATIONS and word not in _NAMING


def is_known(word: str) -> bool:
    """Return whether a word is a keyword of JSON Schema."""
    return word in VALUES
