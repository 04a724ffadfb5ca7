"""The store in a PostgreSQL database, in a schema of its own."""

from __future__ import annotations

import re
import threading
import time
from functools import cache

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from toolspec.runtime.errors import ToolError
from toolspec.runtime.stores import VERSION, StoreError
from toolspec.runtime.stores.sql import (
    TABLES,
    Leases,
    SqlApprovals,
    SqlJournal,
    SqlKeys,
    SqlLimits,
    secret,
)
from toolspec.runtime.stores.threads import NO_CONNECTION, Threads, unusable
from toolspec.runtime.stores.urls import StoreUrl

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from toolspec.runtime.stores import StoreOptions
    from toolspec.runtime.stores.sql import Execute, Job, Rows

    T = TypeVar("T")

_CONNECTIONS = 4
_TIMEOUTS = ("statement_timeout", "idle_in_transaction_session_timeout")
_NOW = "extract(epoch FROM clock_timestamp())::float8"


class PostgresqlStore:
    """A store in a PostgreSQL schema, `toolspec` by default: pass it to `with_controls(store=…)`.

    Every operation is one transaction. If the database fails, the caller gets ToolError
    `unavailable` (code `store_unavailable`), and the next call connects again.
    """

    __slots__ = ("_database", "approvals", "is_shared", "journal", "keys", "limits")

    def __init__(self, url: str, options: StoreOptions) -> None:
        leases = Leases(options)
        self._database = PostgresqlDatabase(StoreUrl.parsed(url), options, leases)
        self.keys = SqlKeys(self._database, leases)
        self.journal = SqlJournal(self._database, options)
        self.approvals = SqlApprovals(self._database)
        self.limits = SqlLimits(self._database, leases)
        self.is_shared = True

    def __repr__(self) -> str:
        return f"PostgresqlStore({self._database.url.shown!r})"

    async def check(self) -> None:
        """Return if the database can be written. Raises StoreError that says why not."""
        try:
            await self._database.run(lambda execute: execute("UPDATE secrets SET name = name"))
        except ToolError as problem:
            reason = self._database.reason or problem.message
            message = f"`{self._database.url.shown}`: {reason}"
            raise StoreError(message) from None

    async def secret(self, name: str) -> bytes:
        """Return 32 random bytes, which are the same for everybody who opens the store."""
        return await secret(self._database, name)

    def close(self) -> None:
        """Finish pending operations and disconnect; a later operation connects again."""
        self._database.threads.close()


class PostgresqlDatabase:
    """A schema, with a connection for each thread; a broken one is replaced at the next job."""

    def __init__(self, url: StoreUrl, options: StoreOptions, leases: Leases) -> None:
        self.url = url
        self.reason = ""
        """Why the last job failed, for operators."""
        self._options = options
        self._leases = leases
        self._local = threading.local()
        self._conninfo = _conninfo(url, options)
        self.threads = Threads(
            _CONNECTIONS,
            tick=self._renew,
            tick_seconds=options.lease_seconds / 3,
            disconnect=self._disconnect,
        )

    def lock(self, execute: Execute, name: str) -> None:
        """Wait until no other transaction holds the lock of a name."""
        execute("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))", name=name)

    async def run(self, job: Job[T], *, is_durable: bool = True) -> T:
        """Return the result of the job, run as one transaction even if the caller stops waiting.

        Without `is_durable`, a crash of the server may undo it. Raises ToolError `unavailable` if
        the database fails; the transaction is then rolled back.
        """
        started = time.monotonic()
        return await self.threads.run(lambda: self._execute(job, started, is_durable=is_durable))

    def _renew(self) -> None:
        if self._leases.keys or self._leases.slots:
            self._execute(self._leases.renew, time.monotonic(), is_durable=True)

    def _execute(self, job: Job[T], started: float, *, is_durable: bool) -> T:
        if time.monotonic() - started > self._options.busy_seconds:
            raise unusable(NO_CONNECTION)
        try:
            is_reused = self._connection is not None
            try:
                return self._transaction(job, is_durable=is_durable)
            except psycopg.OperationalError:
                if not is_reused:
                    raise
            # The server has restarted, perhaps. Jobs have the same effect when they run again.
            self._disconnect()
            return self._transaction(job, is_durable=is_durable)
        except (psycopg.Error, StoreError, OSError) as problem:
            self._disconnect()
            self.reason = self.url.without_password(problem)
            kind = problem if isinstance(problem, StoreError) else type(problem).__name__
            raise unusable(kind) from None
        except BaseException:
            self._disconnect()
            raise

    def _transaction(self, job: Job[T], *, is_durable: bool) -> T:
        connection = self._connection or self._connected()

        def execute(statement: str, /, **values: object) -> Rows:
            return connection.execute(_translated(statement), values)

        with connection.transaction():
            if not is_durable:
                connection.execute("SET LOCAL synchronous_commit = off")
            return job(execute)

    @property
    def _connection(self) -> psycopg.Connection[Any] | None:
        return getattr(self._local, "connection", None)

    def _connected(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(self._conninfo, autocommit=True)
        try:
            with connection.transaction():
                _prepare(connection, self.url.namespace)
        except BaseException:
            connection.close()
            raise
        self._local.connection = connection
        return connection

    def _disconnect(self) -> None:
        connection, self._local.connection = self._connection, None
        if connection is not None:
            connection.close()


def _conninfo(url: StoreUrl, options: StoreOptions) -> str:
    """Return the parameters of a connection. Raises StoreError for unknown ones."""
    seconds = max(1, round(options.busy_seconds))
    try:
        stated: dict[str, Any] = conninfo_to_dict(url.text)
        # The transaction of a process that is stopped would lock rows for all others.
        times = [f"-c {name}={seconds * 1000}" for name in _TIMEOUTS]
        limits = f"{' '.join(times)} -c search_path={url.namespace}"
        stated["options"] = f"{stated.get('options', '')} {limits}".strip()
        defaults = {"connect_timeout": seconds, "tcp_user_timeout": seconds * 1000}
        return make_conninfo(**{**defaults, "application_name": "toolspec", **stated})
    except psycopg.Error as problem:
        message = f"`{url.shown}`: {url.without_password(problem)}"
        raise StoreError(message) from None


def _prepare(connection: psycopg.Connection[Any], schema: str) -> None:
    """Create the tables of a new schema. Raises StoreError if the schema has other tables."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", (schema,))
    found = connection.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = %s", (schema,)
    )
    tables = {name for (name,) in found.fetchall()}
    if "store_version" in tables:
        row = connection.execute("SELECT number FROM store_version").fetchone()
        if row != (VERSION,):
            version = row[0] if row else None
            problem = f"it has version {version} of a store, and this program needs {VERSION}"
            raise StoreError(problem)
        return
    if tables:
        problem = f"the schema `{schema}` belongs to another program: add `?namespace=NAME`"
        raise StoreError(problem)
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    connection.execute(TABLES.format(serial="BIGSERIAL PRIMARY KEY"))
    connection.execute("CREATE TABLE store_version (number INTEGER NOT NULL)")
    connection.execute("INSERT INTO store_version (number) VALUES (%s)", (VERSION,))


@cache
def _translated(statement: str) -> Any:
    """Return a statement with the placeholders of psycopg, and the clock of the server."""
    statement = re.sub(r"(?<!:):now\b", _NOW, statement.replace("%", "%%"))
    return re.sub(r"(?<!:):([a-z_]+)", r"%(\1)s", statement)
