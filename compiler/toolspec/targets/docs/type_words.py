"""Short descriptions of types, and schemas flattened for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.definitions import definition
from toolspec.shared.records import dataclass, field
from toolspec.syntax.pointer import parse_fragment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.docs.markup import Markup

_DEEPEST = 16
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
_NAMED_TYPES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer"}


@dataclass(frozen=True, slots=True)
class Page:
    """A schema being described, and links to those of its definitions that have a section.

    The keys of `links` are the steps of a reference: none for the schema itself, `$defs` and a name
    for a definition.
    """

    root: JsonValue
    markup: Markup
    links: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    def link(self, schema: JsonValue) -> str:
        """Return the link to the section of a schema's reference; empty without one."""
        steps = referred(schema) if self.links else None
        return "" if steps is None else self.links.get(steps, "")


def plain(schema: JsonValue, root: JsonValue) -> JsonObject:
    """Return a schema with its `$ref` followed and its `allOf` members merged.

    Siblings of a `$ref` take precedence over its target, so that a description at the point of use
    is the one that readers see. Only for documentation: a validator must not use it.
    """
    if isinstance(schema, dict) and "$ref" not in schema and "allOf" not in schema:
        return schema
    return _plain(schema, root, _DEEPEST)


def referred(schema: JsonValue) -> tuple[str, ...] | None:
    """Return the steps of a schema that is a single reference; None for any other schema.

    An `allOf` of nothing but a reference is one too: a way to write a description next to it.
    """
    if not isinstance(schema, dict):
        return None
    if "$ref" not in schema:
        members = schema.get("allOf")
        schema = members[0] if isinstance(members, list) and len(members) == 1 else None
        if not isinstance(schema, dict):
            return None
    reference = schema.get("$ref")
    return parse_fragment(reference[1:]) if isinstance(reference, str) else None


def definition_name(schema: JsonValue) -> str:
    """Return the name of a schema's referenced definition; empty for the root, or without one."""
    return (referred(schema) or ("",))[-1]


def is_scalar(flat: JsonObject) -> bool:
    """Return whether a value has no members, items or options."""
    return not options(flat) and not set(_kinds(flat)) & {"array", "object"}


def type_words(schema: JsonValue, page: Page, depth: int = _DEEPEST) -> str:
    """Return the type on one line: `array of string`, `integer or null`, a name."""
    if not depth:
        return "anything"
    return page.link(schema) or words_of(schema, plain(schema, page.root), page, depth)


def words_of(schema: JsonValue, flat: JsonObject, page: Page, depth: int = _DEEPEST) -> str:
    """Return `type_words` of a schema that is already flattened and is not a link."""
    kind = flat.get("type")
    if isinstance(kind, str) and kind in _SCALARS:
        return _word(kind, flat, page, depth)
    # A reference is expanded only where its type is one word, so that recursion ends.
    if referred(schema) is not None and not is_scalar(flat):
        name = definition_name(schema)
        return page.markup.code(name) if name else "the whole"
    if members := options(flat):
        words = dict.fromkeys(type_words(member, page, depth - 1) for member in members)
        return " or ".join(words)
    return " or ".join(_word(kind, flat, page, depth) for kind in _kinds(flat)) or "anything"


def options(flat: JsonObject) -> list[JsonValue]:
    """Return the options of a union; empty for other schemas."""
    for keyword in ("oneOf", "anyOf"):
        members = flat.get(keyword)
        # With `type` next to them, options only add constraints to that type.
        if isinstance(members, list) and "type" not in flat:
            return members
    return []


def _plain(schema: JsonValue, root: JsonValue, depth: int) -> JsonObject:
    if schema is False:
        return {"not": {}}
    if not isinstance(schema, dict) or depth == 0:
        return {}
    if "$ref" not in schema and "allOf" not in schema:
        return schema
    members = schema.get("allOf")
    inherited: list[JsonValue] = list(members) if isinstance(members, list) else []
    if isinstance(reference := schema.get("$ref"), str):
        inherited.insert(0, definition(root, reference))
    flat = {key: value for key, value in schema.items() if key not in {"$ref", "allOf"}}
    for parent in inherited:
        flat = _joined(flat, _plain(parent, root, depth - 1))
    return flat


def _joined(first: JsonObject, second: JsonObject) -> JsonObject:
    """Return two schemas as one: members of both, with those of `first` taking precedence."""
    joined = {**second, **first}
    for keyword in ("properties", "required"):
        mine, theirs = first.get(keyword), second.get(keyword)
        if isinstance(mine, dict) and isinstance(theirs, dict):
            joined[keyword] = {**theirs, **mine}
        elif isinstance(mine, list) and isinstance(theirs, list):
            joined[keyword] = [*theirs, *mine]
    return joined


def _kinds(flat: JsonObject) -> list[str]:
    """Return the types of a schema, or those of the values that it lists."""
    kind = flat.get("type")
    if isinstance(kind, str):
        return [kind]
    if isinstance(kind, list):
        return [*map(str, kind)]
    kinds: list[str] = []
    match flat:
        case {"const": value}:
            kinds = [_type_of(value)]
        case {"enum": list(values)}:
            kinds = list(dict.fromkeys(map(_type_of, values)))
        case {"not": {**never}} if not never:
            kinds = ["nothing"]
        case {"properties": _}:
            kinds = ["object"]
        case {"items": _} | {"prefixItems": _}:
            kinds = ["array"]
    return kinds


def _type_of(value: JsonValue) -> str:
    if isinstance(value, float):
        return "number"
    return "null" if value is None else _NAMED_TYPES[type(value)]


def _word(kind: str, flat: JsonObject, page: Page, depth: int) -> str:
    if kind == "array":
        return _array(flat, page, depth)
    if kind == "object" and "properties" not in flat:
        values = flat.get("additionalProperties")
        if isinstance(values, dict) and values:
            return f"map of {type_words(values, page, depth - 1)}"
    if kind == "string" and isinstance(form := flat.get("format"), str):
        return f"string ({page.markup.code(form)})"
    return kind if kind in _SCALARS else page.markup.text(kind)


def _array(flat: JsonObject, page: Page, depth: int) -> str:
    first = flat.get("prefixItems")
    if isinstance(first, list):
        return "tuple of " + ", ".join(type_words(item, page, depth - 1) for item in first)
    items = flat.get("items", True)
    words = type_words(items, page, depth - 1)
    if words == "anything":
        return "array"
    return f"array of ({words})" if " or " in words else f"array of {words}"
