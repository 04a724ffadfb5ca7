"""Log output of servers and clients: one line per record, with caller-supplied text escaped."""

from __future__ import annotations

import codecs
import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_escape = codecs.getencoder("unicode_escape")
"""Found now: the first use imports a module, which fails once no descriptor is left."""


_is_json = False
"""Whether notices are printed as JSON too."""


def log_to_stderr(level: str = "warning", form: str = "text") -> None:
    """Log to stderr, as text or JSON, unless logging is already configured.

    Other libraries log warnings and errors only, unless the level is `debug`.
    """
    global _is_json  # noqa: PLW0603 - one stderr, one form
    _is_json = form == "json"
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler()
    handler.setFormatter(
        JsonLines() if _is_json else OneLine("%(levelname)s %(name)s: %(message)s")
    )
    logging.basicConfig(handlers=[handler], level=level.upper() if level == "debug" else None)
    logging.getLogger("toolspec").setLevel(level.upper())


def notice(line: str, *details: str) -> None:
    """Print a line about the server, and lines of details, to stderr."""
    if _is_json:
        message = "\n".join((line, *details))
        record = logging.LogRecord("toolspec", logging.INFO, "", 0, message, None, None)
        text = f"{JsonLines().format(record)}\n"
    else:
        text = "".join(f"{escaped(part)}\n" for part in (f"toolspec: {line}", *details))
    sys.stderr.write(text)
    sys.stderr.flush()


def log_server_messages() -> None:
    """Log the SDK's messages about called servers to stderr, one line each."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Brief("toolspec: %(message)s"))
    sdk = logging.getLogger("mcp")
    sdk.addHandler(handler)
    sdk.propagate = False
    # The name of its session logger, which warns about every unlisted tool, such as older versions.
    logging.getLogger("client").setLevel(logging.ERROR)


class OneLine(logging.Formatter):
    """Formatter that escapes control and invisible characters and indents tracebacks."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the line of a record."""
        return escaped(super().formatMessage(record).rstrip("\r\n"))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name is logging's
        """Return an indented traceback."""
        return _below(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - the name is logging's
        """Return an indented stack."""
        return _below(super().formatStack(stack_info))


class JsonLines(logging.Formatter):
    """Formatter that writes a JSON object a line: time, level, logger, message, and all fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry: dict[str, object] = {
            "time": time,
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD:
                entry.setdefault(name, value)
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            entry["stack"] = record.stack_info
        return json.dumps(entry, default=str)


_STANDARD = {*vars(logging.makeLogRecord({})), "message", "taskName"}
"""Attributes of every record."""


class _Brief(OneLine):
    """Formatter without tracebacks, which would only point into the SDK."""

    def formatException(self, ei: Any) -> str:  # noqa: ARG002, N802 - as logging calls it
        """Return an empty string."""
        return ""


def _below(text: str) -> str:
    return "\n".join(f"  {escaped(line)}" for line in text.split("\n"))


def escaped(text: str) -> str:
    """Return text as one line, with control and invisible characters escaped."""
    if text.isprintable():
        return text
    return "".join(
        item if item.isprintable() else _escape(item)[0].decode("ascii") for item in text
    )
