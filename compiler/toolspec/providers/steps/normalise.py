"""Normalise a schema: remove `nullable` and repeated values, and add implied types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, impossible
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import NEVER, Node, rewrite
from toolspec.providers.shapes import common_type, key, limited

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "normalise"


def normalise(draft: Draft, _: Options) -> Draft:
    """Return the draft without `nullable` (not in 2020-12) and duplicate `enum` values.

    Of `const` and `enum` the first is kept; where they leave no value, the schema is `false`. A
    schema that lists its values without a type gets their type, where there is one.
    """
    if draft.root is None:
        return draft
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if "nullable" in node:
            ledger.extend(
                entries(
                    node.of("nullable"),
                    Outcome.DROPPED,
                    NAME,
                    "not a keyword of JSON Schema 2020-12",
                )
            )
            node = node.without("nullable")
        if "const" in node and "enum" in node:
            return _with_type(_constant(node, draft.outcome, ledger))
        return _with_type(_without_duplicates(node))

    return draft.having(rewrite(draft.root, change), ledger)


def _constant(node: Node, outcome: Outcome, ledger: list[Entry]) -> Node:
    """Return a schema that has a `const` without its `enum`."""
    values = node.value("enum")
    if isinstance(values, list) and key(node.value("const")) not in map(key, values):
        ledger += impossible(node, NAME)
        return NEVER
    ledger += entries(node.of("enum"), outcome, NAME, "`const` is one of its values")
    return node.without("enum")


def _without_duplicates(node: Node) -> Node:
    values = node.value("enum")
    if not isinstance(values, list):
        return node
    once = {key(value): value for value in reversed(values)}
    return node if len(once) == len(values) else node.having("enum", list(reversed(once.values())))


def _with_type(node: Node) -> Node:
    values = limited(node)
    if not values or "type" in node:
        return node
    stated = common_type(values)
    return node.having("type", stated, ()) if stated else node
