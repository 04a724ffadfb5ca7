"""One call's transaction: SQLite works in worker threads, and the event loop waits for none of it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from toolspec.runtime import ToolError

from notes.database import connect

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from toolspec.runtime import Context

    from generated.notes import NotesSettings

P = ParamSpec("P")
T = TypeVar("T")

_STATE = "transaction"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNUSABLE = (
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)
_PRIMARY = 0xFF  # the rest of a code says more precisely what happened


class Transaction:
    """Work on the database that is done as a whole or not at all; it begins with the first `run`.

    Leaving it with an exception, or being cancelled, takes everything back since the last
    `commit`. A database that is locked, full or damaged is a ToolError `unavailable`.
    """

    def __init__(self, settings: NotesSettings, *, writes: bool) -> None:
        self._path = settings["path"]
        self._read_only = settings["readOnly"]
        # A writer takes its place at once: one that began by reading could not become one.
        self._begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
        self._connection: sqlite3.Connection | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, _: object, problem: BaseException | None, __: object) -> None:
        await self._threaded(partial(self._close, "COMMIT" if problem is None else "ROLLBACK"))

    async def run(
        self,
        work: Callable[Concatenate[sqlite3.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return what a function of `storage.py` returns, run in a thread."""

        def begun() -> T:
            if self._connection is None:
                self._connection = connect(self._path, read_only=self._read_only)
            if not self._connection.in_transaction:
                self._connection.execute(self._begin)
            return work(self._connection, *args, **kwargs)

        return await self._threaded(begun)

    async def commit(self) -> None:
        """Keep what was done until now; the next `run` begins anew."""
        await self._threaded(partial(self._end, "COMMIT"))

    async def rollback(self) -> None:
        """Take back what was done since the last commit; the next `run` begins anew."""
        await self._threaded(partial(self._end, "ROLLBACK"))

    def _end(self, statement: str) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._connection.execute(statement)

    def _close(self, statement: str) -> None:
        try:
            self._end(statement)
        finally:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    async def _threaded(self, job: Callable[[], T]) -> T:
        """Return what a job returns. When cancelled, wait until it has ended: jobs are short.

        A connection is used by one thread at a time, and by none after it was closed.
        """
        # A future, and no task: an event loop that closes cancels every task, but no thread.
        running = asyncio.get_running_loop().run_in_executor(None, job)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            while not running.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([running])
            running.exception()  # looked at, so that nobody is warned of it
            raise
        except sqlite3.Error as problem:
            raise _told(problem) from problem


def keep(ctx: Context[NotesSettings, None], transaction: Transaction) -> None:
    """Let the handler of a call find its transaction."""
    ctx.state[_STATE] = transaction


def of(ctx: Context[NotesSettings, None]) -> Transaction:
    """Return the transaction of a call, as the hook `in_transaction` has begun it."""
    found = ctx.state[_STATE]
    assert isinstance(found, Transaction)
    return found


def _told(problem: sqlite3.Error) -> Exception:
    """Return what a caller may know of a problem; what is our own mistake stays what it is."""
    code = getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_NOTADB) & _PRIMARY
    # Nothing of a transaction that failed has happened: the journal need not keep the call.
    nothing_done = {"effect": "none"}
    if code in _BUSY:
        return ToolError.unavailable(
            "the database is locked by another program",
            code="database_locked",
            retry_after_ms=1000,
            details=nothing_done,
        )
    if code in _UNUSABLE:
        return ToolError.unavailable(
            f"the database cannot be used: {problem}",
            code="database_unusable",
            details=nothing_done,
        )
    return problem
