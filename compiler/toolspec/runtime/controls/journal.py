"""The journal of revertible calls."""

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
"""Default maximum number of entries; the oldest are dropped."""


class Entry(Record):
    """One call of a revertible tool. `at` is epoch seconds; `metadata` is the handler's."""

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
    """Stores entries in the order in which they were begun.

    An entry is kept until it is forgotten, reverted, or exceeds the maximum number of entries.
    """

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        raise NotImplementedError

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        raise NotImplementedError

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        raise NotImplementedError

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`.

        Of all concurrent callers, in any process, one succeeds.
        """
        raise NotImplementedError

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        raise NotImplementedError

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        raise NotImplementedError

    async def standing(self) -> list[Entry]:
        """Return all entries, the newest first."""
        raise NotImplementedError


class RevertOutcome(Record):
    """The outcome of reverting one entry; `message` explains a failure.

    `failed` is retried by the next revert. `unknown` means that its call, or a revert of it, never
    finished, so its effect is unknown; it is reported again and never retried automatically. Once
    the effect is known, pass the entry to `release` or `forget` of the journal.
    """

    entry: str
    tool: str
    status: Status
    message: str = ""


class MemoryJournal:
    """An in-memory journal of the newest `kept` entries."""

    __slots__ = ("_entries", "_kept")

    def __init__(self, kept: int = KEPT) -> None:
        self._entries: dict[str, Entry] = {}
        self._kept = kept

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        self._entries[entry.id] = entry
        if len(self._entries) > self._kept:
            del self._entries[next(iter(self._entries))]

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        self._change(entry, state="done", output=output, metadata=metadata)

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        self._entries.pop(entry, None)

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`."""
        known = self._entries.get(entry)
        if known is None or known.state != "done":
            return False
        self._change(entry, state="reverting")
        return True

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        known = self._entries.get(entry)
        if known is not None and known.state == "reverting":
            self._change(entry, state="done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        self._entries.pop(entry, None)

    async def standing(self) -> list[Entry]:
        """Return all entries, the newest first."""
        return list(self._entries.values())[::-1]

    def _change(self, entry: str, **fields: object) -> None:
        known = self._entries.get(entry)
        if known is not None:
            self._entries[entry] = Entry(**{**vars(known), **fields})
