"""The index for searching: built beside the one in use, and put in its place when it is whole.

Triggers keep every index up to date from the moment it is begun, so that notes may change while
one is built, in any process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import sqlite3

Language: TypeAlias = Literal["en", "de", "fr"]

_TOKENIZERS = {
    "en": "porter unicode61",  # knows that "loaves" and "loaf's" are of a kind
    "de": "unicode61 remove_diacritics 2",  # SQLite has no word stems for these: accents fold
    "fr": "unicode61 remove_diacritics 2",
}
_TRIGGERS = {
    "INSERT": "INSERT INTO {index} (rowid, title, body) VALUES (new.number, new.title, new.body)",
    "UPDATE": "UPDATE {index} SET title = new.title, body = new.body WHERE rowid = new.number",
    "DELETE": "DELETE FROM {index} WHERE rowid = old.number",
}


def begin_index(connection: sqlite3.Connection, language: Language) -> int:
    """Return the number of a new, empty index, in which only notes appear that change from now on."""
    number = connection.execute("INSERT INTO indexes (in_use) VALUES (FALSE)").lastrowid or 0
    index = index_name(number)
    connection.execute(
        f"CREATE VIRTUAL TABLE {index} USING fts5 (title, body, tokenize = '{_TOKENIZERS[language]}')"
    )
    for event, statement in _TRIGGERS.items():
        connection.execute(
            f"CREATE TRIGGER {index}_{event} AFTER {event} ON notes"
            f" BEGIN {statement.format(index=index)}; END"
        )
    return number


def fill_index(
    connection: sqlite3.Connection, number: int, after: int, batch: int
) -> tuple[int, int]:
    """Put the next notes into an index; return the number of the last one, and how many they were.

    Complains (LookupError) of an index that has been dropped meanwhile.
    """
    known = connection.execute("SELECT 1 FROM indexes WHERE number = ?", (number,)).fetchone()
    if known is None:
        raise LookupError(number)
    rows = connection.execute(
        "SELECT number, title, body FROM notes WHERE number > ? ORDER BY number LIMIT ?",
        (after, batch),
    ).fetchall()
    connection.executemany(
        f"INSERT OR REPLACE INTO {index_name(number)} (rowid, title, body) VALUES (?, ?, ?)", rows
    )
    return (rows[-1][0] if rows else after), len(rows)


def use_index(connection: sqlite3.Connection, number: int) -> None:
    """Let searches use an index, and drop all that were begun before it."""
    connection.execute("UPDATE indexes SET in_use = (number = ?)", (number,))
    older = connection.execute("SELECT number FROM indexes WHERE number < ?", (number,)).fetchall()
    for (each,) in older:
        drop_index(connection, each)
    # Another index may find others: what was answered before is out of date.
    connection.execute("UPDATE changes SET revision = revision + 1")


def drop_index(connection: sqlite3.Connection, number: int) -> None:
    """Remove an index and its triggers, if it is there."""
    index = index_name(number)
    for event in _TRIGGERS:
        connection.execute(f"DROP TRIGGER IF EXISTS {index}_{event}")
    connection.execute(f"DROP TABLE IF EXISTS {index}")
    connection.execute("DELETE FROM indexes WHERE number = ?", (number,))


def index_in_use(connection: sqlite3.Connection) -> str:
    """Return the table in which to search."""
    return index_name(connection.execute("SELECT number FROM indexes WHERE in_use").fetchone()[0])


def index_name(number: int) -> str:
    """Return the table of an index."""
    return f"search_index_{number:d}"
