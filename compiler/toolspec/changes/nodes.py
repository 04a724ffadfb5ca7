"""Subschemas in a form in which equal meaning looks alike, and equality of two of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from toolspec.shared.json_values import are_equal, identity
from toolspec.shared.references import References
from toolspec.shared.validator import InvalidSchemaError, compiled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.shared.json_values import JsonObject, JsonValue, Path

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
"""All types; `integer` counts beside `number`, which includes it."""

ANNOTATIONS = frozenset(
    {
        "$comment", "$defs", "$id", "$schema", "$anchor", "$dynamicAnchor", "default", "definitions",
        "deprecated", "description", "discriminator", "examples", "readOnly", "title", "writeOnly",
    }
)  # fmt: skip
"""Keywords that no value violates; `x-` keywords are others."""

_SETS = frozenset({"enum", "required", "type"})
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_ONES = frozenset(
    {
        "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames",
        "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_IDLE = frozenset(
    {"required", "properties", "minLength", "minItems", "minProperties", "uniqueItems"}
)
_OPENED = ("$ref", "allOf")
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
KEYWORD_GROUPS = (
    ("properties", "patternProperties", "additionalProperties"),
    ("prefixItems", "items", "additionalItems"),
    ("contains", "minContains", "maxContains"),
    ("if", "then", "else"),
)
"""Keywords that say something about each other in one schema."""
_MAY_REFUSE_NULL = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "$ref"})
_MOST_HOPS = 64
_NULLS: tuple[JsonObject, ...] = ({"type": "null"}, {"const": None}, {"enum": [None]})


_NO_ORIGINS: Mapping[str, Path] = MappingProxyType({})


class Node(NamedTuple):
    """A subschema: its keywords, its path, and whether null was taken out of its types or branches.

    `origins` are the paths of the schemas that other keywords come from, those around a merged part.
    """

    keywords: JsonObject
    path: Path
    is_nullable: bool = False
    origins: Mapping[str, Path] = _NO_ORIGINS

    @property
    def place(self) -> Path:
        """The path of the outermost schema with a keyword that a value can violate."""
        outer = (path for word, path in self.origins.items() if _is_asserting(word))
        return min(outer, key=len, default=self.path)

    def at(self, keyword: str) -> Path:
        """Return the path of a keyword."""
        return (*self.origins.get(keyword, self.path), keyword)

    @property
    def types(self) -> frozenset[str]:
        """The types that it allows, apart from null."""
        stated = self.keywords.get("type")
        if stated is None:
            return TYPES - {"null"}
        return frozenset(map(str, stated if isinstance(stated, list) else [stated]))


class Root:
    """A schema whose references lead to itself."""

    def __init__(self, value: JsonValue) -> None:
        self.value = value
        self.references = References(value)
        self._as_parts: dict[int, JsonObject] = {}

    def node(self, value: JsonValue, path: Path) -> Node:
        """Return a subschema: references followed, single parts merged, `const` as `enum`."""
        origins: dict[str, Path] = {}
        keywords, path = self._merged(value, path, origins)
        keywords = _with_values(keywords)
        node = _without_null(keywords, path)
        words = asserted(keywords).keys()
        may_refuse = words != {"anyOf"} and not _MAY_REFUSE_NULL.isdisjoint(words)
        if node.is_nullable and may_refuse and not self.accepts_null(keywords):
            node = Node(keywords, path)
        return node._replace(origins={**node.origins, **origins}) if origins else node

    def accepts_null(self, value: JsonValue) -> bool:
        """Return whether null is valid for a subschema."""
        whole = self.standalone(value)
        try:
            return whole is not None and compiled(whole)(None)
        except InvalidSchemaError:
            return False

    def _merged(
        self, value: JsonValue, path: Path, origins: dict[str, Path]
    ) -> tuple[JsonObject, Path]:
        """Return the keywords of a subschema together with those of its reference or only part.

        The path is that of the innermost part; `origins` gets those of keywords from around it.
        """
        outer: JsonObject = {}
        for _ in range(_MOST_HOPS):
            if not isinstance(value, dict):
                return (outer if value is True else {"not": {}}), path
            inner, inner_path = self._opened(value, path)
            if inner is None:
                return self._as_part(value) | outer, path
            rest = {key: item for key, item in value.items() if key not in _OPENED} | outer
            if isinstance(inner, dict) and _are_mixed(rest, inner):
                own: JsonObject = {"allOf": [value]} if outer else self._as_part(value)
                return own | outer, path
            origins |= {key: path for key in rest if key not in outer}
            outer, value, path = rest, inner, inner_path
        return {"$ref": "#", **outer}, path

    def _as_part(self, value: JsonObject) -> JsonObject:
        """Return keywords beside a reference with the reference among the parts in `allOf`."""
        if "$ref" not in value or len(value) == 1:
            return value
        if id(value) not in self._as_parts:  # the part has one identity
            parts, part = value.get("allOf"), {"$ref": value["$ref"]}
            rest = {key: item for key, item in value.items() if key != "$ref"}
            self._as_parts[id(value)] = {
                **rest,
                "allOf": [*(parts if isinstance(parts, list) else ()), part],
            }
        return self._as_parts[id(value)]

    def _opened(self, value: JsonObject, path: Path) -> tuple[JsonValue, Path]:
        """Return the target of a reference, or an only part, with its path; None without one."""
        parts = value.get("allOf")
        if "$ref" in value:
            target = None if parts else self.references.of(value)
            return (None, path) if target is None else (target, self.references.path(target))
        if isinstance(parts, list) and len(parts) == 1:
            return parts[0], (*path, "allOf", 0)
        return None, path

    def same(self, old: JsonValue, other: Root, new: JsonValue) -> bool:
        """Return whether two subschemas mean the same: apart from annotations, order, references."""
        return _Equality(self, other).check(old, new)

    def standalone(self, value: JsonValue) -> JsonValue:
        """Return a subschema with the definitions that its references need; None if they need more."""
        if not isinstance(self.value, dict) or not isinstance(value, dict):
            return value
        held: JsonObject = {
            key: self.value[key] for key in ("$defs", "definitions") if key in self.value
        }
        if value is self.value or not held or _refers_to(value, ()):
            return value if value is self.value or _refers_to(value, ()) else None
        whole: JsonObject = {**value, **held}
        return whole if _refers_to(whole, tuple(f"#/{key}/" for key in held)) else None


def _are_mixed(outer: JsonObject, inner: JsonObject) -> bool:
    """Return whether keywords of two schemas mean something else in one schema."""
    words = outer.keys() - ANNOTATIONS
    if not words:
        return False
    return not (words | _UNEVALUATED).isdisjoint(inner) or any(
        not words.isdisjoint(group) and not inner.keys().isdisjoint(group)
        for group in KEYWORD_GROUPS
    )


def _refers_to(value: JsonValue, starts: tuple[str, ...]) -> bool:
    """Return whether each reference in a schema begins in one of some ways."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            reference = node.get("$ref", "#/$defs/")
            if isinstance(reference, str) and "$ref" in node and not reference.startswith(starts):
                return False
            if "$dynamicRef" in node or "$recursiveRef" in node:
                return False
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return True


def _with_values(keywords: JsonObject) -> JsonObject:
    """Return keywords with `const` as an `enum` of one value."""
    if "const" not in keywords:
        return keywords
    constant, stated = keywords["const"], keywords.get("enum")
    values = stated if isinstance(stated, list) else [constant]
    rest = {key: item for key, item in keywords.items() if key != "const"}
    return {**rest, "enum": [item for item in values if are_equal(item, constant)]}


def _without_null(keywords: JsonObject, path: Path) -> Node:
    """Return a node without null among its types, values or branches."""
    types, values = keywords.get("type"), keywords.get("enum")
    if values == [None]:  # nothing is left without it
        return Node(keywords, path)
    lists_null = isinstance(values, list) and None in values and len(values) > 1
    allows_null = isinstance(types, list) and "null" in types and len(types) > 1
    if allows_null and isinstance(types, list):
        kept: list[JsonValue] = [item for item in types if item != "null"]
        keywords = {**keywords, "type": kept[0] if len(kept) == 1 else kept}
    if lists_null and (allows_null or types is None) and isinstance(values, list):
        keywords = {**keywords, "enum": [item for item in values if item is not None]}
    if allows_null or (lists_null and types is None):
        return Node(keywords, path, is_nullable=lists_null or values is None)
    words = [word for word in ("anyOf", "oneOf") if word in keywords and types is None]
    return _without_null_branch(keywords, path, words[0]) if words else Node(keywords, path)


def _without_null_branch(keywords: JsonObject, path: Path, keyword: str) -> Node:
    """Return a node without null among its branches."""
    branches = keywords[keyword]
    listed = branches if isinstance(branches, list) else []
    others = [branch for branch in listed if not _is_null(branch)]
    if len(others) in (0, len(listed)):
        return Node(keywords, path)
    rest = {key: item for key, item in keywords.items() if key != keyword}
    only = others[0]
    if len(others) > 1 or not isinstance(only, dict) or rest.keys() - ANNOTATIONS:
        return Node({**rest, keyword: others}, path, is_nullable=True)
    if "$ref" in only:
        return Node({**rest, "allOf": [only]}, path, is_nullable=True)
    origins = dict.fromkeys(rest, path)
    path = (*path, keyword, listed.index(only))
    node = _without_null(_with_values(only | rest), path)
    return node._replace(is_nullable=True, origins={**node.origins, **origins})


def _is_null(branch: JsonValue) -> bool:
    """Return whether null is the only value of a branch, by its only keyword."""
    return isinstance(branch, dict) and asserted(branch) in _NULLS


class _Equality:
    """Comparison of two subschemas that may refer to themselves."""

    def __init__(self, old: Root, new: Root) -> None:
        self._old, self._new = old, new
        self._assumed: set[tuple[int, int]] = set()

    def check(self, old: JsonValue, new: JsonValue) -> bool:
        """Return whether two subschemas mean the same."""
        pair = (id(old), id(new))
        if pair in self._assumed:
            return True
        self._assumed.add(pair)
        one, other = self._old.node(old, ()), self._new.node(new, ())
        if one.is_nullable != other.is_nullable:
            return False
        first, second = asserted(one.keywords), asserted(other.keywords)
        return first.keys() == second.keys() and all(
            self._check_keyword(keyword, first[keyword], second[keyword]) for keyword in first
        )

    def _check_keyword(self, keyword: str, old: JsonValue, new: JsonValue) -> bool:
        if keyword in _SETS:
            return _members(old) == _members(new)
        if keyword in _ONES and not isinstance(
            old, list
        ):  # one of items, as older dialects have it
            return self.check(old, new)
        if keyword in _MAPS and isinstance(old, dict) and isinstance(new, dict):
            return old.keys() == new.keys() and all(self.check(old[key], new[key]) for key in old)
        if keyword in _LISTS and isinstance(old, list) and isinstance(new, list):
            return len(old) == len(new) and (
                all(self.check(one, other) for one, other in zip(old, new, strict=True))
                or (keyword != "prefixItems" and self._check_any_order(old, new))
            )
        return are_equal(old, new)

    def _check_any_order(self, old: list[JsonValue], new: list[JsonValue]) -> bool:
        left = list(new)
        for branch in old:
            match = next(
                (
                    at
                    for at, item in enumerate(left)
                    if _Equality(self._old, self._new).check(branch, item)
                ),
                None,
            )
            if match is None:
                return False
            del left[match]
        return True


def asserted(keywords: JsonObject) -> JsonObject:
    """Return the keywords that a value can violate, without those that say nothing."""
    return {
        key: item
        for key, item in keywords.items()
        if _is_asserting(key)
        and not (key in _IDLE and not item)
        and not (item is True and key in ("additionalProperties", "items"))
    }


def _is_asserting(keyword: str) -> bool:
    return keyword not in ANNOTATIONS and not keyword.startswith("x-")


def _members(value: JsonValue) -> frozenset[object]:
    listed: Iterable[JsonValue] = value if isinstance(value, list) else [value]
    return frozenset(map(identity, listed))
