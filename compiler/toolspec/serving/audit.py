"""An audit trail in a file: one JSON record a line, each with the digest of the line before.

`python -m toolspec.serving.audit FILE` reports whether a line was changed, removed or inserted.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.shared.json_values import JsonObject

_log = logging.getLogger("toolspec")

_TAIL = 64 * 1024
"""More bytes than a record has."""


class AuditFile:
    """Appends records to a file, which several processes may share.

    A file that is moved away while the server runs is replaced by a new one.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            self._descriptor = _opened(path)
        except OSError as problem:
            text = f"the audit file `{path}` cannot be written: {problem.strerror}"
            raise ServeError(text) from problem

    def write(self, record: JsonObject) -> None:
        """Append a record; a failure is logged, since the call has had its effect."""
        try:
            self._append(record)
        except OSError:
            _log.exception("the audit record of request %s is lost", record.get("request_id"))

    def _append(self, record: JsonObject) -> None:
        self._follow()
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            end = os.lseek(self._descriptor, 0, os.SEEK_END)
            tail = os.pread(self._descriptor, _TAIL, max(0, end - _TAIL))
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            entry = {"time": now, **record, "previous": _digest(_last_line(tail))}
            text = json.dumps(entry, separators=(",", ":")).encode()
            # A line that a killed process has left unfinished stays what it is.
            start = b"" if tail.endswith(b"\n") or not tail else b"\n"
            os.write(self._descriptor, b"%b%b\n" % (start, text))
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def _follow(self) -> None:
        """Open the file anew if its path names another one by now."""
        try:
            is_same = os.path.samestat(Path(self._path).stat(), os.fstat(self._descriptor))
        except FileNotFoundError:
            is_same = False
        if not is_same:
            os.close(self._descriptor)
            self._descriptor = _opened(self._path)


def first_broken_line(path: str) -> int | None:
    """Return the number of the first line that does not follow the one before; None if all do."""
    before = b""
    for number, line in enumerate(Path(path).read_bytes().splitlines(), start=1):
        try:
            previous = json.loads(line)["previous"]
        except (ValueError, TypeError, KeyError, RecursionError):
            previous = None
        if previous != _digest(before):
            return number
        before = line
    return None


def main(arguments: Sequence[str]) -> int:
    """Check the files of an audit trail; return the exit status: 2 if a file cannot be read."""
    if not arguments:
        sys.stderr.write("usage: python -m toolspec.serving.audit FILE...\n")
        return 2
    status = 0
    for path in arguments:
        try:
            line = first_broken_line(path)
        except OSError as problem:
            sys.stderr.write(f"{path}: cannot be read: {problem.strerror}\n")
            status = 2
            continue
        state = "unbroken" if line is None else f"line {line} does not follow the line before"
        sys.stdout.write(f"{path}: {state}\n")
        status = max(status, int(line is not None))
    return status


def _opened(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def _last_line(tail: bytes) -> bytes:
    return tail.rstrip(b"\n").rpartition(b"\n")[2]


def _digest(line: bytes) -> str:
    return sha256(line).hexdigest() if line else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
