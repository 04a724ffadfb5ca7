"""Notes: sentences for a description that replace keywords of a schema."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, lost
from toolspec.providers.features import references
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, Note, every, rewrite
from toolspec.providers.sentences import ORDER, WITH, rank, schema_text, sentence
from toolspec.providers.shapes import limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Pointers

_DEFINITION = "#/$defs/"


def without(
    node: Node,
    words: Iterable[str],
    step: str,
    ledger: list[Entry],
    defined: Mapping[str, Node] | None = None,
) -> Node:
    """Return a schema with notes in place of some keywords.

    `defined` are the definitions for references in those keywords. Entries for the keywords are
    appended to `ledger`; one without a sentence rejects no value.
    """
    gone = [word for word in node.words if word in set(words)]
    made = notes(node, gone, defined)
    noted = {at for each in made for at in each.origins}
    ledger += (
        each for each in lost(node, gone, Outcome.DROPPED, step) if each.pointer not in noted
    )
    for each in made:
        ledger += entries(each.origins, Outcome.MOVED, step)
    return node.without(*gone).noted(*made)


def notes(
    node: Node, words: Iterable[str], defined: Mapping[str, Node] | None = None
) -> list[Note]:
    """Return the notes for keywords of a schema, in a fixed order."""
    gone = node.only(set(words))
    left = [word for word in ORDER if word in gone]
    left += [word for word in gone.words if word not in ORDER]
    within = {each for word in left for each in WITH.get(word, ())}
    made = (
        _note(gone.only({word, *WITH.get(word, ())}), word, defined or {})
        for word in left
        if word not in within
    )
    return [each for each in made if each.text]


def _note(gone: Node, word: str, defined: Mapping[str, Node]) -> Note:
    held = whole(gone)
    text = sentence(held, word)
    origins = _origins(held)
    used = _used(held, defined)
    if text and used:
        where = " and ".join(f"{name} is {schema_text(each)}" for name, each in used.items())
        text = f"{text.removesuffix('.')}, where {where}."
        origins = (*origins, *(at for each in used.values() for at in _origins(each)))
    return Note(rank(word), text, origins, held)


def whole(root: Node) -> Node:
    """Return a schema with the keywords that notes replaced, as its author wrote it."""
    return rewrite(root, _restored)


def _restored(node: Node) -> Node:
    if limited(node) is not None and "type" in node and not node.of("type"):
        node = node.without("type")  # The values implied it until a step added it.
    for held in (note.held for note in node.notes if note.held):
        if "prefixItems" in held and "prefixItems" not in node:
            node = node.without("items")  # any of the listed items: the list itself is restored
        if held.words.keys() & node.words.keys():
            node = node.having("allOf", (*node.many("allOf"), held))
            continue
        for word, value in held.words.items():
            node = node.having(word, value, held.of(word))
    return replace(node, notes=()) if node.notes else node


def _origins(root: Node) -> Pointers:
    return tuple(at for node in every(root) for origin in node.origins.values() for at in origin)


def _used(root: Node, defined: Mapping[str, Node]) -> dict[str, Node]:
    """Return the definitions that a schema's references lead to, by reference, restored."""
    used: dict[str, Node] = {}
    waiting = [root]
    while waiting:
        for text in sorted(references(waiting.pop())):
            body = defined.get(text.removeprefix(_DEFINITION))
            if body is not None and text not in used:
                used[text] = whole(body)
                waiting.append(used[text])
    return used
