"""Notes in SQLite: every question that is put to the tables, as plain functions that block.

Each takes the connection first; `transaction.py` runs them in worker threads.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from notes.search_index import index_in_use

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from generated.notes import Note, UpdateInput

_NOTE = "SELECT number, title, body, tags, created_at, updated_at FROM notes"
_TAGGED = "(:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(notes.tags) WHERE value = :tag))"


def add(connection: sqlite3.Connection, title: str, body: str, tags: Sequence[str]) -> Note:
    """Return a new note."""
    now = _now()
    values = (title, body, json.dumps(tags), now, now)
    number = connection.execute(
        "INSERT INTO notes (title, body, tags, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        values,
    ).lastrowid
    return _note((number, *values))


def restore(connection: sqlite3.Connection, note: Note) -> None:
    """Put a note back as it was, with its id and its times, whatever it is now."""
    connection.execute(
        "INSERT INTO notes (number, title, body, tags, created_at, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (number) DO UPDATE SET title = excluded.title, body = excluded.body,"
        " tags = excluded.tags, updated_at = excluded.updated_at",
        (
            int(note["id"].removeprefix("n")),
            note["title"],
            note["body"],
            json.dumps(note["tags"]),
            note["created_at"],
            note["updated_at"],
        ),
    )


def find(connection: sqlite3.Connection, note_id: str) -> Note | None:
    """Return a note, if it is there."""
    # SQLite reads a number that is too long for it as its greatest: the second half holds it off.
    row = connection.execute(
        f"{_NOTE} WHERE number = CAST(substr(:id, 2) AS INTEGER) AND 'n' || number = :id",
        {"id": note_id},
    ).fetchone()
    return None if row is None else _note(row)


def has_title(connection: sqlite3.Connection, title: str) -> bool:
    """Return whether a note of exactly this title exists."""
    return (
        connection.execute("SELECT 1 FROM notes WHERE title = ?", (title,)).fetchone() is not None
    )


def change(connection: sqlite3.Connection, wanted: UpdateInput) -> tuple[Note, Note] | None:
    """Return a note before and after the change; None if there is no such note."""
    before = find(connection, wanted["id"])
    if before is None:
        return None
    after: Note = {
        **before,
        "title": wanted.get("title", before["title"]),
        "body": wanted.get("body", before["body"]),
        "tags": wanted.get("tags", before["tags"]),
    }
    if after != before:  # the same change twice is one change
        after["updated_at"] = _now()
        restore(connection, after)
    return before, after


def remove(connection: sqlite3.Connection, note_id: str) -> Note | None:
    """Return a note that was there until now; None if there is no such note."""
    note = find(connection, note_id)
    if note is not None:
        connection.execute("DELETE FROM notes WHERE 'n' || number = ?", (note_id,))
    return note


def search(
    connection: sqlite3.Connection, expression: str, tag: str | None, limit: int
) -> tuple[list[Note], int]:
    """Return the best matches of an expression (of `all_of` or `any_of`), and how many there are."""
    index = index_in_use(connection)
    values = {"expression": expression, "tag": tag, "limit": limit}
    matching = f"JOIN {index} ON {index}.rowid = notes.number WHERE {index} MATCH :expression"
    total = connection.execute(
        f"SELECT count(*) FROM notes {matching} AND {_TAGGED}", values
    ).fetchone()[0]
    rows = connection.execute(
        f"SELECT notes.number, notes.title, notes.body, tags, created_at, updated_at FROM notes"
        f" {matching} AND {_TAGGED} ORDER BY bm25({index}, 4, 1), notes.number LIMIT :limit",
        values,
    )
    return [_note(row) for row in rows], total


def all_of(text: str) -> str:
    """Return the expression for notes in which every word of a text occurs."""
    return " ".join(_quoted(text))


def any_of(text: str) -> str:
    """Return the expression for notes in which some word of a text occurs."""
    return " OR ".join(_quoted(text))


def page(
    connection: sqlite3.Connection, after: int, tag: str | None, size: int
) -> list[tuple[int, Note]]:
    """Return the notes that were written after a certain one, the oldest first, with their numbers."""
    rows = connection.execute(
        f"{_NOTE} WHERE number > :after AND {_TAGGED} ORDER BY number LIMIT :size",
        {"after": after, "tag": tag, "size": size},
    )
    return [(row[0], _note(row)) for row in rows]


def count(connection: sqlite3.Connection) -> tuple[int, int, Counter[str]]:
    """Return how many notes there are, how many words in them, and how often each tag is used."""
    notes = words = 0
    tags: Counter[str] = Counter()
    for title, body, given in connection.execute("SELECT title, body, tags FROM notes"):
        notes += 1
        words += len(title.split()) + len(body.split())
        tags.update(json.loads(given))
    return notes, words, tags


def count_notes(connection: sqlite3.Connection) -> int:
    """Return how many notes there are."""
    found: int = connection.execute("SELECT count(*) FROM notes").fetchone()[0]
    return found


def revision(connection: sqlite3.Connection) -> int:
    """Return a number that grows with every change of a note."""
    found: int = connection.execute("SELECT revision FROM changes").fetchone()[0]
    return found


def count_use(connection: sqlite3.Connection, tool: str, status: str) -> None:
    """Remember that a tool was used once more."""
    connection.execute(
        "INSERT INTO uses VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1",
        (tool, status),
    )


def _quoted(text: str) -> list[str]:
    """Return the words of a text so that none of them means anything to the search itself."""
    return ['"' + word.replace('"', '""') + '"' for word in text.split()]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _note(row: Sequence[object]) -> Note:
    number, title, body, tags, created_at, updated_at = row
    return {
        "id": f"n{number}",
        "title": str(title),
        "body": str(body),
        "tags": json.loads(str(tags)),
        "created_at": str(created_at),
        "updated_at": str(updated_at),
    }
