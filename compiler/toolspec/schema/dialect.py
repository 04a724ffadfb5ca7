"""Supported dialects of JSON Schema, with their keywords."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.shared.keywords import APPLICATORS, CONTAINERS, Holds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue


class Dialect(StrEnum):
    """A dialect; the value is its `$schema` without scheme and fragment."""

    DRAFT_04 = "json-schema.org/draft-04/schema"
    DRAFT_06 = "json-schema.org/draft-06/schema"
    DRAFT_07 = "json-schema.org/draft-07/schema"
    DRAFT_2019_09 = "json-schema.org/draft/2019-09/schema"
    DRAFT_2020_12 = "json-schema.org/draft/2020-12/schema"

    # `Enum.__hash__` is a Python function, and dialects are hashed often.
    __hash__ = str.__hash__

    @property
    def uri(self) -> str:
        """Identifier of the dialect for validators."""
        if self.ignores_siblings:
            return f"http://{self.value}#"
        return f"https://{self.value}"

    @property
    def label(self) -> str:
        """Name of the dialect in messages."""
        return self.value.split("/")[-2]

    @property
    def ignores_siblings(self) -> bool:
        """Return whether keywords beside a `$ref` have no meaning."""
        return self in _OLD

    @property
    def keywords(self) -> frozenset[str]:
        """Keywords that the dialect defines."""
        return _KEYWORDS[self]

    @property
    def applicators(self) -> Mapping[str, Holds]:
        """Keywords of the dialect that hold subschemas."""
        return _APPLICATORS[self]

    def has_reference(self, node: JsonObject) -> bool:
        """Return whether a schema is a `$ref` whose siblings are ignored."""
        return self in _OLD and isinstance(node.get("$ref"), str)

    def applies(self, keyword: str, node: JsonObject) -> bool:
        """Return whether a keyword has a meaning in a schema of this dialect."""
        if keyword not in _KEYWORDS[self]:
            return False
        if self.has_reference(node):
            return keyword == "$ref" or keyword in CONTAINERS
        return keyword != "additionalItems" or isinstance(node.get("items"), list)


_OLD = frozenset({Dialect.DRAFT_04, Dialect.DRAFT_06, Dialect.DRAFT_07})

# Keywords that each dialect adds to the one before it. `definitions` and `dependencies` stay: the
# metaschemas of the later ones describe them, and validators apply them.
_ADDED = {
    Dialect.DRAFT_04: {
        *(
            "$ref",
            "$schema",
            "id",
            "definitions",
            "dependencies",
            "title",
            "description",
            "default",
        ),
        *("type", "enum", "allOf", "anyOf", "oneOf", "not", "format"),
        *("multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *("minLength", "maxLength", "pattern"),
        *("items", "additionalItems", "minItems", "maxItems", "uniqueItems"),
        *("properties", "patternProperties", "additionalProperties"),
        *("minProperties", "maxProperties", "required"),
    },
    Dialect.DRAFT_06: {"$id", "const", "contains", "examples", "propertyNames"},
    Dialect.DRAFT_07: {
        *("$comment", "if", "then", "else", "readOnly", "writeOnly"),
        *("contentEncoding", "contentMediaType"),
    },
    Dialect.DRAFT_2019_09: {
        *("$anchor", "$defs", "$recursiveAnchor", "$recursiveRef", "$vocabulary"),
        *("contentSchema", "dependentRequired", "dependentSchemas", "deprecated"),
        *("maxContains", "minContains", "unevaluatedItems", "unevaluatedProperties"),
    },
    Dialect.DRAFT_2020_12: {"$dynamicAnchor", "$dynamicRef", "prefixItems"},
}
_REMOVED = {
    Dialect.DRAFT_06: {"id"},
    Dialect.DRAFT_2020_12: {"$recursiveAnchor", "$recursiveRef", "additionalItems"},
}


def _keywords() -> dict[Dialect, frozenset[str]]:
    current = frozenset[str]()
    keywords: dict[Dialect, frozenset[str]] = {}
    for dialect in Dialect:
        current = (current | _ADDED[dialect]) - _REMOVED.get(dialect, set())
        keywords[dialect] = current
    return keywords


_KEYWORDS = _keywords()
_APPLICATORS = {
    dialect: {key: holds for key, holds in APPLICATORS.items() if key in keywords}
    for dialect, keywords in _KEYWORDS.items()
}

# Keywords of any dialect, except `id`, which is a common annotation in the later ones.
ANY_DIALECT = frozenset[str]().union(*_KEYWORDS.values()) - {"id"}

_BY_NAME = {dialect.value: dialect for dialect in Dialect}


def read_dialect(declared: JsonValue) -> Dialect | None:
    """Return the dialect of a `$schema`, with or without `#`; None for an unknown one."""
    if not isinstance(declared, str):
        return None
    return _BY_NAME.get(declared.removeprefix("https://").removeprefix("http://").removesuffix("#"))


def dialect_of(node: JsonValue, default: Dialect) -> Dialect:
    """Return the dialect of a schema inside one of another dialect."""
    if isinstance(node, dict) and "$schema" in node:
        return read_dialect(node["$schema"]) or default
    return default
