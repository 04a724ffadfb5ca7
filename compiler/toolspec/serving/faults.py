"""What keeps a server from starting, in words for the person who started it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class ServeError(Exception):
    """A server cannot start: `lines` say why and what to do, the first of them as a heading."""

    def __init__(self, heading: str, details: Sequence[str] = ()) -> None:
        self.lines = (heading, *(f"  {each}" for each in details))
        super().__init__("\n".join(self.lines))


def listed(names: Sequence[str]) -> str:
    """Return names in backticks, with commas; `none` where there are none."""
    return ", ".join(f"`{name}`" for name in names) or "none"


def nearest(name: str, known: Sequence[str]) -> str:
    """Return `; did you mean …?` with the nearest of some names, or nothing."""
    from toolspec.shared.spelling import suggestion

    return suggestion(name, known)
