"""How a server's log is written: a line for each record, whatever text of a caller is in it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def log_to_stderr() -> None:
    """Write the log to stderr, unless somebody has set up logging before."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler])


class OneLine(logging.Formatter):
    """Escapes what could begin a line, move a cursor or hide; lines of a traceback are indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the line of a record."""
        return _escaped(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        """Return a traceback, below its record."""
        return _below(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - the name is logging's
        """Return a stack, below its record."""
        return _below(super().formatStack(stack_info))


def _below(text: str) -> str:
    return "\n".join(f"  {_escaped(line)}" for line in text.split("\n"))


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )
