"""List the members that conditions accept in a closed object, before the conditions become sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import lost
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import NEVER, Members, Node, below, rewrite, write
from toolspec.providers.shapes import key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options
    from toolspec.providers.shapes import Resolve

NAME = "conditional-members"
CONDITIONS = frozenset({"if", "then", "else", "dependentSchemas"})
_FORMS = frozenset({"anyOf", "oneOf"})
_OTHERS = frozenset({"patternProperties", "additionalProperties", "unevaluatedProperties"})
_ITEMS = frozenset({"items", "prefixItems", "unevaluatedItems"})


def conditional_members(draft: Draft, _: Options) -> Draft:
    """Return the draft in which `unevaluatedProperties` and `unevaluatedItems` need no conditions.

    A property listed by conditions alone is listed by the object itself, with the schemas it may
    have there. Conditions that admit unlisted properties, and items admitted by `contains`, leave
    the schema open.
    """
    if draft.root is None or draft.lacks("unevaluatedProperties", "unevaluatedItems"):
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if "unevaluatedProperties" in node:
            node = _object(node, _Applied(node, draft.resolve), ledger)
        if "unevaluatedItems" in node:
            node = _array(node, _Applied(node, draft.resolve), ledger)
        return node

    return draft.having(rewrite(draft.root, change), ledger)


class _Applied:
    """Schemas that apply to a schema's values: `always`, in some `forms`, or on `conditions`."""

    def __init__(self, node: Node, resolve: Resolve) -> None:
        self.always: list[Node] = []
        self.forms: list[Node] = []
        self.conditions: list[Node] = []
        met: set[tuple[str, int]] = set()
        kinds = (self.always, self.forms, self.conditions)
        waiting = [(node, 0)]
        for schema, kind in waiting:
            kinds[kind].append(schema)
            text = schema.value("$ref")
            if isinstance(text, str) and (text, kind) not in met:
                met.add((text, kind))
                target = resolve(text)
                waiting += [(target, kind)] if target else []
            waiting += _inner(schema, kind)


def _inner(node: Node, kind: int) -> Iterator[tuple[Node, int]]:
    for word, _, child in below(node):
        if word == "allOf":
            yield child, kind
        elif word in _FORMS:
            yield child, max(kind, 1)
        elif word in CONDITIONS:
            yield child, 2


def _object(node: Node, applied: _Applied, ledger: list[Entry]) -> Node:
    others = node.one("unevaluatedProperties") or Node()
    named = dict.fromkeys(
        name for condition in applied.conditions for name in condition.named("properties")
    )
    own = {name for alway in applied.always for name in alway.named("properties")}
    if any(map(_is_open, applied.conditions)):
        detail = "a condition can accept members that it does not name"
        ledger += lost(node, {"unevaluatedProperties"}, Outcome.WIDENED, NAME, detail)
        return node.without("unevaluatedProperties")
    sources = (*applied.forms, *applied.conditions)
    added = {name: _any([*_named(sources, name), others]) for name in named if name not in own}
    added = {name: schema for name, schema in added.items() if not schema.is_never}
    if not added or others.is_empty:
        return node
    return node.having("properties", Members({**node.named("properties"), **added}))


def _is_open(node: Node) -> bool:
    return any(
        word in node and not (word != "patternProperties" and (node.one(word) or Node()).is_never)
        for word in _OTHERS
    )


def _named(sources: Sequence[Node], name: str) -> Iterator[Node]:
    for source in sources:
        if name in source.named("properties"):
            yield source.named("properties")[name]
        elif _is_open(source):
            yield Node()


def _any(schemas: Sequence[Node]) -> Node:
    """Return the union of several schemas."""
    variants = {key(write(schema)): schema for schema in reversed(schemas) if not schema.is_never}
    several = tuple(reversed(variants.values()))
    if not several:
        return NEVER
    empty = next((schema for schema in several if schema.is_empty), None)
    if empty is not None or len(several) == 1:
        return empty or several[0]
    return Node({"anyOf": several}, {}, several[0].location)


def _array(node: Node, applied: _Applied, ledger: list[Entry]) -> Node:
    every = (*applied.always, *applied.forms, *applied.conditions)
    has_items = any(not _ITEMS.isdisjoint(condition.words) for condition in applied.conditions)
    if not has_items and not any("contains" in schema for schema in every):
        return node
    detail = "a condition, or `contains`, can accept further items"
    ledger += lost(node, {"unevaluatedItems"}, Outcome.WIDENED, NAME, detail)
    return node.without("unevaluatedItems")
