"""Prints a YAML document: blocks of two spaces, and short flow style where the author used it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.formatting.nodes import WIDTH, Collection, Scalar
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.formatting.nodes import Comment, Member, Node, SyntaxTree


def yaml_text(tree: SyntaxTree) -> str:
    """Return the text of a document; each line ends with a line feed."""
    printer = _Printer()
    if tree.directives:
        printer.lines += tree.directives.split("\n")
    printer.comments(tree.head, "")
    if tree.head and tree.head_gap:
        printer.blank()
    assert isinstance(tree.root, Collection)  # the parser rejects everything else
    printer.root(tree.root)
    if tree.tail:
        printer.lines += tree.tail.split("\n")
    return "\n".join(printer.lines) + "\n"


@dataclass(slots=True)
class _Printer:
    """Printed lines; `is_kept` means that a blank line would now belong to the preceding text."""

    lines: list[str] = field(default_factory=list)
    is_kept: bool = False

    def root(self, node: Collection) -> None:
        if not node.members:
            self.lines.append(f"{node.anchor} {_flow(node)}".lstrip())
            self.comments(node.foot, "")
        else:
            if node.anchor:
                self.lines.append(node.anchor)
            self._members(node, "")

    def blank(self) -> None:
        if not self.is_kept and self.lines and self.lines[-1]:
            self.lines.append("")

    def comments(self, comments: Iterable[Comment], indent: str) -> None:
        for comment in comments:
            if comment.blank:
                self.blank()
            self.lines.append(indent + comment.text)
            self.is_kept = False

    def _members(self, node: Collection, indent: str) -> None:
        for position, member in enumerate(node.members):
            if member.blank and position:
                self.blank()
            self.comments(member.lead, indent)
            if member.gap and member.lead:
                self.blank()
            if node.is_mapping:
                self._member(member, indent, indent)
            else:
                self._item(member, indent, indent)
        self.comments(node.foot, indent)

    def _member(self, member: Member, before: str, indent: str) -> None:
        """Print a member; `before` is the text before its key on the line."""
        value = member.value
        head = f"{before}{member.key}:"
        if isinstance(value, Scalar):
            self._scalar(head, value, indent, member.trail)
        elif self._fits(head, value):
            self._line(_joined(head, value.anchor, _flow(value)), member.trail)
        else:
            self._line(_joined(head, value.anchor), member.trail)
            self._members(value, f"{indent}  ")

    def _item(self, member: Member, before: str, indent: str) -> None:
        value = member.value
        head = f"{before}-"
        if isinstance(value, Scalar):
            self._scalar(head, value, indent, member.trail)
        elif self._fits(head, value):
            self._line(_joined(head, value.anchor, _flow(value)), member.trail)
        elif value.anchor or member.trail or value.members[0].lead:
            self._line(_joined(head, value.anchor), member.trail)
            self._members(value, f"{indent}  ")
        else:
            self._compact(value, f"{head} ", f"{indent}  ")

    def _compact(self, node: Collection, before: str, indent: str) -> None:
        """Print a collection as a list item, its first member after the dash."""
        first = node.members[0]
        rest = Collection(node.is_mapping, members=node.members[1:], foot=node.foot)
        if node.is_mapping:
            self._member(first, before, indent)
        else:
            self._item(first, before, indent)
        if rest.members and rest.members[0].blank:
            self.blank()
        self._members(rest, indent)

    def _scalar(self, head: str, scalar: Scalar, indent: str, trail: str) -> None:
        deeper = f"{indent}  "
        first, *others = scalar.lines
        if scalar.is_block:
            self.lines.append(_joined(head, scalar.anchor, first, trail))
            self.lines += (deeper + line if line else "" for line in others)
            self.is_kept = scalar.keeps
            return
        line = _joined(head, scalar.anchor, first)
        if scalar.is_apart and not others and not trail and len(line) > WIDTH:
            self._line(_joined(head, scalar.anchor), "")
            line = deeper + first
        if not others:
            self._line(line, trail)
            return
        self.lines.append(line)
        self.lines += (deeper + text if text else "" for text in others[:-1])
        self._line(deeper + others[-1], trail)

    def _line(self, text: str, trail: str) -> None:
        self.lines.append(f"{text} {trail}" if trail else text)
        self.is_kept = False

    def _fits(self, head: str, node: Collection) -> bool:
        """Return whether a collection goes on one line: it did and it fits, or it is empty."""
        if not node.members:
            return True
        return node.is_line and len(_joined(head, node.anchor, _flow(node))) <= WIDTH


def _flow(node: Node) -> str:
    """Return a node in flow style on one line, without comments."""
    if isinstance(node, Scalar):
        return _joined(node.anchor, *node.lines)
    inner = ", ".join(_flow_member(member, node) for member in node.members)
    return f"{{{inner}}}" if node.is_mapping else f"[{inner}]"


def _flow_member(member: Member, holder: Collection) -> str:
    value = member.value
    text = _flow(value)
    if isinstance(value, Collection) and value.anchor:
        text = f"{value.anchor} {text}"
    if not holder.is_mapping:
        return text
    return f"{member.key}: {text}" if text else member.key


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
