"""Errors that prevent a server from starting."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class ServeError(Exception):
    """A server cannot start: `lines` explain why and what to do, the first as a heading."""

    def __init__(self, heading: str, details: Sequence[str] = ()) -> None:
        self.lines = (heading, *(f"  {detail}" for detail in details))
        super().__init__("\n".join(self.lines))


class AppError(ServeError, TypeError):
    """An application cannot be made for another ASGI server.

    uvicorn prints the message of a TypeError of a factory, and a traceback of any other error.
    """

    def __init__(self, fault: ServeError) -> None:
        heading, *details = fault.lines
        super().__init__(heading, [line.strip() for line in details])


def listed(names: Sequence[str]) -> str:
    """Return names in backticks, separated by commas; `none` for no names."""
    return ", ".join(f"`{name}`" for name in names) or "none"


def nearest(name: str, names: Sequence[str]) -> str:
    """Return `; did you mean …?` with the nearest of some names, or an empty string."""
    from toolspec.shared.spelling import suggestion

    return suggestion(name, names)
