"""Stores in tables, with the statements that SQLite and PostgreSQL have in common.

Values are named (`:key`); `:now` is the clock of the database, in epoch seconds.
"""

from __future__ import annotations

import json
import os
import threading
import time

from toolspec.runtime.errors import ToolError
from toolspec.runtime.stores import Entry, Excess, KeyedCall, Lease, StoreError
from toolspec.runtime.stores.threads import Threads

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol, TypeAlias, TypeVar

    from toolspec.runtime.stores import Slots, State, StoreOptions, Window
    from toolspec.shared.json_values import JsonObject, JsonValue

    T = TypeVar("T")

    class Rows(Protocol):
        """The outcome of a statement."""

        @property
        def rowcount(self) -> int:
            """The number of changed rows."""

        def fetchone(self) -> Any:
            """Return the next row, or None."""

        def fetchall(self) -> list[Any]:
            """Return all rows."""

    class Execute(Protocol):
        """Executes a statement with named values."""

        def __call__(self, statement: str, /, **values: object) -> Rows:
            """Return the outcome of the statement."""

    Job: TypeAlias = Callable[[Execute], T]


TABLES = """
CREATE TABLE keys (
    key TEXT PRIMARY KEY, digest TEXT NOT NULL, state TEXT NOT NULL, token TEXT NOT NULL,
    leased DOUBLE PRECISION NOT NULL, expires DOUBLE PRECISION NOT NULL,
    result TEXT NOT NULL DEFAULT 'null', error TEXT NOT NULL DEFAULT 'null'
);
CREATE INDEX keys_expires ON keys (expires);
CREATE TABLE entries (
    number {serial}, id TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
    caller TEXT, request_id TEXT NOT NULL, state TEXT NOT NULL,
    instance TEXT NOT NULL, mode TEXT NOT NULL, expires DOUBLE PRECISION NOT NULL,
    input TEXT NOT NULL, output TEXT NOT NULL, metadata TEXT NOT NULL
);
CREATE INDEX entries_expires ON entries (expires);
CREATE TABLE approvals (approval TEXT PRIMARY KEY, expires DOUBLE PRECISION NOT NULL);
CREATE TABLE calls (
    number {serial}, name TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);
CREATE INDEX calls_name ON calls (name, at);
CREATE INDEX calls_expires ON calls (expires);
CREATE TABLE slots (
    token TEXT PRIMARY KEY, name TEXT NOT NULL, leased DOUBLE PRECISION NOT NULL
);
CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL)
"""

_DROPPED_CALLS = 20
"""Maximum number of expired calls that a new one drops: more than it adds."""

_IS_RUNNING = "state IN ('claimed', 'begun')"
_HOLDS = f"key = :key AND token = :token AND {_IS_RUNNING} AND leased > :now"

_CLAIM = f"""
INSERT INTO keys AS stored (key, digest, state, token, leased, expires)
VALUES (:key, :digest, 'claimed', :token, :now + :lease, :now + :keep)
ON CONFLICT (key) DO UPDATE SET
    digest = excluded.digest, state = 'claimed', token = excluded.token,
    leased = excluded.leased, expires = excluded.expires, result = 'null', error = 'null'
WHERE stored.expires <= :now
    OR (stored.state = 'claimed' AND stored.leased <= :now)
    OR (:repeatable = 1 AND stored.digest = excluded.digest
        AND (stored.state = 'unknown' OR (stored.{_IS_RUNNING} AND stored.leased <= :now)))
"""  # noqa: S608 - a constant

_SETTLE = f"""
UPDATE keys SET
    digest = :digest, state = :state, result = :result, error = :error, expires = :now + :keep
WHERE {_HOLDS}
"""  # noqa: S608 - a constant


class Leases:
    """The leases of calls that run in this process; renewed by the database's thread."""

    __slots__ = ("_options", "keys", "slots")

    def __init__(self, options: StoreOptions) -> None:
        self._options = options
        self.keys: set[tuple[str, str]] = set()
        self.slots: set[str] = set()

    def forget(self) -> None:
        """Drop all leases: in a forked process, they are those of its parent."""
        self.keys.clear()
        self.slots.clear()

    def times(self) -> dict[str, float]:
        """Return the values of `:lease` and `:keep`."""
        lease = self._options.lease_seconds
        return {"lease": lease, "keep": max(lease, self._options.keep_seconds)}

    def renew(self, execute: Execute) -> None:
        """Renew all leases; one that has ended stays so."""
        times = self.times()
        for key, token in tuple(self.keys):
            execute(
                f"UPDATE keys SET leased = :now + :lease, expires = :now + :keep WHERE {_HOLDS}",  # noqa: S608 - a constant
                key=key,
                token=token,
                **times,
            )
        for token in tuple(self.slots):
            execute(
                "UPDATE slots SET leased = :now + :lease WHERE token = :token AND leased > :now",
                token=token,
                lease=times["lease"],
            )


class SqlDatabase:
    """Runs jobs, each as one transaction in a thread, with a connection for each thread.

    A subclass connects and executes. `busy_seconds` is the total that a job waits for other jobs
    and for locks of other processes.
    """

    skip_locked = ""
    """Ends a SELECT of rows to delete, so that it does not wait for those of other transactions."""

    def __init__(self, options: StoreOptions, connections: int) -> None:
        self.leases = Leases(options)
        self.options = options
        self._local = threading.local()  # a fork has another thread, and connects itself
        self.threads = Threads(
            connections,
            tick=self._renew,
            tick_seconds=options.lease_seconds / 3,
            disconnect=self.disconnect,
            forked=self.leases.forget,
        )

    def __str__(self) -> str:
        """Return what operators call the database, without passwords."""
        raise NotImplementedError

    def lock(self, execute: Execute, name: str) -> None:
        """Wait until no other transaction holds the lock of a name."""
        raise NotImplementedError

    def execute(self, job: Job[T], started: float, *, is_durable: bool) -> T:
        """Return the result of the job. `started` is the monotonic time of the call."""
        raise NotImplementedError

    async def run(self, job: Job[T], *, is_durable: bool = True) -> T:
        """Return the result of the job, run as one transaction even if the caller stops waiting.

        Without `is_durable`, a crash may undo it. Raises ToolError `unavailable` if the database
        fails; the transaction is then rolled back.
        """
        started = time.monotonic()
        return await self.threads.run(lambda: self.execute(job, started, is_durable=is_durable))

    @property
    def connection(self) -> Any:
        """The connection of this thread, or None."""
        return getattr(self._local, "connection", None)

    @connection.setter
    def connection(self, connection: Any) -> None:
        self._local.connection = connection

    def disconnect(self) -> None:
        """Close the connection of this thread, rolling back an open transaction."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()

    def reason(self, problem: ToolError) -> str:
        """Return why a job failed, for operators."""
        return problem.message

    def _renew(self) -> None:
        if self.leases.keys or self.leases.slots:
            self.execute(self.leases.renew, time.monotonic(), is_durable=True)


class SqlStore:
    """A store in a database: pass it to `with_controls(store=…)`.

    Every operation is one transaction. If the database fails, the caller gets ToolError
    `unavailable` (code `store_unavailable`), and the next call tries again.
    """

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database
        self.keys = SqlKeys(database)
        self.journal = SqlJournal(database)
        self.approvals = SqlApprovals(database)
        self.limits = SqlLimits(database)
        self.is_shared = True

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._database)!r})"

    async def check(self) -> None:
        """Return if the database can be written. Raises StoreError that says why not."""
        try:
            await self._database.run(lambda execute: execute("UPDATE secrets SET name = name"))
        except ToolError as problem:
            message = f"`{self._database}`: {self._database.reason(problem)}"
            raise StoreError(message) from None

    async def secret(self, name: str) -> bytes:
        """Return 32 random bytes, which are the same for everybody who opens the store."""

        def read(execute: Execute) -> bytes:
            execute(
                "INSERT INTO secrets (name, value) VALUES (:name, :value)"
                " ON CONFLICT (name) DO NOTHING",
                name=name,
                value=os.urandom(32).hex(),
            )
            (value,) = execute("SELECT value FROM secrets WHERE name = :name", name=name).fetchone()
            return bytes.fromhex(value)

        return await self._database.run(read)

    def close(self) -> None:
        """Finish pending operations and disconnect; a later operation connects again."""
        self._database.threads.close()


class SqlKeys:
    """A key store in a table; of all processes that claim a key, one succeeds."""

    __slots__ = ("_database", "_leases")

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database
        self._leases = database.leases

    async def claim(
        self, key: str, digest: str, *, is_repeatable: bool = False
    ) -> Lease | KeyedCall:
        """Claim the key, or return its stored call if it is taken."""
        token = os.urandom(8).hex()
        times = self._leases.times()

        def claim(execute: Execute) -> Any:
            execute("DELETE FROM keys WHERE expires <= :now")
            row = None
            while row is None:  # it may be released between the two statements
                claimed = execute(
                    _CLAIM,
                    key=key,
                    digest=digest,
                    token=token,
                    repeatable=int(is_repeatable),
                    **times,
                )
                if claimed.rowcount == 1:
                    return None
                row = execute(
                    "SELECT digest, state, leased > :now, result, error, token FROM keys"
                    " WHERE key = :key",
                    key=key,
                ).fetchone()
            return None if row[-1] == token else row  # its own, if the job is run again

        row = await self._database.run(claim)
        if row is None:
            self._leases.keys.add((key, token))
            return Lease(key=key, token=token)
        stored_digest, state, has_lease, result, error, _ = row
        if state in ("claimed", "begun"):
            state = "running" if has_lease else "unknown"
        return KeyedCall(
            digest=stored_digest, ending=state, result=json.loads(result), error=json.loads(error)
        )

    async def begin(self, lease: Lease) -> bool:
        """Record that the handler begins; return False if the lease has ended."""
        return await self._change(lease, f"UPDATE keys SET state = 'begun' WHERE {_HOLDS}")  # noqa: S608 - a constant

    async def settle(self, lease: Lease, call: KeyedCall) -> bool:
        """Store how the call ended; return False if the lease has ended."""
        self._leases.keys.discard((lease.key, lease.token))
        return await self._change(
            lease,
            _SETTLE,
            digest=call.digest,
            state=call.ending,
            result=json_text(call.result),
            error=json_text(call.error),
            keep=self._leases.times()["keep"],
        )

    async def release(self, lease: Lease) -> bool:
        """Release the key: the call did not begin, or may be retried. False as in `settle`."""
        self._leases.keys.discard((lease.key, lease.token))
        return await self._change(lease, f"DELETE FROM keys WHERE {_HOLDS}")  # noqa: S608 - a constant

    async def _change(self, lease: Lease, statement: str, **values: object) -> bool:
        return await self._database.run(
            lambda execute: (
                execute(statement, key=lease.key, token=lease.token, **values).rowcount == 1
            )
        )


_COLUMNS = "id, tool, at, caller, request_id, state, instance, mode, input, output, metadata"


class SqlJournal:
    """A journal in a table; of all processes that revert an entry, one succeeds."""

    __slots__ = ("_database", "_options")

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database
        self._options = database.options

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        values = {name: getattr(entry, name) for name in _COLUMNS.split(", ")}
        values |= {name: json_text(values[name]) for name in ("input", "output", "metadata")}
        named = ", ".join(f":{name}" for name in values)

        def insert(execute: Execute) -> None:
            execute(
                f"INSERT INTO entries ({_COLUMNS}, expires) VALUES ({named}, :now + :keep)",  # noqa: S608 - names of columns
                keep=self._options.keep_entries_seconds,
                **values,
            )
            execute(
                "DELETE FROM entries WHERE expires <= :now OR number <="
                " (SELECT number FROM entries ORDER BY number DESC LIMIT 1 OFFSET :most)",
                most=self._options.max_entries,
            )

        await self._database.run(insert)

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        await self._change(
            "UPDATE entries SET state = 'done', output = :output, metadata = :metadata"
            " WHERE id = :id",
            id=entry,
            output=json_text(output),
            metadata=json_text(metadata),
        )

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        await self._change("DELETE FROM entries WHERE id = :id", id=entry)

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`."""
        return await self._change_state(entry, "done", "reverting")

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        await self._change_state(entry, "reverting", "done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        await self.forget(entry)

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        rows = await self._database.run(
            lambda execute: execute(
                f"SELECT {_COLUMNS} FROM entries WHERE expires > :now ORDER BY number DESC"  # noqa: S608 - names of columns
            ).fetchall()
        )
        return [_entry(row) for row in rows]

    async def _change_state(self, entry: str, old: State, new: State) -> bool:
        statement = "UPDATE entries SET state = :new WHERE id = :id AND state = :old"
        return await self._change(statement, id=entry, old=old, new=new) == 1

    async def _change(self, statement: str, **values: object) -> int:
        return await self._database.run(lambda execute: execute(statement, **values).rowcount)


class SqlApprovals:
    """Used approvals in a table, until they expire."""

    __slots__ = ("_database",)

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database

    async def claim(self, approval: str, seconds: float) -> bool:
        """Return whether an approval is unused, and mark it as used for some seconds."""

        def claim(execute: Execute) -> bool:
            execute("DELETE FROM approvals WHERE expires <= :now")
            claimed = execute(
                "INSERT INTO approvals (approval, expires) VALUES (:approval, :now + :seconds)"
                " ON CONFLICT (approval) DO NOTHING",
                approval=approval,
                seconds=seconds,
            )
            return claimed.rowcount == 1

        return await self._database.run(claim)

    async def release(self, approval: str) -> None:
        """Let an approval be used: its call was refused before its handler could begin."""
        await self._database.run(
            lambda execute: execute(
                "DELETE FROM approvals WHERE approval = :approval", approval=approval
            )
        )


class SqlLimits:
    """Counts of calls in tables: one row for each call of a window, one lease for each slot."""

    __slots__ = ("_database", "_leases")

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database
        self._leases = database.leases

    async def enter(self, windows: Sequence[Window], slots: Slots | None) -> Lease | Excess:
        """Count a call in all windows and slots; in none of them if it would exceed one."""
        token = os.urandom(8).hex()
        seconds = {window.name: window.seconds for window in windows}
        names = sorted({*seconds, slots.name if slots else ""})

        def enter(execute: Execute) -> Excess | None:
            for name in names:  # in one order, so that no two transactions wait for each other
                self._database.lock(execute, name)
            expired = "SELECT number FROM calls WHERE expires <= :now ORDER BY expires LIMIT :most"
            execute(
                f"DELETE FROM calls WHERE number IN ({expired}{self._database.skip_locked})",  # noqa: S608 - a constant
                most=_DROPPED_CALLS,
            )
            if slots is not None and _are_full(execute, slots):
                return Excess()
            waits = [(_wait(execute, window), index) for index, window in enumerate(windows)]
            longest, index = max(waits, default=(0.0, 0))
            if longest > 0:
                return Excess(window=index, wait=longest)
            for name, length in seconds.items():
                execute(
                    "INSERT INTO calls (name, at, expires) VALUES (:name, :now, :now + :seconds)",
                    name=name,
                    seconds=length,
                )
            if slots is not None:
                execute(
                    "INSERT INTO slots (token, name, leased) VALUES (:token, :name, :now + :lease)",
                    token=token,
                    name=slots.name,
                    lease=self._leases.times()["lease"],
                )
            return None

        excess = await self._database.run(enter, is_durable=False)
        if excess is not None:
            return excess
        if slots is not None:
            self._leases.slots.add(token)
        return Lease(key=slots.name if slots else "", token=token)

    async def leave(self, lease: Lease) -> None:
        """Free the slot of a call that has ended."""
        self._leases.slots.discard(lease.token)
        await self._database.run(
            lambda execute: execute("DELETE FROM slots WHERE token = :token", token=lease.token),
            is_durable=False,
        )


def _are_full(execute: Execute, slots: Slots) -> bool:
    execute("DELETE FROM slots WHERE leased <= :now")
    counted = execute("SELECT count(*) FROM slots WHERE name = :name", name=slots.name)
    (count,) = counted.fetchone()
    return bool(count >= slots.limit)


def _wait(execute: Execute, window: Window) -> float:
    """Return the seconds until a window has room for one more call."""
    row = execute(
        "SELECT at + :seconds - :now FROM calls WHERE name = :name"
        " ORDER BY at DESC LIMIT 1 OFFSET :before",
        name=window.name,
        seconds=window.seconds,
        before=window.calls - 1,
    ).fetchone()
    return 0.0 if row is None else max(0.0, float(row[0]))


def _entry(row: Sequence[Any]) -> Entry:
    columns = dict(zip(_COLUMNS.split(", "), row, strict=True))
    texts = {name: json.loads(columns[name]) for name in ("input", "output", "metadata")}
    return Entry(**{**columns, **texts})


def json_text(value: JsonValue) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
