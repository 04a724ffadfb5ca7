"""The store in a PostgreSQL database, in a schema of its own."""

from __future__ import annotations

import re
import time
from functools import cache

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from toolspec.runtime.stores import VERSION, StoreError
from toolspec.runtime.stores.sql import TABLES, SqlDatabase, SqlStore
from toolspec.runtime.stores.threads import NO_CONNECTION, unstorable, unusable
from toolspec.runtime.stores.urls import StoreUrl

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.stores import StoreOptions
    from toolspec.runtime.stores.sql import Execute, Job, Rows

    T = TypeVar("T")

_CONNECTIONS = 4
_TIMEOUTS = ("statement_timeout", "idle_in_transaction_session_timeout")
_NOW = "extract(epoch FROM clock_timestamp())::float8"


class PostgresqlStore(SqlStore):
    """A store in a PostgreSQL schema, `toolspec` by default."""

    def __init__(self, url: str, options: StoreOptions) -> None:
        super().__init__(PostgresqlDatabase(StoreUrl.parsed(url), options))


class PostgresqlDatabase(SqlDatabase):
    """A schema, with a connection for each thread; a broken one is replaced at the next job."""

    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, url: StoreUrl, options: StoreOptions) -> None:
        super().__init__(options, _CONNECTIONS)
        self.url = url
        self._reason = ""
        self._conninfo = _conninfo(url, options)

    def __str__(self) -> str:
        return self.url.shown

    def reason(self, problem: ToolError) -> str:
        """Return why the last job failed, for operators: callers get less."""
        return self._reason or problem.message

    def lock(self, execute: Execute, name: str) -> None:
        """Wait until no other transaction holds the lock of a name."""
        execute("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))", name=name)

    def execute(self, job: Job[T], started: float, *, is_durable: bool) -> T:
        """Return the result of the job, run again if a reused connection turns out to be lost."""
        if time.monotonic() - started > self.options.busy_seconds:
            raise unusable(NO_CONNECTION)
        try:
            is_reused = self.connection is not None
            try:
                return self._transaction(job, is_durable=is_durable)
            except psycopg.OperationalError:
                if not is_reused:
                    raise
            # The server has restarted, perhaps. Jobs have the same effect when they run again.
            self.disconnect()
            return self._transaction(job, is_durable=is_durable)
        except (psycopg.Error, StoreError, OSError) as problem:
            self.disconnect()
            if isinstance(problem, psycopg.DataError) and problem.sqlstate is None:
                raise unstorable(problem) from None  # refused by psycopg itself: a NUL character
            self._reason = self.url.without_password(problem)
            kind = problem if isinstance(problem, StoreError) else type(problem).__name__
            raise unusable(kind) from None
        except BaseException:
            self.disconnect()
            raise

    def _transaction(self, job: Job[T], *, is_durable: bool) -> T:
        connection = self.connection or self._connected()

        def execute(statement: str, /, **values: object) -> Rows:
            return connection.execute(_translated(statement), values)

        with connection.transaction():
            if not is_durable:
                connection.execute("SET LOCAL synchronous_commit = off")
            return job(execute)

    def _connected(self) -> psycopg.Connection[Any]:
        connection = psycopg.connect(self._conninfo, autocommit=True)
        try:
            with connection.transaction():
                _prepare(connection, self.url.namespace)
        except BaseException:
            connection.close()
            raise
        self.connection = connection
        return connection


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
