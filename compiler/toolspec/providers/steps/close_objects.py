"""Close every object, as strict modes require."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.draft import implied, lost
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import NEVER, Members, Node, rewrite

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "close-objects"


def close_objects(draft: Draft, _: Options) -> Draft:
    """Return the draft with `additionalProperties: false` on every object.

    An open object loses its further properties: narrowed. One without any listed property is
    refused, because a model could only answer `{}`.
    """
    if draft.root is None:
        return draft
    root = draft.root
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        if "object" not in node.types and "properties" not in node:
            return node
        if node.additional.is_never:
            return node if "properties" in node else node.having("properties", Members({}), ())
        origins = node.of("additionalProperties")
        is_bare = not node.named("properties")
        outcome = Outcome.REFUSED if is_bare else Outcome.NARROWED
        detail = "an object without properties" if is_bare else "no further properties"
        ledger.extend(
            lost(node, {"additionalProperties"}, outcome, NAME, detail)
            if origins
            else [implied(node, "additionalProperties", outcome, NAME, detail)]
        )
        return node.having("additionalProperties", NEVER)

    return draft.having(rewrite(root, change), ledger)
