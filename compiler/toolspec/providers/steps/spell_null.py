"""Spell "or null" as the provider does (A7)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.node import Node, rewrite
from toolspec.schema.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "spell-null"


def spell_null(draft: Draft, options: Options) -> Draft:
    """Return the draft with nullable schemas spelt `as` the profile says.

    `type`: `type: [T, null]` where there is one other form and it has one type, else `anyOf`. `anyOf`:
    always a form of its own. `nullable`: OpenAPI's `nullable: true`, with null out of `enum`.
    """
    if draft.root is None or draft.lacks("anyOf", "enum", "type"):
        return draft
    form = options.text("as", "type")
    found: list[Entry] = []

    def change(node: Node) -> Node:
        if form == "anyOf":
            return node
        rest = _without_null(node)
        if rest is None:
            return _enum_without_null(node) if form == "nullable" else node
        others, null = rest
        at = (*null.of("type", "enum", "const"), *node.of("anyOf"))
        found.extend(entries(at, draft.fate, NAME, "null is one of its types"))
        if form == "nullable":
            return _nullable(node, others)
        return _listed(node, others)

    return draft.having(rewrite(draft.root, change), found)


def _without_null(node: Node) -> tuple[tuple[Node, ...], Node] | None:
    """Return the forms of a schema that are not null, and the one that is; None without such a one."""
    branches = node.many("anyOf")
    null = next((each for each in branches if each.words.get("type") == "null"), None)
    if null is None or len(branches) == 1:
        return None
    return tuple(each for each in branches if each is not null), null


def _listed(node: Node, others: tuple[Node, ...]) -> Node:
    around = node.without("anyOf")
    if len(others) > 1 or not isinstance(others[0].value("type"), str):
        return node
    if around.words.keys() - ANNOTATIONS or "anyOf" in others[0] or "const" in others[0]:
        return node
    form = others[0]
    made = form.having("type", [str(form.value("type")), "null"])
    values = made.value("enum")
    if isinstance(values, list) and None not in values:
        made = made.having("enum", [*values, None])
    return _annotated(made, around)


def _nullable(node: Node, others: tuple[Node, ...]) -> Node:
    around = node.without("anyOf")
    if len(others) > 1:
        return node.having("anyOf", others).having("nullable", value=True, origins=())
    if around.words.keys() - ANNOTATIONS:
        return node
    return _annotated(
        _enum_without_null(others[0]).having("nullable", value=True, origins=()), around
    )


def _enum_without_null(node: Node) -> Node:
    types, values = node.types, node.value("enum")
    if isinstance(values, list) and None in values and len(values) > 1:
        left = [each for each in values if each is not None]
        node = node.having("enum", [*left]).having("nullable", value=True, origins=())
    single = [each for each in types if each != "null"]
    if "null" in types and len(single) == 1:
        node = node.having("type", single[0]).having("nullable", value=True, origins=())
    return node


def _annotated(form: Node, around: Node) -> Node:
    """Return a form with the annotations that stood around it, which win."""
    origins = {word: (*form.of(word), *around.of(word)) for word in {**form.words, **around.words}}
    return replace(
        form,
        words={**form.words, **around.words},
        origins=origins,
        place=around.place or form.place,
        notes=(*form.notes, *around.notes),
        coding=(*form.coding, *around.coding),
    )
