"""Cut off recursive schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, impossible
from toolspec.providers.features import recursive_definitions, references
from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.node import NEVER, Members, Node, every, rewrite
from toolspec.providers.pruning import prune
from toolspec.providers.steps.inline_references import DEFINITION, beside, measure
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options

NAME = "cut-recursion"
BUDGET = 20_000


def cut_recursion(draft: Draft, options: Options) -> Draft:
    """Return the draft without recursive references that the profile cannot express.

    `how` is `refuse`; `unroll`: definitions replace references `times` levels deep, and the last
    level omits them; or `optional`: references that recur only through optional properties stay,
    the others are unrolled.
    """
    root = draft.root
    recursive = recursive_definitions(root) if root else frozenset()
    if root is None or not recursive:
        return draft
    how = options.text("how", "refuse")
    if how == "refuse":
        return draft.having(root, _refused(root, recursive))
    if how == "optional":
        recursive = recursive_definitions(rewrite(root, _without_optional))
    return _unrolled(draft, root, recursive, options.number("times", 2)) if recursive else draft


def _refused(root: Node, recursive: frozenset[str]) -> Iterator[Entry]:
    for node in every(root):
        if node.value("$ref") in recursive:
            yield from entries(node.of("$ref"), Outcome.REFUSED, NAME, "it is recursive")


def _without_optional(node: Node) -> Node:
    """Return a schema with required members only; items count as required, too."""
    required = {
        name: member for name, member in node.named("properties").items() if name in node.required
    }
    others = node.without("properties", "additionalProperties", "patternProperties")
    return others.having("properties", Members(required)) if required else others


def _unrolled(draft: Draft, root: Node, recursive: frozenset[str], times: int) -> Draft:
    bodies = {f"{DEFINITION}{name}": definition for name, definition in root.named("$defs").items()}
    bodies["#"] = root.without("$defs")
    unrolling = _Unrolling(recursive)
    level: dict[str, Node] = dict.fromkeys(recursive, NEVER)
    stay = [name for name in bodies if name == "#" or name not in recursive]
    for names in reversed(_unrolled_levels(bodies, recursive, stay, times)):
        level = {name: unrolling.level(bodies[name], level) for name in names}
        if any(measure(body)[0] > BUDGET for body in level.values()):
            detail = "it is too large to unroll"
            at = (at for body in bodies.values() for at in _sites(body))
            refused = draft.having(root, entries(tuple(at), Outcome.REFUSED, NAME, detail))
            return replace(refused, is_overgrown=True)
    remaining = {name: unrolling.level(bodies[name], level) for name in stay}
    new_root, ledger = remaining.pop("#"), unrolling.ledger
    ledger += entries(root.of("$defs"), draft.outcome, NAME)
    if new_root.is_never:
        ledger.append(
            Entry("", "", Outcome.REFUSED, NAME, "no value is possible without recursion")
        )
        return draft.having(root, ledger)
    if remaining:
        defined = {
            name.removeprefix(DEFINITION): definition for name, definition in remaining.items()
        }
        new_root = new_root.having("$defs", Members(defined), root.of("$defs"))
    return draft.having(new_root, ledger)


def _unrolled_levels(
    bodies: Mapping[str, Node], recursive: frozenset[str], names: Iterable[str], times: int
) -> list[frozenset[str]]:
    """Return the references that are unrolled at each level, the outermost first."""
    levels: list[frozenset[str]] = []
    for _ in range(times):
        leading = (references(bodies[name]) for name in names)
        names = recursive.intersection(text for texts in leading for text in texts)
        levels.append(names)
    return levels


def _sites(root: Node) -> tuple[str, ...]:
    return tuple(at for node in every(root) for at in node.of("$ref"))


class _Unrolling:
    """Unrolls definitions: their recursive references become those of one level less."""

    def __init__(self, recursive: frozenset[str]) -> None:
        self._recursive = recursive
        self.ledger: list[Entry] = []

    def level(self, body: Node, inner: Mapping[str, Node]) -> Node:
        return rewrite(body, lambda node: self._change(node, inner))

    def _change(self, node: Node, inner: Mapping[str, Node]) -> Node:
        text = node.value("$ref")
        if text not in self._recursive:
            return prune(node, NAME, self.ledger)
        self.ledger += entries(
            node.of("$ref"), Outcome.NARROWED, NAME, "limited to the depth to which it is unrolled"
        )
        target = inner[str(text)]
        if not target.is_never:
            return beside(node, target)
        beyond = node.without("$ref")
        self.ledger += impossible(beyond, NAME)
        return replace(target, location=node.location)
