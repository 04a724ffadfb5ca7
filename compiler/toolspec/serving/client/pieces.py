"""The chunks of a call, as a server sends them in messages of progress beside the whole."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from toolspec.runtime.context import Progress
from toolspec.runtime.errors import ToolError
from toolspec.runtime.output import pieces
from toolspec.runtime.values import copied

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from toolspec.runtime.context import ProgressListener
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.values import JsonValue


class Pieces:
    """Collects what comes before the whole; the whole then says what is still missing.

    The protocol cannot slow a server down: what nobody has taken yet waits here.
    """

    def __init__(self, tool: ToolDefinition, on_progress: ProgressListener | None) -> None:
        self._tool = tool
        self._on_progress = on_progress
        self._waiting: asyncio.Queue[tuple[JsonValue] | None] = asyncio.Queue()
        self._taken: list[JsonValue] = []

    async def listen(self, progress: float, total: float | None, message: str | None) -> None:
        """Take a message of progress: a chunk has a text and no total."""
        chunk = self._chunk(message) if total is None and message is not None else None
        if chunk is not None:
            self._waiting.put_nowait(chunk)
        elif self._on_progress is not None:
            self._on_progress(Progress(value=progress, total=total, message=message))

    def end(self, _: object) -> None:
        """Take note that the call has ended, well or not."""
        self._waiting.put_nowait(None)

    async def coming(self) -> AsyncIterator[JsonValue]:
        """Yield the chunks until the call has ended."""
        while (chunk := await self._waiting.get()) is not None:
            self._taken += chunk
            yield chunk[0]

    def missing(self, whole: JsonValue) -> list[JsonValue]:
        """Return the chunks that did not come. Raises ToolError `output` for others than did."""
        if not self._taken:
            return pieces(self._tool, whole)
        match self._tool.reduction, whole:
            case "join", str():
                told = "".join(map(str, self._taken))
                if whole.startswith(told):
                    return [whole[len(told) :]] if len(whole) > len(told) else []
            case "list", list():
                if whole[: len(self._taken)] == self._taken:
                    return whole[len(self._taken) :]
            case _:
                return [] if self._taken[-1] == whole else [whole]
        message = f"the chunks of `{self._tool.full_name}` do not make its result"
        raise ToolError.output(message, code="stream_mismatch")

    def _chunk(self, text: str) -> tuple[JsonValue] | None:
        if self._tool.reduction == "join":
            return (text,)
        try:
            return (copied(json.loads(text)),)
        except (ValueError, RecursionError):
            return None
