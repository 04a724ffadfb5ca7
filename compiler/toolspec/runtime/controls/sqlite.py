"""SQLite store of the journal and of idempotency keys, which several processes may share."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import threading
import time
from concurrent.futures import Future
from contextlib import suppress

from toolspec.runtime.controls.idempotency import DAY, KeyedCall
from toolspec.runtime.controls.journal import MAX_ENTRIES, Entry
from toolspec.runtime.errors import ToolError

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias, TypeVar

    from toolspec.runtime.controls.idempotency import Clock
    from toolspec.runtime.controls.journal import State
    from toolspec.shared.json_values import JsonObject, JsonValue

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
    """A SQLite file, opened at the first job and reopened after a failed one.

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
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # a cancelled caller stops no job
        started = time.monotonic()

        def work() -> None:
            try:
                future.set_result(self._execute(job, started))
            except Exception as problem:  # noqa: BLE001 - re-raised in the caller
                future.set_exception(problem)

        with self._lock:
            if self._thread is None or not self._thread.is_alive():  # also after a fork
                self._connection = None
                self._thread = threading.Thread(target=self._serve, daemon=True)
                self._thread.start()
            self._jobs.put(work)
        return await asyncio.wrap_future(future)

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
                self._run_due()
                continue
            if work is None:
                self._close_connection()
                return
            work()

    def _run_due(self) -> None:
        job = self.due()
        if job is not None:
            try:
                self._execute(job, time.monotonic())
            except ToolError as problem:
                import logging

                logging.getLogger("toolspec").warning("%s", problem)

    def _execute(self, job: Job[T], started: float) -> T:
        try:
            remaining = max(0.0, self._busy - (time.monotonic() - started))
            connection = self._connection or self._opened(remaining)
            connection.execute(f"PRAGMA busy_timeout = {round(remaining * 1000)}")
            connection.execute("BEGIN IMMEDIATE")
            result = job(connection)
            connection.execute("COMMIT")
        except sqlite3.Error as problem:
            self._close_connection()
            message = f"the store of calls is not usable: {problem}"
            raise ToolError.unavailable(message, code="store_unavailable") from problem
        except BaseException:
            self._close_connection()
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

    def _close_connection(self) -> None:
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
    if _is_new(connection):  # another process may have created them first
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


BUSY_SECONDS = 5.0
"""Seconds that a call waits for another process's lock before ToolError `unavailable`."""

LEASE_SECONDS = 60.0
"""Seconds that a call counts as running after the last renewal by its process."""

RENEWAL_SECONDS = LEASE_SECONDS / 3
"""Seconds between a process's renewals for its running calls."""


class SqliteStore:
    """A journal and key store in one file: pass `journal` and `keys` to `with_controls`.

    Every operation is one transaction in a separate thread. If the database is locked, full,
    read-only or damaged, the caller gets ToolError `unavailable` (code `store_unavailable`), and
    the next call tries again. The journal keeps the newest `max_entries` entries.
    """

    __slots__ = ("_database", "journal", "keys")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        busy_seconds: float = BUSY_SECONDS,
        clock: Clock = time.time,
        max_entries: int = MAX_ENTRIES,
    ) -> None:
        self._database = Database(path, busy_seconds)
        self.journal = SqliteJournal(self._database, max_entries)
        self.keys = SqliteKeys(self._database, clock)

    def close(self) -> None:
        """Finish pending operations and close the file; a later call opens it again."""
        self._database.close()


class SqliteKeys:
    """A key store in a file; of all processes that claim a key, one succeeds.

    A key expires a day after its last use. The process of a running call renews its key every few
    seconds; if it stops, the outcome is `unknown`.
    """

    __slots__ = ("_clock", "_database", "_renewed", "_running")

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._running: set[str] = set()
        self._renewed = 0.0
        database.pause = RENEWAL_SECONDS
        database.due = lambda: self._renew if self._running else None

    async def claim(self, key: str, digest: str) -> KeyedCall | None:
        """Claim the key, or return its stored call if it is taken."""
        stored = await self._database.run(lambda connection: self._claim(connection, key, digest))
        if stored is None:
            self._running.add(key)
        return stored

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Store how the call ended."""
        if call.ending == "running":
            self._running.add(key)
        else:
            self._running.discard(key)
        row = (key, call.digest, call.ending, _text(call.result), _text(call.error))
        await self._database.change(
            "INSERT OR REPLACE INTO keys (key, digest, ending, result, error, heard)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (*row, self._clock()),
        )

    async def release(self, key: str) -> None:
        """Release the key: the call did not begin, or may be retried."""
        self._running.discard(key)
        await self._database.change("DELETE FROM keys WHERE key = ?", (key,))

    def _claim(self, connection: sqlite3.Connection, key: str, digest: str) -> KeyedCall | None:
        now = self._clock()
        if now - self._renewed >= RENEWAL_SECONDS:
            self._renew(connection)
        connection.execute("DELETE FROM keys WHERE heard <= ?", (now - DAY,))
        claimed = connection.execute(
            "INSERT INTO keys (key, digest, ending, heard) VALUES (?, ?, 'running', ?)"
            " ON CONFLICT (key) DO NOTHING",
            (key, digest, now),
        )
        if claimed.rowcount:
            return None
        row = connection.execute(
            "SELECT digest, ending, result, error, heard FROM keys WHERE key = ?", (key,)
        )
        stored_digest, ending, result, error, heard = row.fetchone()
        if ending == "running" and heard <= now - LEASE_SECONDS:
            ending = "unknown"
        return KeyedCall(
            digest=stored_digest, ending=ending, result=json.loads(result), error=json.loads(error)
        )

    def _renew(self, connection: sqlite3.Connection) -> None:
        """Renew the keys of all calls running in this process."""
        self._renewed = self._clock()
        connection.executemany(
            "UPDATE keys SET heard = ? WHERE key = ?",
            [(self._renewed, key) for key in tuple(self._running)],
        )


class SqliteJournal:
    """A journal in a file; of all processes that revert an entry, one succeeds.

    It keeps the newest `max_entries` entries.
    """

    __slots__ = ("_database", "_max_entries")

    def __init__(self, database: Database, max_entries: int) -> None:
        self._database = database
        self._max_entries = max_entries

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        texts = (_text(entry.input), _text(entry.output), _text(entry.metadata))
        row = (entry.id, entry.tool, entry.at, entry.caller, entry.request_id, entry.state)
        target = (entry.instance, entry.mode)

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO entries"
                " (id, tool, at, caller, request_id, state, instance, mode, input, output, metadata)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, *target, *texts),
            )
            connection.execute(
                "DELETE FROM entries WHERE number IN (SELECT number FROM entries ORDER BY number"
                " LIMIT max(0, (SELECT count(*) FROM entries) - ?))",
                (self._max_entries,),
            )

        await self._database.run(insert)

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        await self._database.change(
            "UPDATE entries SET state = 'done', output = ?, metadata = ? WHERE id = ?",
            (_text(output), _text(metadata), entry),
        )

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        await self._database.change("DELETE FROM entries WHERE id = ?", (entry,))

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`."""
        return await self._change_state(entry, "done", "reverting")

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        await self._change_state(entry, "reverting", "done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        await self.forget(entry)

    async def _change_state(self, entry: str, old: State, new: State) -> bool:
        return await self._database.run(
            lambda connection: (
                connection.execute(
                    "UPDATE entries SET state = ? WHERE id = ? AND state = ?", (new, entry, old)
                ).rowcount
                == 1
            )
        )

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        return await self._database.run(_all_entries)


def _all_entries(connection: sqlite3.Connection) -> list[Entry]:
    rows = connection.execute(
        "SELECT id, tool, at, caller, request_id, state, instance, mode, input, output, metadata"
        " FROM entries ORDER BY number DESC"
    )
    names = [column[0] for column in rows.description]
    return [_entry(dict(zip(names, row, strict=True))) for row in rows]


def _entry(columns: dict[str, Any]) -> Entry:
    texts = {name: json.loads(columns[name]) for name in ("input", "output", "metadata")}
    return Entry(**{**columns, **texts})


def _text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
