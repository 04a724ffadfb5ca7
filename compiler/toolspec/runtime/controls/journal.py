"""The record of calls that can be undone, and undoing them, the newest first."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, Protocol, TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    State: TypeAlias = Literal["begun", "done", "reverting"]
    Status: TypeAlias = Literal["reverted", "failed", "unknown"]
else:
    Protocol = object

KEPT = 1_000
"""Entries that a journal holds unless told otherwise; the oldest of more are forgotten."""


class Entry(Record):
    """One call of a revertible tool. `at` is epoch seconds; `metadata` is what the handler kept."""

    id: str
    tool: str
    """The full name; `name@version` where the tool has one."""
    at: float
    input: JsonValue
    caller: str | None = None
    request_id: str = ""
    instance: str = ""
    mode: str = ""
    state: State = "begun"
    output: JsonValue = None
    metadata: JsonObject = {}  # noqa: RUF012 - a frozen record's default, never changed


class Journal(Protocol):
    """Keeps entries in the order in which they were begun.

    An entry is there until it is forgotten, reverted, or older than as many as are kept.
    """

    async def begin(self, entry: Entry) -> None:
        """Keep a new entry, before its handler runs."""
        raise NotImplementedError

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Write down what the handler answered: from now on the entry can be reverted."""
        raise NotImplementedError

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler said that nothing has happened."""
        raise NotImplementedError

    async def reverting(self, entry: str) -> bool:
        """Return whether an entry that was `done` is this caller's to revert; now it is `reverting`.

        Of all who ask, in this process and others, one gets it.
        """
        raise NotImplementedError

    async def release(self, entry: str) -> None:
        """Make an entry that was `reverting` `done` again: its revert has had no effect."""
        raise NotImplementedError

    async def reverted(self, entry: str) -> None:
        """Drop an entry whose revert is done."""
        raise NotImplementedError

    async def standing(self) -> list[Entry]:
        """Return all entries, the newest first."""
        raise NotImplementedError


class RevertOutcome(Record):
    """What came of reverting one entry; `message` says why it was not, or what went wrong.

    `failed` is tried again by the next revert. `unknown`: its call never finished, or a revert of
    it did not, so nobody knows what holds now; it is told again, and never tried by itself. Who
    has found out gives the entry to `release` or to `forget` of the journal.
    """

    entry: str
    tool: str
    status: Status
    message: str = ""


class MemoryJournal:
    """A journal that lives and ends with its process; it keeps the newest `kept` entries."""

    __slots__ = ("_entries", "_kept")

    def __init__(self, kept: int = KEPT) -> None:
        self._entries: dict[str, Entry] = {}
        self._kept = kept

    async def begin(self, entry: Entry) -> None:
        """Keep a new entry, before its handler runs."""
        self._entries[entry.id] = entry
        if len(self._entries) > self._kept:
            del self._entries[next(iter(self._entries))]

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Write down what the handler answered: from now on the entry can be reverted."""
        self._change(entry, state="done", output=output, metadata=metadata)

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler said that nothing has happened."""
        self._entries.pop(entry, None)

    async def reverting(self, entry: str) -> bool:
        """Return whether an entry that was `done` is this caller's to revert; now it is `reverting`."""
        known = self._entries.get(entry)
        if known is None or known.state != "done":
            return False
        self._change(entry, state="reverting")
        return True

    async def release(self, entry: str) -> None:
        """Make an entry that was `reverting` `done` again: its revert has had no effect."""
        known = self._entries.get(entry)
        if known is not None and known.state == "reverting":
            self._change(entry, state="done")

    async def reverted(self, entry: str) -> None:
        """Drop an entry whose revert is done."""
        self._entries.pop(entry, None)

    async def standing(self) -> list[Entry]:
        """Return all entries, the newest first."""
        return list(self._entries.values())[::-1]

    def _change(self, entry: str, **fields: object) -> None:
        known = self._entries.get(entry)
        if known is not None:
            self._entries[entry] = Entry(**{**vars(known), **fields})
