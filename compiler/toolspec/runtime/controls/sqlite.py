"""A SQLite journal and key store, which several processes may share."""

from __future__ import annotations

import json
import time

from toolspec.runtime.controls.database import Database
from toolspec.runtime.controls.idempotency_keys import DAY, KeyedCall
from toolspec.runtime.controls.journal import KEPT, Entry

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import os
    import sqlite3
    from typing import Any

    from toolspec.runtime.controls.idempotency_keys import Clock
    from toolspec.runtime.controls.journal import State
    from toolspec.shared.json_values import JsonObject, JsonValue

BUSY_SECONDS = 5.0
"""Seconds that a call waits for another process's lock before ToolError `unavailable`."""

LEASE_SECONDS = 60.0
"""Seconds that a call counts as running after the last sign of its process."""

RENEWAL_SECONDS = LEASE_SECONDS / 3
"""Seconds between a process's renewals for its running calls."""


class SqliteStore:
    """A journal and key store in one file: pass `journal` and `keys` to `with_controls`.

    Every operation is one transaction in a separate thread. If the database is locked, full,
    read-only or damaged, the caller gets ToolError `unavailable` (code `store_unavailable`), and
    the next call tries again. The journal keeps the newest `kept` entries.
    """

    __slots__ = ("_database", "journal", "keys")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        busy_seconds: float = BUSY_SECONDS,
        clock: Clock = time.time,
        kept: int = KEPT,
    ) -> None:
        self._database = Database(path, busy_seconds)
        self.journal = SqliteJournal(self._database, kept)
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
        known = await self._database.run(lambda connection: self._claim(connection, key, digest))
        if known is None:
            self._running.add(key)
        return known

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Store how the call ended."""
        if call.ending == "running":
            self._running.add(key)
        else:
            self._running.discard(key)
        known = (key, call.digest, call.ending, _text(call.result), _text(call.error))
        await self._database.change(
            "INSERT OR REPLACE INTO keys (key, digest, ending, result, error, heard)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (*known, self._clock()),
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
        known, ending, result, error, heard = row.fetchone()
        if ending == "running" and heard <= now - LEASE_SECONDS:
            ending = "unknown"
        return KeyedCall(
            digest=known, ending=ending, result=json.loads(result), error=json.loads(error)
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

    It keeps the newest `kept` entries.
    """

    __slots__ = ("_database", "_kept")

    def __init__(self, database: Database, kept: int) -> None:
        self._database = database
        self._kept = kept

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        texts = (_text(entry.input), _text(entry.output), _text(entry.metadata))
        known = (entry.id, entry.tool, entry.at, entry.caller, entry.request_id, entry.state)
        target = (entry.instance, entry.mode)

        def begun(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO entries"
                " (id, tool, at, caller, request_id, state, instance, mode, input, output, metadata)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*known, *target, *texts),
            )
            connection.execute(
                "DELETE FROM entries WHERE number IN (SELECT number FROM entries ORDER BY number"
                " LIMIT max(0, (SELECT count(*) FROM entries) - ?))",
                (self._kept,),
            )

        await self._database.run(begun)

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
        return await self._moved(entry, "done", "reverting")

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        await self._moved(entry, "reverting", "done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        await self.forget(entry)

    async def _moved(self, entry: str, old: State, new: State) -> bool:
        return await self._database.run(
            lambda connection: (
                connection.execute(
                    "UPDATE entries SET state = ? WHERE id = ? AND state = ?", (new, entry, old)
                ).rowcount
                == 1
            )
        )

    async def standing(self) -> list[Entry]:
        """Return all entries, the newest first."""
        return await self._database.run(_standing)


def _standing(connection: sqlite3.Connection) -> list[Entry]:
    rows = connection.execute(
        "SELECT id, tool, at, caller, request_id, state, instance, mode, input, output, metadata"
        " FROM entries ORDER BY number DESC"
    )
    names = [column[0] for column in rows.description]
    return [_entry(dict(zip(names, row, strict=True))) for row in rows]


def _entry(known: dict[str, Any]) -> Entry:
    texts = {name: json.loads(known[name]) for name in ("input", "output", "metadata")}
    return Entry(**{**known, **texts})


def _text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
