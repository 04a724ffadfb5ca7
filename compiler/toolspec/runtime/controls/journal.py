"""The record of calls that can be undone, and undoing them, the newest first."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, Protocol, TypeAlias

    from toolspec.runtime.values import JsonObject, JsonValue

    State: TypeAlias = Literal["begun", "done", "reverted"]
else:
    Protocol = object


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
