"""The store in a SQLite file, which the processes of one machine share."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from contextlib import suppress

from toolspec.runtime.errors import ToolError
from toolspec.runtime.stores import VERSION, StoreError, StoreOptions
from toolspec.runtime.stores.sql import (
    TABLES,
    Leases,
    SqlApprovals,
    SqlJournal,
    SqlKeys,
    SqlLimits,
    secret,
)
from toolspec.runtime.stores.threads import Threads, unusable

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import TypeVar

    from toolspec.runtime.stores import Clock
    from toolspec.runtime.stores.sql import Execute, Job, Rows

    T = TypeVar("T")

_NO_FILE = ("", ":memory:")


class SqliteStore:
    """A store in one file: pass it to `with_controls(store=…)`.

    Every operation is one transaction in a separate thread. If the database is locked, full,
    read-only or damaged, the caller gets ToolError `unavailable` (code `store_unavailable`), and
    the next call tries again.
    """

    __slots__ = ("_database", "approvals", "is_shared", "journal", "keys", "limits")

    def __init__(
        self,
        path: str | os.PathLike[str],
        options: StoreOptions | None = None,
        *,
        clock: Clock = time.time,
    ) -> None:
        options = options or StoreOptions()
        leases = Leases(options)
        self._database = SqliteDatabase(os.fspath(path), options, leases, clock)
        self.keys = SqlKeys(self._database, leases)
        self.journal = SqlJournal(self._database, options)
        self.approvals = SqlApprovals(self._database)
        self.limits = SqlLimits(self._database, leases)
        self.is_shared = True

    def __repr__(self) -> str:
        return f"SqliteStore({self._database.path!r})"

    async def check(self) -> None:
        """Return if the file can be written. Raises StoreError that says why not."""
        try:
            await self._database.run(lambda execute: execute("UPDATE secrets SET name = name"))
        except ToolError as problem:
            message = f"`{self._database.path}`: {problem.message}"
            raise StoreError(message) from problem

    async def secret(self, name: str) -> bytes:
        """Return 32 random bytes, which are the same for everybody who opens the file."""
        return await secret(self._database, name)

    def close(self) -> None:
        """Finish pending operations and close the file; a later call opens it again."""
        self._database.close()


class SqliteDatabase:
    """A SQLite file, opened at the first job and reopened after a failed one.

    `busy_seconds` is the total that a job waits for other jobs and for locks of other processes.
    """

    __slots__ = ("_clock", "_is_durable", "_leases", "_local", "_options", "path", "threads")

    def __init__(self, path: str, options: StoreOptions, leases: Leases, clock: Clock) -> None:
        self.path = path
        self._options = options
        self._leases = leases
        self._clock = clock
        self._local = threading.local()  # a fork has another thread, and opens the file itself
        self._is_durable = True
        self.threads = Threads(
            1,
            tick=self._renew,
            tick_seconds=options.lease_seconds / 3,
            disconnect=self._close_connection,
        )

    def lock(self, execute: Execute, name: str) -> None:
        """Do nothing: a transaction locks the whole file."""

    async def run(self, job: Job[T], *, is_durable: bool = True) -> T:
        """Return the result of the job, run as one transaction even if the caller stops waiting.

        Without `is_durable`, a power cut may undo it. Raises ToolError `unavailable` if SQLite
        fails; the transaction is then rolled back.
        """
        started = time.monotonic()
        return await self.threads.run(lambda: self._execute(job, started, is_durable=is_durable))

    def close(self) -> None:
        """Finish pending jobs and close the file; a later job opens it again."""
        self.threads.close()

    def _renew(self) -> None:
        if self._leases.keys or self._leases.slots:
            self._execute(self._leases.renew, time.monotonic(), is_durable=True)

    def _execute(self, job: Job[T], started: float, *, is_durable: bool) -> T:
        try:
            remaining = max(0.0, self._options.busy_seconds - (time.monotonic() - started))
            connection = self._connection or self._opened(remaining)
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
            self._close_connection()
            raise unusable(problem) from problem
        except BaseException:
            self._close_connection()
            raise
        return result

    @property
    def _connection(self) -> sqlite3.Connection | None:
        return getattr(self._local, "connection", None)

    def _opened(self, busy: float) -> sqlite3.Connection:
        _make_private(self.path)
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=busy)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._local.connection = connection
        self._is_durable = True
        return connection

    def _close_connection(self) -> None:
        """Close the connection, rolling back an open transaction."""
        connection, self._local.connection = self._connection, None
        if connection is not None:
            connection.close()


def _make_private(path: str) -> None:
    """Create the file readable only by its owner, since it will hold arguments and results.

    SQLite gives its auxiliary files the same mode. Errors are left for SQLite to report.
    """
    if path not in _NO_FILE:
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _prepare(connection: sqlite3.Connection) -> None:
    """Set up a connection, and the tables of a new file. Raises if the file has other tables."""
    connection.execute("BEGIN")  # both reads see one state, whatever another process writes
    is_new = _is_new(connection)
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # survives a power cut
    if not is_new:
        return
    connection.execute("BEGIN IMMEDIATE")
    if _is_new(connection):  # another process may have created them first
        for statement in TABLES.format(serial="INTEGER PRIMARY KEY").split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


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
