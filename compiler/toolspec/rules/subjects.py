"""Types of values by the keywords that apply to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.contradictions import types_of
from toolspec.shared.keywords import ASSERTED_FORMATS, IN_PLACE, TYPES, VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject
    from toolspec.syntax.pointer import Path

_NUMBER, _TEXT, _LIST, _OBJECT = {"number", "integer"}, {"string"}, {"array"}, {"object"}
ABOUT = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum"), _NUMBER),
    **dict.fromkeys(("exclusiveMaximum", "multipleOf"), _NUMBER),
    **dict.fromkeys(("minLength", "maxLength", "pattern", "format", "contentEncoding"), _TEXT),
    **dict.fromkeys(("items", "prefixItems", "minItems", "maxItems", "uniqueItems"), _LIST),
    **dict.fromkeys(("contains", "unevaluatedItems"), _LIST),
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties"), _OBJECT),
    **dict.fromkeys(("required", "minProperties", "maxProperties", "propertyNames"), _OBJECT),
}
# Fast path: all keywords that are fine with a type.
_NONE: frozenset[str] = frozenset()
_FITTING = {
    kind: (frozenset(VALUES) - ABOUT.keys())
    | {keyword for keyword, about in ABOUT.items() if kind in about}
    for kind in TYPES
}

# These determine the type more than keywords of one type do.
_STATING = frozenset({"type", "enum", "const", "$ref", "$dynamicRef"}) | IN_PLACE


def implied_type(node: JsonObject) -> str:
    """Return the one type that a schema's keywords imply without `type`; empty for none."""
    if not _STATING.isdisjoint(node):
        return ""
    about = {frozenset(ABOUT[word]) for word in node if word in ABOUT}
    if len(about) != 1:
        return ""
    types = next(iter(about))
    return "number" if "number" in types else next(iter(types))


def idle_keywords(node: JsonObject) -> list[str]:
    """Return the keywords of a typed schema that apply to none of its types.

    A `format` that is not of strings may be one of numbers.
    """
    if _FITTING.get(str(node["type"]), _NONE).issuperset(node):
        return []
    types = types_of(node)
    idle = [word for word in node if word in ABOUT and ABOUT[word].isdisjoint(types)]
    return [word for word in idle if _is_own(word, node)]


def misfits(
    kinds: Mapping[str, Sequence[int]], nodes: Sequence[Subschema]
) -> Iterator[tuple[Path, JsonObject]]:
    """Yield the schemas that may have keywords without effect, in order; most are skipped fast."""
    numbers = {
        number
        for kind, several in kinds.items()
        for number in several
        if not _fits(nodes[number][1], _FITTING.get(kind, _NONE))
    }
    for number in sorted(numbers):
        path, node = nodes[number]
        if isinstance(node, dict):
            yield path, node


def _fits(node: JsonObject | bool, fitting: frozenset[str]) -> bool:
    return isinstance(node, bool) or fitting.issuperset(node)


def _is_own(word: str, node: JsonObject) -> bool:
    """Return whether a keyword has its JSON Schema meaning: a flag `required` is another error."""
    if word == "format":
        return node[word] in ASSERTED_FORMATS
    return word != "required" or isinstance(node[word], list)
