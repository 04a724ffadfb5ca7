"""Replace an object with arbitrary keys by a list of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, implied, lost
from toolspec.providers.keyword_merging import UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import merge
from toolspec.providers.node import NEVER, Members, Node, Note, rewrite
from toolspec.providers.notes import notes
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "map-to-pairs"
_ABOUT_KEYS = frozenset({"additionalProperties", "patternProperties", "propertyNames"})
_COUNTS = {"minProperties": "minItems", "maxProperties": "maxItems"}
_OBJECT = frozenset({"type", "properties", "required", "dependentRequired", "dependentSchemas"})
_ONCE = "Each key at most once."


def map_to_pairs(draft: Draft, _: Options) -> Draft:
    """Return the draft with lists of `{key, value}` in place of maps.

    An object that also lists properties gets one more, for the pairs of its other members; so does
    the root, which stays an object. The decode map turns the pairs back into members.
    """
    if draft.root is None or draft.lacks("additionalProperties", "patternProperties"):
        return draft
    root = draft.root
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if "object" not in node.types or len(node.types) > 1 or not _is_map(node):
            return node
        ledger.extend(
            entries(node.of(*_ABOUT_KEYS), Outcome.ENCODED, NAME, "pairs of key and value")
        )
        pairs = _pairs(node, ledger)
        is_whole = node.location and not node.named("properties") and not node.required
        return (
            _as_pairs(node, pairs, ledger) if is_whole else _with_pairs_member(node, pairs, ledger)
        )

    mapped = rewrite(root.without("$defs"), change)
    if "$defs" in root:
        defined = {
            name: rewrite(definition, change) for name, definition in root.named("$defs").items()
        }
        mapped = mapped.having("$defs", Members(defined), root.of("$defs"))
    return draft.having(mapped, ledger)


def _is_map(node: Node) -> bool:
    others = node.additional
    return bool(node.named("patternProperties")) or not (others.is_never or others.is_empty)


def _pairs(node: Node, ledger: list[Entry]) -> Node:
    """Return the schema of the list of pairs for an object's further members."""
    patterns = node.named("patternProperties")
    others = node.additional
    values = [*patterns.values()]
    if others.is_empty:
        detail = "only keys that match one of its patterns"
        ledger.append(implied(node, "additionalProperties", Outcome.NARROWED, NAME, detail))
    elif not others.is_never:
        values.append(others)
    name = Node({"type": "string"}, {}, node.location)
    if len(patterns) == 1 and len(values) == 1:
        name = name.having("pattern", next(iter(patterns)), ())
    elif patterns:
        detail = "the values are no longer tied to keys"
        ledger += entries(node.of("patternProperties"), Outcome.WIDENED, NAME, detail)
    if "propertyNames" in node:
        try:
            name = merge(name, node.one("propertyNames") or Node(), ledger)
        except UnmergeableError as problem:
            ledger += lost(node, ("propertyNames",), Outcome.WIDENED, NAME, str(problem))
    value = values[0] if len(values) == 1 else Node({"anyOf": tuple(values)}, {}, node.location)
    pair = Node(
        {
            "type": "object",
            "properties": Members({"key": name, "value": value}),
            "required": ["key", "value"],
            "additionalProperties": NEVER,
        },
        {"additionalProperties": node.of(*_ABOUT_KEYS)},
        node.location,
    )
    return Node({"type": "array", "items": pair}, {}, node.location, (Note(0, _ONCE),))


def _as_pairs(node: Node, pairs: Node, ledger: list[Entry]) -> Node:
    """Return the list of pairs that replaces an object without listed properties."""
    around = node.without(*_ABOUT_KEYS, *_OBJECT, *_COUNTS)
    ledger += lost(node, ("dependentRequired", "dependentSchemas"), Outcome.WIDENED, NAME)
    words, origins = {**around.words, **pairs.words}, {**around.origins, "type": node.of("type")}
    origins |= {word: node.of(word) for word in ("properties", "required")}
    for word, count in _COUNTS.items():
        if word in node:
            words[count], origins[count] = node.words[word], node.of(word)
    ledger += entries(node.of("properties", "required"), Outcome.DROPPED, NAME, "it is empty")
    return replace(
        node.coded({"op": "pairs"}),
        words=words,
        origins={word: at for word, at in origins.items() if word in words},
        notes=(*node.notes, *pairs.notes),
    )


def _with_pairs_member(node: Node, pairs: Node, ledger: list[Entry]) -> Node:
    """Return the object with one more property for the pairs of its unlisted members."""
    properties = node.named("properties")
    name = "additional"
    while name in properties:
        name = f"_{name}"
    reserved = ", ".join(properties)
    why = (
        f"Further members as pairs of key and value; no key is one of: {reserved}."
        if reserved
        else ""
    )
    pairs = pairs.having("description", why or "The members as pairs of key and value.", ())
    ledger += entries(node.of(*_COUNTS), Outcome.MOVED, NAME, "members are counted separately")
    named = [required_name for required_name in node.required if required_name in properties]
    if len(named) < len(node.required):
        detail = "further required members are no longer stated"
        ledger += entries(node.of("required"), Outcome.WIDENED, NAME, detail)
    spread = node.without(*_ABOUT_KEYS, *_COUNTS).noted(*notes(node, _COUNTS))
    spread = spread.having("additionalProperties", NEVER, node.of(*_ABOUT_KEYS))
    spread = spread.having("properties", Members({**properties, name: pairs}))
    spread = spread.having("required", [*named, name])
    return spread.coded({"op": "spread", "key": name, "except": [*properties]})
