"""Write nullable types in the provider's form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import entries, lost
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, Note, rewrite
from toolspec.providers.sentences import rank
from toolspec.providers.shapes import limited
from toolspec.providers.steps.single_form import annotated
from toolspec.shared.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "spell-null"
_NULL = ANNOTATIONS | {"type", "enum", "const"}


def spell_null(draft: Draft, options: Options) -> Draft:
    """Return the draft with nullable schemas in the form that `as` names.

    `type`: `type: [T, null]` where there is one other option and it has one type, else `anyOf`.
    `anyOf`: always a separate option. `nullable`: OpenAPI's `nullable: true`, without null in
    `enum`. The description of the null option is noted.
    """
    if draft.root is None or draft.lacks("anyOf", "enum", "type"):
        return draft
    form = options.text("as", "type")
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if form == "anyOf":
            return node
        others, nulls = _split_nulls(node)
        if not others or not nulls:
            return _enum_without_null(node) if form == "nullable" else node
        nullable = _nullable(node, others) if form == "nullable" else _with_null_type(node, others)
        if nullable is node:
            return node
        ledger.extend(entries(node.of("anyOf"), draft.outcome, NAME, "null is one of its types"))
        return nullable.noted(
            *(note for null in nulls for note in _notes_of_null(null, draft.outcome, ledger))
        )

    return draft.having(rewrite(draft.root, change), ledger)


def _split_nulls(node: Node) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Return the options of a schema that are not null, and those that only allow null."""
    branches = node.many("anyOf")
    nulls = tuple(branch for branch in branches if _is_null(branch))
    return tuple(branch for branch in branches if not _is_null(branch)), nulls


def _is_null(form: Node) -> bool:
    allowed = limited(form) or (None,)
    return form.value("type") == "null" and form.words.keys() <= _NULL and None in allowed


def _notes_of_null(null: Node, outcome: Outcome, ledger: list[Entry]) -> Iterator[Note]:
    """Yield the notes of a removed null option."""
    ledger += entries(null.of("type", "enum", "const"), outcome, NAME, "null is one of its types")
    description = null.value("description")
    moved = {"description"} if isinstance(description, str) and description else set()
    ledger += lost(null, moved, Outcome.MOVED, NAME, "moved to the description of null")
    ledger += lost(
        null, ANNOTATIONS - moved, Outcome.DROPPED, NAME, "null has no schema of its own"
    )
    if moved:
        yield Note(rank("description"), f"Null: {description}", null.of("description"))
    yield from null.notes


def _with_null_type(node: Node, others: tuple[Node, ...]) -> Node:
    around = node.without("anyOf")
    if len(others) > 1 or not isinstance(others[0].value("type"), str):
        return node
    if around.words.keys() - ANNOTATIONS or "anyOf" in others[0] or "const" in others[0]:
        return node
    form = others[0]
    nullable = form.having("type", [str(form.value("type")), "null"])
    values = nullable.value("enum")
    if isinstance(values, list) and None not in values:
        nullable = nullable.having("enum", [*values, None])
    return annotated(nullable, around)


def _nullable(node: Node, others: tuple[Node, ...]) -> Node:
    around = node.without("anyOf")
    if len(others) > 1:
        return node.having("anyOf", others).having("nullable", value=True, origins=())
    if around.words.keys() - ANNOTATIONS:
        return node
    return annotated(
        _enum_without_null(others[0]).having("nullable", value=True, origins=()), around
    )


def _enum_without_null(node: Node) -> Node:
    types, values = node.types, node.value("enum")
    if isinstance(values, list) and None in values and len(values) > 1:
        remaining = [value for value in values if value is not None]
        node = node.having("enum", [*remaining]).having("nullable", value=True, origins=())
    single = [type_ for type_ in types if type_ != "null"]
    if "null" in types and len(single) == 1:
        node = node.having("type", single[0]).having("nullable", value=True, origins=())
    return node
