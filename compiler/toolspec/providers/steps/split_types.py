"""Replace a list of types by an `anyOf` with a schema for each type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, lost
from toolspec.providers.features import refuses
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import merge
from toolspec.providers.node import Node, rewrite
from toolspec.providers.shapes import type_of
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options
    from toolspec.syntax.nodes import JsonValue

NAME = "split-types"

_NUMBER = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
WORDS = {
    "string": frozenset(
        {
            "minLength",
            "maxLength",
            "pattern",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
        }
    ),
    "number": _NUMBER,
    "integer": _NUMBER,
    "boolean": frozenset[str](),
    "null": frozenset[str](),
    "array": frozenset(
        {
            *("items", "prefixItems", "contains", "minContains", "maxContains", "minItems"),
            *("maxItems", "uniqueItems", "unevaluatedItems"),
        }
    ),
    "object": frozenset(
        {
            *("properties", "required", "additionalProperties", "patternProperties"),
            *("propertyNames", "minProperties", "maxProperties", "dependentRequired"),
            *("dependentSchemas", "unevaluatedProperties"),
        }
    ),
}
_TYPED = frozenset().union(*WORDS.values())


def split_types(draft: Draft, options: Options) -> Draft:
    """Return the draft without lists of types; with `keep: nullable`, `[T, null]` stays."""
    if draft.root is None:
        return draft
    ledger: list[Entry] = []
    keeps = options.text("keep") == "nullable"

    def change(node: Node) -> Node:
        types = _reduced(node.types)
        if not isinstance(node.value("type"), list):
            return node
        if len(types) == 1:
            return node.having("type", types[0])
        if keeps and "null" in types and len([*filter("null".__ne__, types)]) == 1:
            return node
        ledger.extend(entries(node.of("type"), draft.outcome, NAME, "a schema for each type"))
        return _split(node, types, ledger)

    return draft.having(rewrite(draft.root, change), ledger)


def _reduced(types: tuple[str, ...]) -> tuple[str, ...]:
    """Return types without `integer` where `number` includes it."""
    return tuple(type_ for type_ in types if type_ != "integer" or "number" not in types)


def _split(node: Node, types: tuple[str, ...], ledger: list[Entry]) -> Node:
    typed_branches = [(name, branch) for name in types if (branch := _branch(node, name))]
    branches = tuple(branch for _, branch in typed_branches)
    about = frozenset().union(*(WORDS[name] for name, _ in typed_branches))
    ledger += lost(
        node, _TYPED - about, Outcome.DROPPED, NAME, "it applies to a type that is not allowed"
    )
    around = node.without("type", "enum", "const", *_TYPED)
    if "format" in node and "string" in types:
        around = around.without("format")
    union = Node({"anyOf": branches}, {"anyOf": node.of("type")}, node.location)
    if not any(map(refuses, around.words)):
        return replace(
            around,
            words={**around.words, **union.words},
            origins={**around.origins, **union.origins},
        )
    try:
        return merge(around, union, ledger)
    except UnmergeableError as problem:
        ledger += entries(node.of("type"), Outcome.REFUSED, NAME, str(problem))
        return node


def _branch(node: Node, name: str) -> Node | None:
    """Return the schema of the values of one type; None where no value is left."""
    words = WORDS[name] | ({"format"} if name == "string" else frozenset())
    branch = replace(node.only(words), location=node.location).having("type", name, node.of("type"))
    for word in ("const", "enum"):
        if word not in node:
            continue
        listed = node.value("enum") if word == "enum" else [node.value("const")]
        values: list[JsonValue] = [
            value for value in (listed if isinstance(listed, list) else []) if _is(value, name)
        ]
        if not values:
            return None
        branch = branch.having("enum", values, (*branch.of("enum"), *node.of(word)))
    return branch


def _is(value: JsonValue, name: str) -> bool:
    stated = type_of(value)
    return stated == name or (stated == "integer" and name == "number")
