"""Merge an `allOf` into one schema, then replace `unevaluatedProperties` by `additionalProperties`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, impossible
from toolspec.providers.features import recursive_definitions, refuses
from toolspec.providers.keyword_merging import STEP, UnmergeableError
from toolspec.providers.ledger import Outcome
from toolspec.providers.merging import merge
from toolspec.providers.node import Members, Node, rewrite
from toolspec.providers.steps.inline_references import DEFINITION, beside, inner_first
from toolspec.shared.keywords import IN_PLACE
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

_APPLYING = (IN_PLACE | {"$ref", "$dynamicRef"}) - {"not"}
_UNEVALUATED = (
    ("unevaluatedProperties", "additionalProperties", frozenset[str]()),
    ("unevaluatedItems", "items", frozenset({"contains"})),
)


def merge_all_of(draft: Draft, options: Options) -> Draft:
    """Return the draft without `allOf`; with `where: root`, without one at the root.

    One that cannot be merged into one schema is refused; with `or: keep` it stays.
    """
    if draft.root is None or draft.lacks("allOf", "unevaluatedProperties", "unevaluatedItems"):
        return draft
    merging = Merging(draft, draft.root, is_kept=options.text("or") == "keep")
    if options.text("where") == "root":
        return draft.having(merging.change(draft.root), merging.ledger)
    return draft.having(merging.root(draft.root), merging.ledger)


class Merging:
    """Merges the `allOf` of schemas of one tree, and collects the entries."""

    def __init__(self, draft: Draft, root: Node, *, is_kept: bool) -> None:
        self._outcome = draft.outcome
        self._is_kept = is_kept
        self._defined = {
            DEFINITION + name: definition for name, definition in root.named("$defs").items()
        }
        self._recursive = recursive_definitions(root)
        self.ledger: list[Entry] = []

    def root(self, root: Node) -> Node:
        """Return the tree with every schema changed, definitions before their users."""
        bodies = root.named("$defs")
        for name in inner_first(bodies):
            self._defined[DEFINITION + name] = rewrite(bodies[name], self.change)
        merged = rewrite(root.without("$defs"), self.change)
        if not bodies:
            return merged
        changed = {name: self._defined[DEFINITION + name] for name in bodies}
        return merged.having("$defs", Members(changed), root.of("$defs"))

    def change(self, node: Node) -> Node:
        """Return a schema with its `allOf` merged into it."""
        if "allOf" not in node:
            return self._evaluated(node)
        alone = _single(node)
        if alone is not None:
            self.ledger += entries(node.of("allOf"), self._outcome, STEP, "one reference")
            return alone
        waiting = [word for word, _, _ in _UNEVALUATED if word in node]
        ledger: list[Entry] = []
        try:
            merged = node.without("allOf", *waiting)
            for branch in node.many("allOf"):
                merged = merge(merged, self.resolved(branch), ledger, self.resolved)
            merged = replace(merged, location=node.location)
        except UnmergeableError as problem:
            if self._is_kept:
                return node
            self.ledger += entries(node.of("allOf"), Outcome.REFUSED, STEP, str(problem))
            return node
        self.ledger += (
            *ledger,
            *entries(node.of("allOf"), self._outcome, STEP, "merged into one schema"),
        )
        if merged.is_never:
            self.ledger += impossible(node, STEP, waiting)
            return merged
        for word in waiting:
            merged = merged.having(word, node.words[word], node.of(word))
        return (
            self._evaluated(self.change(merged)) if "allOf" in merged else self._evaluated(merged)
        )

    def resolved(self, branch: Node) -> Node:
        """Return the target of a reference that is not recursive, else the schema unchanged."""
        chain = [branch]
        while (target := self._target(chain[-1])) is not None:
            self.ledger += entries(
                chain[-1].of("$ref"), self._outcome, STEP, "replaced by its definition"
            )
            chain.append(target)
        target_schema = chain.pop()
        while chain:
            target_schema = self.change(beside(chain.pop(), target_schema))
        return target_schema

    def _target(self, node: Node) -> Node | None:
        text = node.value("$ref")
        return None if text in self._recursive else self._defined.get(str(text))

    def _evaluated(self, node: Node) -> Node:
        """Return a schema with unevaluated keywords as `additionalProperties` and `items`."""
        for word, replacement, others in _UNEVALUATED:
            if word not in node:
                continue
            if replacement in node:
                self.ledger += entries(
                    node.of(word), Outcome.DROPPED, STEP, f"`{replacement}` leaves nothing"
                )
                node = node.without(word)
            elif not (_APPLYING | others) & node.words.keys():
                schema, origins = node.words[word], node.of(word)
                node = node.without(word).having(replacement, schema, origins)
        return node


def _single(node: Node) -> Node | None:
    """Return a schema with `allOf` of one reference as `anyOf` of it; None for others."""
    branches = node.many("allOf")
    if len(branches) != 1 or "$ref" not in branches[0]:
        return None
    if any(refuses(word) for word in node.words if word != "allOf") or branches[0].words.keys() != {
        "$ref"
    }:
        return None
    if not node.words.keys() - {"allOf"}:
        return replace(branches[0], notes=node.notes)
    return node.without("allOf").having("anyOf", branches, ())
