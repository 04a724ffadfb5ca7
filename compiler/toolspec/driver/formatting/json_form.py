"""JSON documents for the formatter: parsed into nodes, and printed with two spaces of indent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.driver.formatting.nodes import (
    WIDTH,
    Collection,
    Member,
    Scalar,
    SyntaxTree,
    is_on_a_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def json_text(tree: SyntaxTree) -> str:
    """Return the text of a document; each line ends with a line feed."""
    return "\n".join(_lines("", tree.root, "", "")) + "\n"


def _lines(head: str, node: Node, indent: str, comma: str) -> Iterator[str]:
    """Yield the lines of a value; `head` is the text before it on its first line."""
    if not isinstance(node, Collection) or node.is_line or not node.members:
        line = f"{head}{_inline(node)}{comma}"
        if len(line) <= WIDTH or not isinstance(node, Collection) or not node.members:
            yield line
            return
    opening, closing = "{}" if node.is_mapping else "[]"
    yield f"{head}{opening}"
    deeper = f"{indent}  "
    last = node.members[-1]
    for member in node.members:
        yield from _lines(
            f"{deeper}{_key(member)}", member.value, deeper, "" if member is last else ","
        )
    yield f"{indent}{closing}{comma}"


def _inline(node: Node) -> str:
    if not isinstance(node, Collection):
        return node.lines[0]
    inner = ", ".join(f"{_key(member)}{_inline(member.value)}" for member in node.members)
    return f"{{{inner}}}" if node.is_mapping else f"[{inner}]"


def _key(member: Member) -> str:
    return f"{member.key}: " if member.key else ""
