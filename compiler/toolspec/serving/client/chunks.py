"""Chunks of a call, received as progress messages before the complete result."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.runtime.chunks import as_chunks
from toolspec.runtime.errors import ToolError
from toolspec.runtime.values import copied
from toolspec.serving.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.progress import ProgressListener
    from toolspec.shared.json_values import JsonValue

MOST_WAITING = 64 << 20
"""Maximum characters of chunks that are not consumed yet."""

_OVERHEAD = 100
"""Extra characters counted per chunk, because small chunks take memory too."""


class ChunkCollector:
    """Collects the chunks that arrive before the complete result, which reveals missing ones.

    The protocol has no back pressure: unconsumed chunks wait here, up to `MOST_WAITING`. Of
    consumed chunks only a digest is kept, so a stream may be endless.
    """

    def __init__(self, tool: ToolDefinition, on_progress: ProgressListener | None) -> None:
        self._tool = tool
        self._on_progress = on_progress
        self._is_text = tool.reduction == "join"
        self._waiting: asyncio.Queue[tuple[JsonValue, int] | None] = asyncio.Queue()
        self._size = 0
        self._is_full = False
        self._taken = 0
        self._last: JsonValue = None
        self._consumed = sha256()

    async def listen(self, progress: float, total: float | None, message: str | None) -> None:
        """Receive a progress message: a chunk has a text and no total."""
        chunk = self._chunk(message) if total is None and message is not None else None
        if chunk is not None:
            self._keep(chunk[0], len(message or "") + _OVERHEAD)
        elif self._on_progress is not None:
            self._on_progress(progress_of(progress, total, message))

    def end(self, _: object) -> None:
        """Mark the call as ended."""
        self._waiting.put_nowait(None)

    async def coming(self) -> AsyncIterator[JsonValue]:
        """Yield the chunks until the call has ended."""
        while (waited := await self._waiting.get()) is not None:
            chunk, size = waited
            self._size -= size
            self._take(chunk)
            yield chunk
        if self._is_full:
            message = (
                f"the server sent chunks of `{self._tool.full_name}` faster than they were taken"
            )
            raise ToolError.output(message, code="too_many_chunks")

    def missing(self, whole: JsonValue) -> list[JsonValue]:
        """Return the chunks that did not arrive. Raises ToolError `output` if others differ."""
        if not self._taken:
            return as_chunks(self._tool, whole)
        match self._tool.reduction, whole:
            case "join", str():
                if self._begins([whole[: self._taken]]):
                    return [whole[self._taken :]] if len(whole) > self._taken else []
            case "list", list():
                if len(whole) >= self._taken and self._begins(whole[: self._taken]):
                    return whole[self._taken :]
            case _:
                return [] if self._last == whole else [whole]
        message = f"the chunks of `{self._tool.full_name}` do not make its result"
        raise ToolError.output(message, code="stream_mismatch")

    def _keep(self, chunk: JsonValue, size: int) -> None:
        if self._is_full:
            return
        self._size += size
        self._is_full = self._size > MOST_WAITING
        self._waiting.put_nowait(None if self._is_full else (chunk, size))

    def _take(self, chunk: JsonValue) -> None:
        """Add a consumed chunk to the digest that is compared with the complete result."""
        self._taken += len(chunk) if self._is_text and isinstance(chunk, str) else 1
        self._last = chunk
        self._consumed.update(self._bytes(chunk))

    def _begins(self, parts: list[JsonValue]) -> bool:
        """Whether the complete result begins with the consumed chunks."""
        digest = sha256()
        for part in parts:
            digest.update(self._bytes(part))
        return digest.digest() == self._consumed.digest()

    def _bytes(self, part: JsonValue) -> bytes:
        if self._is_text and isinstance(part, str):
            return part.encode("utf-8", "surrogatepass")
        return f"{json.dumps(part, sort_keys=True)}\n".encode()

    def _chunk(self, text: str) -> tuple[JsonValue] | None:
        if self._is_text:
            return (text,)
        try:
            return (copied(json.loads(text)),)
        except (ValueError, RecursionError):
            return None
