"""Replace `const` by an `enum` of one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.node import Node, rewrite
from toolspec.providers.shapes import type_of

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options


def const_to_enum(draft: Draft, _: Options) -> Draft:
    """Return the draft with scalar `const` values as `enum`, and with their type.

    With an `enum` next to it, the value is one of that list, or no value would be left.
    """
    if draft.root is None or draft.lacks("const"):
        return draft
    return draft.having(rewrite(draft.root, _as_enum))


def _as_enum(node: Node) -> Node:
    value = node.value("const")
    if "const" not in node or isinstance(value, (dict, list)):
        return node
    enum = node.without("const").having("enum", [value], node.of("const", "enum"))
    return enum if "type" in node else enum.having("type", type_of(value), ())
