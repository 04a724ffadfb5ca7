"""A document as its author wrote it: spellings, comments and blank lines, but no indentation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

# What stood on one line stays there as long as it is not longer.
WIDTH: Final = 100
# Nothing longer fits, whatever blanks are taken out of it: a whole document on one line is not tried
# once for each of its levels.
_MOST = 4 * WIDTH


@dataclass(slots=True)
class Comment:
    """One comment, from its `#` on, and whether a blank line stands before it."""

    text: str
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar as it is spelled, or an alias; `anchor` is what stands before it.

    The lines of a text that has several are without their indentation. `is_block` says that the first
    of them is the header of a block scalar, and `is_apart` that it did not begin on its key's line.
    """

    lines: tuple[str, ...]
    anchor: str = ""
    is_block: bool = False
    is_apart: bool = False

    @property
    def keeps(self) -> bool:
        """Whether blank lines at the end belong to it."""
        return self.is_block and "+" in self.lines[0].split("#", 1)[0]


@dataclass(slots=True)
class Collection:
    """A mapping or a list. `is_line` says that it was written in flow style on one line."""

    is_mapping: bool
    is_line: bool = False
    anchor: str = ""
    members: list[Member] = field(default_factory=list)
    foot: list[Comment] = field(default_factory=list)


NOTHING: Final = Scalar(("",))
Node: TypeAlias = "Scalar | Collection"


@dataclass(slots=True)
class Member:
    """A member of a mapping, or an item of a list, with the comments that belong to it.

    `lead` stands above it, `trail` on its line; `blank` is a blank line before it, `gap` one between
    its comments and itself.
    """

    key: str = ""
    value: Node = NOTHING
    lead: list[Comment] = field(default_factory=list)
    trail: str = ""
    blank: bool = False
    gap: bool = False


@dataclass(slots=True)
class Written:
    """A whole document: what stands above the first member stays there, whatever is moved.

    `comments` are the texts of all comments that were read between tokens, wherever they were put.
    """

    root: Node
    head: list[Comment] = field(default_factory=list)
    head_gap: bool = False
    directives: str = ""
    tail: str = ""
    comments: tuple[str, ...] = ()


def is_on_a_line(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text is one line, and no endless one."""
    return end - start <= _MOST and "\n" not in text[start:end]


class UnprintableError(Exception):
    """A form that has no place in the canonical one; its text says which, `line` on which line from 0."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
