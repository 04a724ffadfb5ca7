"""The record of calls that can be undone, and undoing them, the newest first."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, Protocol, TypeAlias

    from toolspec.runtime.values import JsonObject, JsonValue

    State: TypeAlias = Literal["begun", "done", "reverted"]
    Status: TypeAlias = Literal["reverted", "failed", "unknown"]
else:
    Protocol = object

KEPT = 1_000
"""Entries that a journal in memory holds; the oldest of more are forgotten."""


class Entry(Record):
    """One call of a revertible tool. `at` is epoch seconds; `metadata` is what the handler kept."""

    id: str
    tool: str
    """The full name; `name@version` where the tool has one."""
    at: float
    input: JsonValue
    caller: str | None = None
    request_id: str = ""
    state: State = "begun"
    output: JsonValue = None
    metadata: JsonObject = {}  # noqa: RUF012 - a frozen record's default, never changed


class Journal(Protocol):
    """Keeps entries in the order in which they were begun."""

    async def begin(self, entry: Entry) -> None:
        """Keep a new entry, before its handler runs."""
        raise NotImplementedError

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Write down what the handler answered: from now on the entry can be reverted."""
        raise NotImplementedError

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler said that nothing has happened."""
        raise NotImplementedError

    async def reverted(self, entry: str) -> None:
        """Mark an entry as reverted."""
        raise NotImplementedError

    async def standing(self) -> list[Entry]:
        """Return what is begun or done and not reverted, the newest first."""
        raise NotImplementedError


class RevertOutcome(Record):
    """What came of reverting one entry; `message` says why it was not, or what went wrong.

    `unknown`: its call never finished, or the revert did not, so nobody knows what holds now.
    Only what is `reverted` is marked so in the journal.
    """

    entry: str
    tool: str
    status: Status
    message: str = ""


class MemoryJournal:
    """A journal that lives and ends with its process, and forgets what has been reverted."""

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
        known = self._entries.get(entry)
        if known is not None:
            done = {**vars(known), "state": "done", "output": output, "metadata": metadata}
            self._entries[entry] = Entry(**done)

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler said that nothing has happened."""
        self._entries.pop(entry, None)

    async def reverted(self, entry: str) -> None:
        """Mark an entry as reverted."""
        self._entries.pop(entry, None)

    async def standing(self) -> list[Entry]:
        """Return what is begun or done and not reverted, the newest first."""
        return list(self._entries.values())[::-1]
