"""Syntax nodes of a document: spellings, comments and blank lines, but no indentation."""

from __future__ import annotations

from typing import Final, TypeAlias

from toolspec.shared.records import dataclass, field

# A collection on one line stays on one line up to this width.
WIDTH: Final = 100
# Nothing longer fits even without blanks, so a whole document on one line is not tried at each
# level.
_MOST = 4 * WIDTH


@dataclass(slots=True)
class Comment:
    """A comment from its `#` on, and whether a blank line precedes it."""

    text: str
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar as its author wrote it, or an alias; `anchor` precedes it.

    The lines of a multi-line scalar have no indentation. `is_block` marks a block scalar, whose
    first line is the header, and `is_apart` a scalar that begins on a line after its key.
    """

    lines: tuple[str, ...]
    anchor: str = ""
    is_block: bool = False
    is_apart: bool = False

    @property
    def keeps(self) -> bool:
        """Return whether blank lines at the end belong to the scalar."""
        return self.is_block and "+" in self.lines[0].split("#", 1)[0]


@dataclass(slots=True)
class Collection:
    """A mapping or a list; `is_line` means flow style on one line."""

    is_mapping: bool
    is_line: bool = False
    anchor: str = ""
    members: list[Member] = field(default_factory=list)
    foot: list[Comment] = field(default_factory=list)


NOTHING: Final = Scalar(("",))
Node: TypeAlias = "Scalar | Collection"


@dataclass(slots=True)
class Member:
    """A member of a mapping, or an item of a list, with its comments.

    `lead` is above it, `trail` on its line; `blank` is a blank line before it, `gap` one between
    its comments and itself.
    """

    key: str = ""
    value: Node = NOTHING
    lead: list[Comment] = field(default_factory=list)
    trail: str = ""
    blank: bool = False
    gap: bool = False


@dataclass(slots=True)
class SyntaxTree:
    """A whole document; the comments above the first member stay at the top.

    `comments` are the texts of all comments that were read, wherever they were put.
    """

    root: Node
    head: list[Comment] = field(default_factory=list)
    head_gap: bool = False
    directives: str = ""
    tail: str = ""
    comments: tuple[str, ...] = ()


def is_on_a_line(text: str, start: int, end: int) -> bool:
    """Return whether a range of a text is one line of reasonable length."""
    return end - start <= _MOST and "\n" not in text[start:end]


class UnprintableError(Exception):
    """Syntax that has no canonical form; the message names it, `line` counts from 0."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
