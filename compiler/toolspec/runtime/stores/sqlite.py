"""The store in a SQLite file, which the processes of one machine share."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress

from toolspec.runtime.stores import VERSION, StoreOptions
from toolspec.runtime.stores.sql import TABLES, SqlDatabase, SqlStore
from toolspec.runtime.stores.threads import unusable

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import TypeVar

    from toolspec.runtime.stores import Clock
    from toolspec.runtime.stores.sql import Execute, Job, Rows

    T = TypeVar("T")

_NO_FILE = ("", ":memory:")
_RETRY_SECONDS = 0.005


class SqliteStore(SqlStore):
    """A store in one file."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        options: StoreOptions | None = None,
        *,
        clock: Clock = time.time,
    ) -> None:
        super().__init__(SqliteDatabase(os.fspath(path), options or StoreOptions(), clock))


class SqliteDatabase(SqlDatabase):
    """A SQLite file, opened at the first job and reopened after a failed one."""

    def __init__(self, path: str, options: StoreOptions, clock: Clock) -> None:
        super().__init__(options, connections=1)
        self.path = path
        self._clock = clock
        self._is_durable = True

    def __str__(self) -> str:
        return self.path

    def lock(self, execute: Execute, name: str) -> None:
        """Do nothing: a transaction locks the whole file."""

    def execute(self, job: Job[T], started: float, *, is_durable: bool) -> T:
        """Return the result of the job; it waits for locks until `busy_seconds` after `started`."""
        try:
            remaining = max(0.0, self.options.busy_seconds - (time.monotonic() - started))
            connection = self.connection or self._opened(remaining)
            connection.execute(f"PRAGMA busy_timeout = {round(remaining * 1000)}")
            if is_durable is not self._is_durable:
                connection.execute(f"PRAGMA synchronous = {'FULL' if is_durable else 'NORMAL'}")
                self._is_durable = is_durable
            connection.execute("BEGIN IMMEDIATE")
            now = self._clock()  # read while nobody else can write: a lease ends for all at once

            def execute(statement: str, /, **values: object) -> Rows:
                return connection.execute(statement, {**values, "now": now})

            result = job(execute)
            connection.execute("COMMIT")
        except sqlite3.Error as problem:
            self.disconnect()
            raise unusable(problem) from problem
        except BaseException:
            self.disconnect()
            raise
        return result

    def _opened(self, busy: float) -> sqlite3.Connection:
        _make_private(self.path)
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=busy)
        try:
            _prepare(connection, busy)
        except BaseException:
            connection.close()
            raise
        self.connection = connection
        self._is_durable = True
        return connection


def _make_private(path: str) -> None:
    """Create the file readable only by its owner, since it will hold arguments and results.

    SQLite gives its auxiliary files the same mode. Errors are left for SQLite to report.
    """
    if path not in _NO_FILE:
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _prepare(connection: sqlite3.Connection, busy: float) -> None:
    """Set up a connection, and the tables of a new file. Raises if the file has other tables.

    Waits for locks for `busy` seconds.
    """
    connection.execute("BEGIN")  # both reads see one state, whatever another process writes
    is_new = _is_new(connection)
    connection.execute("COMMIT")
    _use_wal(connection, busy)
    connection.execute("PRAGMA synchronous = FULL")  # survives a power cut
    if not is_new:
        return
    connection.execute("BEGIN IMMEDIATE")
    if _is_new(connection):  # another process may have created them first
        for statement in TABLES.format(serial="INTEGER PRIMARY KEY").split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _use_wal(connection: sqlite3.Connection, busy: float) -> None:
    """Set the journal mode, for which SQLite itself does not wait while another process does so too."""
    end = time.monotonic() + busy
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _is_new(connection: sqlite3.Connection) -> bool:
    """Return whether the tables are missing. Raises if the file belongs to another program."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return False
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if version and {"keys", "entries"} <= tables:
        problem = f"the file has version {version} of a store, and this program needs {VERSION}"
        raise sqlite3.DatabaseError(problem)
    if version or tables:
        problem = "the file was written by another program"
        raise sqlite3.DatabaseError(problem)
    return True
