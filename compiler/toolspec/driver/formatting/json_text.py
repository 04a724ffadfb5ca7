"""Prints a JSON document: indented by two, short values on one line if they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.formatting.nodes import WIDTH, Collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.driver.formatting.nodes import Member, Node, SyntaxTree


def json_text(written: SyntaxTree) -> str:
    """Return the text of a document; each line ends with a line feed."""
    return "\n".join(_lines("", written.root, "", "")) + "\n"


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
    inner = ", ".join(f"{_key(each)}{_inline(each.value)}" for each in node.members)
    return f"{{{inner}}}" if node.is_mapping else f"[{inner}]"


def _key(member: Member) -> str:
    return f"{member.key}: " if member.key else ""
