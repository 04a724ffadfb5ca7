"""What a generated client needs of whatever carries its calls."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import Protocol
else:
    Protocol = object


class Transport(Protocol):
    """Carries calls by full name: a Registry in process, or a connection to a server.

    Failures are raised as ToolError from both methods, never returned or yielded.
    """

    async def call(self, name: str, arguments: Mapping[str, object]) -> object:
        """Return the tool's whole result, a JSON value."""
        raise NotImplementedError

    def stream(self, name: str, arguments: Mapping[str, object]) -> AsyncIterator[object]:
        """Return an iterator over the result's chunks; one item for a tool that does not stream."""
        raise NotImplementedError
