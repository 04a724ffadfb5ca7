"""Replace references by the definitions that they name, if the provider requires it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.features import recursive_definitions, references, refuses
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Members, Node, below, every, rewrite
from toolspec.shared.records import replace
from toolspec.syntax.pointer import format_pointer, parse_fragment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "inline-references"
DEFINITION = "#/$defs/"
BUDGET = 20_000
DEEPEST = 64
# Other characters have to be escaped in a pointer, or in a URI, and few providers undo that.
_PLAIN = re.compile(r"#/\$defs/[\w.-]+", re.ASCII)


def inline_references(draft: Draft, options: Options) -> Draft:
    """Return the draft with references resolved; `what` selects which.

    `all`: only recursive ones are left, with their siblings. `siblings`: those with a constraint or
    an annotation next to them, so that remaining references have no siblings. `none`: only what the
    others do as well: references lead to `#` or `#/$defs/NAME`, and the root is not a reference.
    Refuses at the reference where the result would have more than `nodes` schemas or be nested
    deeper than 64.
    """
    if draft.root is None or not ("$defs" in draft.root or references(draft.root)):
        return draft
    hoisted = _hoisted(draft.root)
    root = _root_inlined(hoisted)
    ledger = (
        list(entries(draft.root.of("$ref"), draft.outcome, NAME)) if root is not hoisted else []
    )
    what = options.text("what", "all")
    if what == "none":
        return draft.having(root, ledger)
    inlining = _Inlining(draft, root, what, options.number("nodes", BUDGET))
    inlined = draft.having(inlining.root(), (*ledger, *inlining.ledger))
    return replace(inlined, is_overgrown=True) if inlining.is_overgrown else inlined


def _hoisted(root: Node) -> Node:
    """Return the tree in which every reference leads to the root or to one of its definitions.

    Definitions below the root have moved to it, with everything only they contained.
    """
    locations = {node.location: node for node in every(root)}
    defined = dict(root.named("$defs"))
    names: dict[str, str] = {}
    for text in filter(_is_odd, sorted(references(root))):
        location = format_pointer(parse_fragment(text[1:]))
        if location in locations:
            names[text] = _free(location.rpartition("/")[2], defined)
            defined[names[text]] = locations[location]

    def change(node: Node) -> Node:
        text = node.value("$ref")
        if isinstance(text, str) and text in names:
            node = node.having("$ref", f"#/$defs/{names[text]}")
        return node.without("definitions", *(() if node.location == "" else ("$defs",)))

    return rewrite(root.having("$defs", Members(defined)) if names else root, change)


def _is_odd(text: str) -> bool:
    """Return whether a reference is a pointer that needs a plain name; an anchor is an error already."""
    return text.startswith("#/") and not _PLAIN.fullmatch(text)


def _free(name: str, taken_names: Mapping[str, Node]) -> str:
    plain = "".join(sign if sign.isalnum() and sign.isascii() else "_" for sign in name)
    number, candidate = 2, plain
    while candidate in taken_names:
        candidate, number = f"{plain}{number}", number + 1
    return candidate


def _root_inlined(root: Node) -> Node:
    """Return the tree with a root that is not a reference, as every provider requires."""
    visited: set[str] = set()
    while isinstance(text := root.value("$ref"), str) and text not in visited:
        visited.add(text)
        target = root.named("$defs").get(text.removeprefix(DEFINITION))
        if target is None:
            break
        root = beside(root, target)
    return root


def beside(site: Node, target: Node) -> Node:
    """Return a reference's target with the site's keywords; annotations of the site win."""
    own = site.without("$ref")
    annotations = own.without(*filter(refuses, own.words))
    limits = own.without(*annotations.words)
    origins = {
        word: (*target.of(word), *annotations.of(word))
        for word in {**target.words, **annotations.words}
    }
    merged = replace(
        target, words={**target.words, **annotations.words}, origins=origins, location=site.location
    )
    if not limits.words:
        return merged
    parts = (merged.without(*annotations.words), replace(limits, notes=()))
    return replace(
        merged.only(annotations.words).having("allOf", parts, site.of("$ref")),
        location=site.location,
    )


def unrolled(draft: Draft, node: Node, ledger: list[Entry]) -> Node:
    """Return a schema with the target of its `$ref` inlined, one level deep."""
    met: set[str] = set()
    while (text := str(node.value("$ref") or "")) and text not in met:
        met.add(text)
        target = draft.resolve(text)
        if target is not None:
            ledger += entries(node.of("$ref"), draft.outcome, NAME, "replaced by its definition")
            node = beside(node, target)
    return node


class _Inlining:
    """Inlines references in a tree, all of which lead to definitions."""

    def __init__(self, draft: Draft, root: Node, what: str, budget: int) -> None:
        self._outcome = draft.outcome
        self._root = root
        self._what = what
        self._budget = budget
        self._recursive = recursive_definitions(root)
        self._inlined: dict[str, Node] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self.ledger: list[Entry] = []
        self.is_overgrown = False

    def root(self) -> Node:
        """Return the tree with its references inlined, and the definitions."""
        bodies = self._root.named("$defs")
        for name in inner_first(bodies):
            text = f"{DEFINITION}{name}"
            self._inlined[text] = rewrite(bodies[name], self._change)
            self._sizes[text] = measure(self._inlined[text])
        root = rewrite(self._root.without("$defs"), self._change)
        self.ledger += entries(self._root.of("$defs"), self._outcome, NAME)
        definitions = {name: self._inlined[DEFINITION + name] for name in bodies}
        return (
            root.having("$defs", Members(definitions), self._root.of("$defs"))
            if definitions
            else root
        )

    def _change(self, node: Node) -> Node:
        text = node.value("$ref")
        if not isinstance(text, str):
            return node
        siblings = node.words.keys() - {"$ref", "$defs"}
        if text in self._recursive or text not in self._inlined:
            return _wrapped(node) if siblings and self._what == "siblings" else node
        if self._what == "siblings" and not siblings:
            return node
        size, depth = self._sizes[text]
        self._budget -= size
        if self._budget < 0 or depth > DEEPEST:
            detail = "its definition is too large to inline"
            self.ledger += entries(node.of("$ref"), Outcome.REFUSED, NAME, detail)
            self.is_overgrown = True
            return node
        self.ledger += entries(node.of("$ref"), self._outcome, NAME, "replaced by its definition")
        return beside(node, self._inlined[text])


def _wrapped(node: Node) -> Node:
    """Return a reference that stays, separated from its siblings."""
    annotations = [word for word in node.words if not refuses(word)]
    limits = node.without("$ref", *annotations)
    alone = replace(node.only({"$ref"}), location=node.location)
    around = node.without("$ref", *limits.words)
    if not limits.words:
        return around.having("anyOf", (alone,), ())
    return around.having("allOf", (alone, replace(limits, notes=())), node.of("$ref"))


def measure(root: Node) -> tuple[int, int]:
    """Return the number of schemas in a tree, and their nesting depth."""
    count = depth = 0
    level = [root]
    while level:
        count, depth = count + len(level), depth + 1
        level = [child for node in level for _, _, child in below(node)]
    return count, depth


def inner_first(bodies: Mapping[str, Node]) -> list[str]:
    """Return the names of definitions, each after those it refers to, except in cycles."""
    leads = {name: references(body) for name, body in bodies.items()}
    ordered: dict[str, None] = {}
    entered: set[str] = set()
    for start in bodies:
        stack = [(start, False)]
        while stack:
            name, is_complete = stack.pop()
            if is_complete:
                ordered[name] = None
            elif name in bodies and name not in entered:
                entered.add(name)
                inner = sorted(text.removeprefix(DEFINITION) for text in leads[name])
                stack += [(name, True), *((inner_name, False) for inner_name in inner)]
    return list(ordered)
