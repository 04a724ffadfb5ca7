"""Notes: sentences for a description that replace keywords of a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, lost
from toolspec.providers.features import references
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, Note, every, rewrite
from toolspec.providers.sentences import ORDER, WITH, rank, schema_text, sentence
from toolspec.providers.shapes import limited
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.providers.ledger import Entry
    from toolspec.providers.node import Pointers

_DEFINITION = "#/$defs/"


def move_to_notes(
    node: Node,
    words: Iterable[str],
    step: str,
    ledger: list[Entry],
    defined: Mapping[str, Node] | None = None,
) -> Node:
    """Return a schema with notes in place of some keywords.

    `defined` are the definitions for references in those keywords. Entries for the keywords are
    appended to `ledger`; a keyword without a sentence is dropped.
    """
    gone = [word for word in node.words if word in set(words)]
    new_notes = notes(node, gone, defined)
    noted = {at for note in new_notes for at in note.origins}
    ledger += (
        entry for entry in lost(node, gone, Outcome.DROPPED, step) if entry.pointer not in noted
    )
    for note in new_notes:
        ledger += entries(note.origins, Outcome.MOVED, step)
    return node.without(*gone).noted(*new_notes)


def notes(
    node: Node, words: Iterable[str], defined: Mapping[str, Node] | None = None
) -> list[Note]:
    """Return the notes for keywords of a schema, in a fixed order."""
    gone = node.only(set(words))
    ordered = [word for word in ORDER if word in gone]
    ordered += [word for word in gone.words if word not in ORDER]
    within = {part for word in ordered for part in WITH.get(word, ())}
    candidates = (
        _note(gone.only({word, *WITH.get(word, ())}), word, defined or {})
        for word in ordered
        if word not in within
    )
    return [note for note in candidates if note.text]


def _note(gone: Node, word: str, defined: Mapping[str, Node]) -> Note:
    source = whole(gone)
    text = sentence(source, word)
    origins = _origins(source)
    used = _used(source, defined)
    if text and used:
        where = " and ".join(
            f"{name} is {schema_text(definition)}" for name, definition in used.items()
        )
        text = f"{text.removesuffix('.')}, where {where}."
        origins = (*origins, *(at for definition in used.values() for at in _origins(definition)))
    return Note(rank(word), text, origins, source)


def whole(root: Node) -> Node:
    """Return a schema with the keywords that notes replaced, as its author wrote it."""
    return rewrite(root, _restored)


def _restored(node: Node) -> Node:
    if limited(node) is not None and "type" in node and not node.of("type"):
        node = node.without("type")  # The values implied it until a step added it.
    for replaced in (note.schema for note in node.notes if note.schema):
        if "prefixItems" in replaced and "prefixItems" not in node:
            node = node.without("items")  # any of the listed items: the list itself is restored
        if replaced.words.keys() & node.words.keys():
            node = node.having("allOf", (*node.many("allOf"), replaced))
            continue
        for word, value in replaced.words.items():
            node = node.having(word, value, replaced.of(word))
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
