"""A SQLite file accessed from a dedicated thread."""

from __future__ import annotations

import asyncio
import os
import queue
import sqlite3
import threading
import time
from concurrent.futures import Future
from contextlib import suppress

from toolspec.runtime.errors import ToolError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias, TypeVar

    T = TypeVar("T")
    Job: TypeAlias = Callable[[sqlite3.Connection], T]

_NO_FILE = ("", ":memory:")

VERSION = 3
"""Version of the tables, stored in the file as `user_version`."""

_TABLES = """
CREATE TABLE keys (
    key TEXT PRIMARY KEY, digest TEXT NOT NULL, ending TEXT NOT NULL,
    result TEXT NOT NULL DEFAULT 'null', error TEXT NOT NULL DEFAULT 'null', heard REAL NOT NULL
);
CREATE INDEX keys_heard ON keys (heard);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, at REAL NOT NULL,
    caller TEXT, request_id TEXT NOT NULL, state TEXT NOT NULL,
    instance TEXT NOT NULL, mode TEXT NOT NULL,
    input TEXT NOT NULL, output TEXT NOT NULL, metadata TEXT NOT NULL
);
"""


class Database:
    """A SQLite file, opened at the first job and again after a job that failed.

    `busy` is the total number of seconds a job waits for other jobs and for locks of other
    processes. After `pause` idle seconds, the job returned by `due`, if any, is run.
    """

    __slots__ = (
        "_busy",
        "_connection",
        "_jobs",
        "_lock",
        "_path",
        "_thread",
        "due",
        "pause",
    )

    def __init__(self, path: str | os.PathLike[str], busy: float) -> None:
        self._path = os.fspath(path)
        self._busy = busy
        self._connection: sqlite3.Connection | None = None
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()  # event loops of several threads may share a store
        self.pause = 1.0
        self.due: Callable[[], Job[None] | None] = lambda: None

    async def run(self, job: Job[T]) -> T:
        """Return the result of the job, run as one transaction even if the caller stops waiting.

        Raises ToolError `unavailable` if SQLite fails; the transaction is then rolled back.
        """
        answer: Future[T] = Future()
        answer.set_running_or_notify_cancel()  # a cancelled caller stops no job
        asked = time.monotonic()

        def work() -> None:
            try:
                answer.set_result(self._done(job, asked))
            except Exception as problem:  # noqa: BLE001 - re-raised in the caller
                answer.set_exception(problem)

        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # also after a fork
                self._connection = None
                self._thread = threading.Thread(target=self._serve, daemon=True)
                self._thread.start()
            self._jobs.put(work)
        return await asyncio.wrap_future(answer)

    async def change(self, statement: str, values: tuple[object, ...]) -> None:
        """Run one statement as a job."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self.run(job)

    def close(self) -> None:
        """Finish pending jobs and close the file; a later job opens it again."""
        with self._lock:
            thread, self._thread = self._thread, None
            if thread is not None and thread.is_alive():
                self._jobs.put(None)
                thread.join()

    def _serve(self) -> None:
        while True:
            try:
                work = self._jobs.get(timeout=self.pause)
            except queue.Empty:
                self._tick()
                continue
            if work is None:
                self._drop()
                return
            work()

    def _tick(self) -> None:
        job = self.due()
        if job is not None:
            try:
                self._done(job, time.monotonic())
            except ToolError as problem:
                import logging

                logging.getLogger("toolspec").warning("%s", problem)

    def _done(self, job: Job[T], asked: float) -> T:
        try:
            left = max(0.0, self._busy - (time.monotonic() - asked))
            connection = self._connection or self._opened(left)
            connection.execute(f"PRAGMA busy_timeout = {round(left * 1000)}")
            connection.execute("BEGIN IMMEDIATE")
            result = job(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as problem:
            self._drop()
            message = f"the store of calls is not usable: {problem}"
            raise ToolError.unavailable(message, code="store_unavailable") from problem
        except BaseException:
            self._drop()
            raise
        return result

    def _opened(self, busy: float) -> sqlite3.Connection:
        _make_private(self._path)
        connection = sqlite3.connect(self._path, isolation_level=None, timeout=busy)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _drop(self) -> None:
        """Close the connection, rolling back an open transaction."""
        connection, self._connection = self._connection, None
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
    if _is_new(connection):  # unless another process was quicker
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _is_new(connection: sqlite3.Connection) -> bool:
    """Return whether the tables are missing. Raises if the file belongs to another program."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return False
    if version or connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
        problem = "the file was written by another program, or another version of this one"
        raise sqlite3.DatabaseError(problem)
    return True
