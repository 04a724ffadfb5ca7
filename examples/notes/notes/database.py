"""The database file: how it is opened, and the tables of a new one."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from notes.search_index import begin_index, use_index

BUSY_SECONDS = 2.0
"""How long a statement waits for another program's lock."""

_RETRY_SECONDS = 0.005
_VERSION = 1
_TABLES = (
    """
    CREATE TABLE notes (
        number INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, body TEXT NOT NULL,
        tags TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
    )
    """,
    "CREATE INDEX notes_by_title ON notes (title)",
    # Counts every change, so that whoever keeps an answer can tell whether it still holds.
    "CREATE TABLE changes (revision INTEGER NOT NULL)",
    "INSERT INTO changes VALUES (0)",
    *(
        f"CREATE TRIGGER count_{event} AFTER {event} ON notes"
        " BEGIN UPDATE changes SET revision = revision + 1; END"
        for event in ("INSERT", "UPDATE", "DELETE")
    ),
    "CREATE TABLE uses (tool TEXT, status TEXT, count INTEGER, PRIMARY KEY (tool, status))",
    "CREATE TABLE indexes (number INTEGER PRIMARY KEY AUTOINCREMENT, in_use INTEGER NOT NULL)",
)


def connect(path: str, *, read_only: bool) -> sqlite3.Connection:
    """Return a connection to the file, which is made where there is none, unless it is read only.

    Complains (sqlite3.Error) of a file that cannot be opened, or is another program's.
    """
    mode = "ro" if read_only else "rwc"
    connection = sqlite3.connect(
        f"{Path(path).absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions begin where `transaction.py` says so
        check_same_thread=False,  # it is used by one thread at a time, not always the same
    )
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    if _version(connection) == _VERSION:
        return
    _use_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    if _version(connection) == 0:  # nobody was quicker
        for statement in _TABLES:
            connection.execute(statement)
        use_index(connection, begin_index(connection, "en"))
        connection.execute(f"PRAGMA user_version = {_VERSION}")
    connection.execute("COMMIT")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Let readers work beside a writer. SQLite does not wait for a lock here, so this does."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _version(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if found not in (0, _VERSION):
        problem = "the file belongs to another program, or to another version of this one"
        raise sqlite3.DatabaseError(problem)
    return found
