"""Parses JSON into nodes that keep the spelling of every scalar."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.driver.formatting.nodes import Collection, Member, Scalar, SyntaxTree, is_on_a_line

if TYPE_CHECKING:
    from toolspec.driver.formatting.nodes import Node

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{}:,]|[^][{}:,"\s]+')


def read_json(text: str) -> SyntaxTree:
    """Return the nodes of a valid JSON text."""
    tokens = [(match[0], match.start()) for match in _TOKEN.finditer(text)]
    # A finished value goes into the open collection; an object has the key that waits for it.
    root: list[Node] = []
    stack: list[tuple[Collection, int]] = []
    key = ""
    for position, (token, start) in enumerate(tokens):
        if token in {",", ":"}:
            continue
        if token in {"{", "["}:
            opened = Collection(is_mapping=text[start] == "{")
            _put(opened, key, stack, root)
            stack.append((opened, start))
        elif token in {"}", "]"}:
            ended, began = stack.pop()
            ended.is_line = is_on_a_line(text, began, start)
        elif tokens[position + 1 : position + 2] and tokens[position + 1][0] == ":":
            key = token
        else:
            _put(Scalar((token,)), key, stack, root)
    return SyntaxTree(root[0])


def _put(node: Node, key: str, stack: list[tuple[Collection, int]], root: list[Node]) -> None:
    if not stack:
        root.append(node)
        return
    holder = stack[-1][0]
    holder.members.append(Member(key if holder.is_mapping else "", node))
