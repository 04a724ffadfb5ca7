"""One SQLite file, worked on in a thread of its own: jobs in, answers or ToolError out."""

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
"""Of the tables, kept in the file as its `user_version`."""

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
    """A file that is opened at the first job, and again after one that failed.

    `busy` is how many seconds a job waits in all for other jobs and for other processes' locks.
    After `pause` seconds without one, the job that `due` returns is run, if it returns one.
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
        """Return what the job returns; it is done as one transaction, waited for or not.

        Raises ToolError `unavailable` where SQLite fails: then nothing of it was done.
        """
        answer: Future[T] = Future()
        answer.set_running_or_notify_cancel()  # a caller that goes away stops no job
        asked = time.monotonic()

        def work() -> None:
            try:
                answer.set_result(self._done(job, asked))
            except Exception as problem:  # noqa: BLE001 - it is raised to the one who waits
                answer.set_exception(problem)

        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # a fork leaves none either
                self._connection = None
                self._thread = threading.Thread(target=self._serve, daemon=True)
                self._thread.start()
            self._jobs.put(work)
        return await asyncio.wrap_future(answer)

    async def change(self, statement: str, values: tuple[object, ...]) -> None:
        """Do one statement, as `run` does a job."""

        def job(connection: sqlite3.Connection) -> None:
            connection.execute(statement, values)

        await self.run(job)

    def close(self) -> None:
        """Finish the jobs there are, and close the file; a later job opens it again."""
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
        """Close the connection, and with it whatever it had begun."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _make_private(path: str) -> None:
    """Make a new file that only its owner reads: it will hold arguments and results of calls.

    SQLite gives the files beside it the same mode. What keeps it from being made, SQLite tells.
    """
    if path not in _NO_FILE:
        with suppress(OSError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))


def _prepare(connection: sqlite3.Connection) -> None:
    """Set up a connection, and the tables of a new file; complains of a file that is not ours."""
    is_new = _is_new(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")  # what was begun outlives a power cut
    if not is_new:
        return
    connection.execute("BEGIN IMMEDIATE")
    if _is_new(connection):  # nobody else was quicker
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _is_new(connection: sqlite3.Connection) -> bool:
    """Return whether the tables are still to be made; complains of a file that is not ours."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == VERSION:
        return False
    if version or connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
        problem = "the file was written by another program, or another version of this one"
        raise sqlite3.DatabaseError(problem)
    return True
