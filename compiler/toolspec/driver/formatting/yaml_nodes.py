"""Parses YAML into nodes: one pass over the parser's events and the comments between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from toolspec.driver.formatting.nodes import (
    Collection,
    Comment,
    Member,
    Scalar,
    SyntaxTree,
    UnprintableError,
    is_on_a_line,
)
from toolspec.shared.records import dataclass, field
from toolspec.syntax.yaml_events import event_reader

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.driver.formatting.nodes import Node

_KEEPS = re.compile(r"[|>][0-9]?\+")
_INDICATED = re.compile(r"([|>])(?:([0-9])|[-+]([0-9]))")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_NO_TOKEN = re.compile(r"(?:\s|#[^\n]*)*")
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
# The column of flow style members, where columns do not place comments.
_NEVER = 1 << 20


class _PlacedComment(NamedTuple):
    """A comment that is not assigned to a node yet."""

    comment: Comment
    column: int
    is_trailing: bool
    is_inside: bool  # it follows the dash of an item and therefore describes the item


def read_yaml(text: str) -> SyntaxTree:
    """Return the nodes of a valid YAML text without CR.

    Raises UnprintableError for syntax that has no canonical form.
    """
    return _Reader(text).document()


@dataclass(slots=True)
class _Reader:
    """Parser state: `at` is the end of the last token, `last` its member.

    `closed` has the block collections that ended since then, innermost first, with their columns,
    `pending` the comments before the first member of the next collection. `blank` is whether a
    blank line preceded the latest token; `seen` has all comments.
    """

    text: str
    at: int = 0
    last: Member | None = None
    closed: list[tuple[int, Collection]] = field(default_factory=list)
    pending: list[Comment] = field(default_factory=list)
    blank: bool = False
    seen: list[str] = field(default_factory=list)
    next_event: Callable[[], Any] = field(init=False)

    def document(self) -> SyntaxTree:
        self.next_event = event_reader(self.text)
        self.next_event()
        directives = self._directives(self.next_event())
        event = self.next_event()
        head = [comment.comment for comment in self._comments(event.start_mark.index)]
        gap = self.blank
        # Comments with no blank line before the first member describe it, unless that is all
        # comments.
        parted = [at for at, comment in enumerate(head) if comment.blank and at]
        if parted and not gap:
            head, self.pending, gap = head[: parted[-1]], head[parted[-1] :], True
            self.pending[0].blank = False
        whole = Member()
        root = self._node(event, whole, -1)
        end = self.next_event()
        stop = end.start_mark.index if end.explicit else len(self.text)
        rest = Member()
        self._location(self._comments(stop), -1, rest)
        if not isinstance(root, Collection):
            message = "it is not a collection"
            raise UnprintableError(message)
        # Comments on the lines of the root's own brackets.
        root.foot += [*whole.lead, *([Comment(whole.trail)] if whole.trail else []), *rest.lead]
        tail = self.text[stop:].rstrip()
        return SyntaxTree(root, head, gap, directives, tail, tuple(sorted(self.seen)))

    def _directives(self, start: Any) -> str:
        """Return the directives, up to the line on which the document begins."""
        if not start.explicit:
            return ""
        self.at = self.text.index("---", start.start_mark.index) + 3
        line = self.text[self.at :].split("\n", 1)[0]
        if line.lstrip().startswith("#"):
            self.at += len(line)
        return self.text[: self.at].strip()

    def _comments(self, stop: int) -> list[_PlacedComment]:
        """Return the comments before the next token, and note whether a blank line precedes it."""
        comments: list[_PlacedComment] = []
        at, text = self.at, self.text
        is_inside = False
        while (start := text.find("#", at, stop)) >= 0:
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            line = text.rfind("\n", 0, start) + 1
            is_trailing = bool(text[line:start].strip("-? \t"))
            is_inside = is_inside or bool(text[at:start].strip())
            has_gap = _BLANK_LINE.search(text, at, start) is not None
            comment = Comment(text[start:end].rstrip(), has_gap)
            self.seen.append(comment.text)
            comments.append(_PlacedComment(comment, start - line, is_trailing, is_inside))
            at = end
        self.blank = _BLANK_LINE.search(text, at, stop) is not None
        self.at = max(self.at, stop)
        return comments

    def _location(self, comments: list[_PlacedComment], column: int, member: Member) -> None:
        """Assign comments to the preceding or following member.

        One that is indented deeper than what follows ends a collection that was closed.
        """
        member.lead += self.pending
        self.pending = []
        for comment in comments:
            home = None if member.lead or comment.is_inside else self._home(comment.column, column)
            if comment.is_trailing and self.last is not None and not self.last.trail:
                self.last.trail = comment.comment.text
            elif home is not None:
                home.foot.append(comment.comment)
            else:
                member.lead.append(comment.comment)
        self.closed.clear()

    def _home(self, column: int, following: int) -> Collection | None:
        if column <= following:
            return None
        return next((collection for at, collection in self.closed if at <= column), None)

    def _node(self, event: Any, holder: Member, column: int) -> Node:
        """Return the node that begins with an event; `column` is that of its collection."""
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            return self._collection(event, holder)
        start, end = event.start_mark.index, event.end_mark.index
        is_apart = "\n" in self.text[self.at : start]
        self._own_lines(start, holder)
        holder.lead += self.pending
        self.pending = []
        self.last = holder
        self.closed.clear()
        if isinstance(event, yaml.AliasEvent):
            self.at = end
            return Scalar((f"*{event.anchor}",))
        return self._scalar(event, column, is_apart=is_apart)

    def _own_lines(self, stop: int, holder: Member) -> None:
        """Keep the comments between a key and its value, on the key's line or below it."""
        for comment in self._comments(stop):
            if comment.is_trailing and not holder.trail:
                holder.trail = comment.comment.text
            else:
                self.pending.append(comment.comment)

    def _scalar(self, event: Any, column: int, *, is_apart: bool = False) -> Scalar:
        text, start, end = self.text, event.start_mark.index, event.end_mark.index
        anchor = ""
        if event.anchor is not None:
            anchor = f"&{event.anchor}"
            start += len(anchor)
            start = end - len(text[start:end].lstrip())
        end = start + len(text[start:end].rstrip())
        if event.style not in {"|", ">"}:
            self.at = max(self.at, end)
            first, *others = text[start:end].split("\n")
            lines = [first, *(line.lstrip(" \t") for line in others)]
            return Scalar(tuple(lines), anchor, is_apart=is_apart and first != "")
        if _KEEPS.match(text, start):
            blank = _BLANK_LINES.match(text, text.find("\n", end) + 1 or len(text))
            end = blank.end() if blank else end
        self.at = end
        lines = text[start:end].removesuffix("\n").split("\n")
        if end == len(text) and not text.endswith("\n"):
            lines[0] = lines[0].replace("+", "").replace(lines[0][0], f"{lines[0][0]}-", 1)
        return Scalar(_unindented(lines, column), anchor, is_block=True)

    def _collection(self, event: Any, holder: Member) -> Collection:
        start = event.start_mark.index
        node = Collection(is_mapping=isinstance(event, yaml.MappingStartEvent))
        self._own_lines(start, holder)
        if event.anchor is not None:
            node.anchor = f"&{event.anchor}"
            self.at = start + len(node.anchor)
        self.last = holder
        column = _NEVER if event.flow_style else self._column(start + len(node.anchor))
        while not isinstance(event := self.next_event(), _ENDS):
            member = Member()
            comments = self._comments(event.start_mark.index)
            self._arrive(member, comments, column, is_first=not node.members)
            node.members.append(member)
            if node.is_mapping:
                member.key = self._key(event)
                event = self.next_event()
            member.value = self._node(event, member, column)
        if column == _NEVER:
            self._close_flow(event, node, holder)
            # A comment above the opening bracket is now above the first member.
            has_lead = bool(node.members and node.members[0].lead)
            node.is_line = not has_lead and is_on_a_line(self.text, start, self.at)
        else:
            self.closed.append((column, node))
        return node

    def _close_flow(self, event: Any, node: Collection, holder: Member) -> None:
        rest = Member()
        self._location(self._comments(event.start_mark.index), _NEVER, rest)
        # An empty collection has no lines for its comments.
        (node.foot if node.members else holder.lead).extend(rest.lead)
        self.at = event.end_mark.index
        self.last = holder

    def _column(self, at: int) -> int:
        """Return the column of the first key or dash of a block collection."""
        match = _NO_TOKEN.match(self.text, at)
        at = match.end() if match else at
        return at - self.text.rfind("\n", 0, at) - 1

    def _arrive(
        self, member: Member, comments: list[_PlacedComment], column: int, *, is_first: bool
    ) -> None:
        gap = self.blank
        self._location(comments, column, member)
        member.blank = gap
        if member.lead:
            member.blank, member.gap = member.lead[0].blank, gap
            member.lead[0].blank = False
        member.blank = member.blank and not is_first
        self.last = member

    def _key(self, event: Any) -> str:
        line: int = event.start_mark.line
        if not isinstance(event, yaml.ScalarEvent) or event.style in {"|", ">"}:
            message = "it has a key that is not a plain string"
            raise UnprintableError(message, line)
        key = self._scalar(event, 0)
        if len(key.lines) > 1:
            message = "it has a key of several lines"
            raise UnprintableError(message, line)
        return f"{key.anchor} {key.lines[0]}".lstrip()


def _unindented(lines: list[str], column: int) -> tuple[str, ...]:
    """Return the lines of a block scalar without indentation, and its header with an indent of two."""
    header, *content = lines
    indicator = _INDICATED.match(header)
    if indicator:
        indent = max(column, 0) + int(indicator[2] or indicator[3])
        header = header.replace(indicator[2] or indicator[3], "2", 1)
    else:
        first = next((line for line in content if line.strip(" ")), "")
        indent = len(first) - len(first.lstrip(" "))
    return (header, *(line[indent:] for line in content))
