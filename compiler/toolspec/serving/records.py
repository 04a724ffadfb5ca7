"""How a server's log is written, and what a client hears of one: a line for each record, whatever text of a caller is in it."""

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


def tell_of_servers() -> None:
    """Write to stderr what the SDK says of the servers that this process calls, a line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Brief("toolspec: %(message)s"))
    sdk = logging.getLogger("mcp")
    sdk.addHandler(handler)
    sdk.propagate = False
    # Its sessions call themselves so, and warn of each tool that is not listed: an older version is not.
    logging.getLogger("client").setLevel(logging.ERROR)


class OneLine(logging.Formatter):
    """Escapes what could begin a line, move a cursor or hide; lines of a traceback are indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the line of a record."""
        return _escaped(super().formatMessage(record).rstrip("\r\n"))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        """Return a traceback, below its record."""
        return _below(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - the name is logging's
        """Return a stack, below its record."""
        return _below(super().formatStack(stack_info))


class _Brief(OneLine):
    """Leaves tracebacks out: they lead into the SDK, and the mistake is a server's."""

    def formatException(self, ei: Any) -> str:  # noqa: ARG002, N802 - as logging calls it
        """Return nothing."""
        return ""


def _below(text: str) -> str:
    return "\n".join(f"  {_escaped(line)}" for line in text.split("\n"))


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )
