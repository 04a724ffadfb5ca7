"""End schemas that lead back to themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.features import recursive_definitions
from toolspec.providers.ledger import Entry, Fate
from toolspec.providers.node import NEVER, Members, Node, every, rewrite
from toolspec.providers.pruning import prune
from toolspec.providers.steps.inline_references import beside, measure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "cut-recursion"
BUDGET = 20_000


def cut_recursion(draft: Draft, options: Options) -> Draft:
    """Return the draft without recursive references, as far as the profile cannot take them.

    `how` is `refuse`; `optional`: those stay that a property may be left out on the way; or `unroll`:
    definitions are put in the place of references `times` over, and the last level goes without.
    """
    root = draft.root
    recursive = recursive_definitions(root) if root else frozenset()
    if root is None or not recursive:
        return draft
    match options.text("how", "refuse"):
        case "unroll":
            return _unrolled(draft, root, options.number("times", 2))
        case "optional":
            held = recursive_definitions(rewrite(root, _without_optional))
        case _:
            held = recursive
    found: list[Entry] = []

    def refuse(node: Node) -> Node:
        if node.value("$ref") in held:
            detail = "it leads back to itself"
            found.extend(entries(node.of("$ref"), Fate.REFUSED, NAME, detail))
        return node

    rewrite(root, refuse)
    return draft.having(root, found)


def _without_optional(node: Node) -> Node:
    """Return a schema without the ways that a value can do without."""
    needed = {
        name: each for name, each in node.named("properties").items() if name in node.required
    }
    kept = node.without("properties", "additionalProperties", "patternProperties")
    least = node.value("minItems")
    if not (isinstance(least, int) and least > 0):
        kept = kept.without("items")
    return kept.having("properties", Members(needed)) if needed else kept


def _unrolled(draft: Draft, root: Node, times: int) -> Draft:
    bodies = {f"#/$defs/{name}": each for name, each in root.named("$defs").items()}
    bodies["#"] = root.without("$defs")
    unrolling = _Unrolling(bodies)
    level: dict[str, Node] = dict.fromkeys(bodies, NEVER)
    for _ in range(times):
        level = {name: unrolling.level(body, level) for name, body in bodies.items()}
        if any(measure(each)[0] > BUDGET for each in level.values()):
            at = (at for each in bodies.values() for at in _sites(each))
            detail = "it is too large to be unrolled"
            return draft.having(root, entries(tuple(at), Fate.REFUSED, NAME, detail))
    made = unrolling.level(bodies["#"], level)
    found = unrolling.found
    found += entries(root.of("$defs"), draft.fate, NAME)
    if made.is_never:
        found.append(Entry("", "", Fate.REFUSED, NAME, "no value is left without recursion"))
        return draft.having(root, found)
    return draft.having(made, found)


def _sites(root: Node) -> tuple[str, ...]:
    return tuple(at for node in every(root) for at in node.of("$ref"))


class _Unrolling:
    """Definitions with their references replaced by those of one level less."""

    def __init__(self, bodies: Mapping[str, Node]) -> None:
        self._bodies = bodies
        self.found: list[Entry] = []

    def level(self, body: Node, inner: Mapping[str, Node]) -> Node:
        return rewrite(body, lambda node: self._change(node, inner))

    def _change(self, node: Node, inner: Mapping[str, Node]) -> Node:
        text = node.value("$ref")
        if not isinstance(text, str) or text not in inner:
            return prune(node, NAME, self.found)
        self.found += entries(node.of("$ref"), Fate.NARROWED, NAME, "as deep as it is unrolled")
        target = inner[text]
        return replace(target, place=node.place) if target.is_never else beside(node, target)
