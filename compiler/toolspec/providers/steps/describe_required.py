"""Describe every required property."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.node import Members, Node, rewrite

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options


def describe_required(draft: Draft, _: Options) -> Draft:
    """Return the draft in which `required` lists only properties with a schema.

    A property without one gets the schema of the object's further properties; that is equivalent
    unless patterns decide which schema a name has.
    """
    if draft.root is None or draft.lacks("required"):
        return draft
    return draft.having(rewrite(draft.root, _described))


def _described(node: Node) -> Node:
    properties = node.named("properties")
    missing = [name for name in node.required if name not in properties]
    if not missing or node.additional.is_never or "patternProperties" in node:
        return node
    added = {name: Node(location=f"{node.location}/properties/{name}") for name in missing}
    if not node.additional.is_empty:
        added = dict.fromkeys(missing, node.additional)
    return node.having("properties", Members({**properties, **added}))
