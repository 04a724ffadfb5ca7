"""Tasks of 2025-11-25: calls that run in the background, kept per caller in this process."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError

from toolspec.serving.shutdown import LAST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolspec.shared.json_values import JsonObject

HOUR_MS = 3_600_000
LONGEST_MS = 24 * HOUR_MS
LIMIT = 1000
"""Maximum number of tasks, including ended ones that have not expired."""
OWN_LIMIT = 100
"""Maximum number of tasks per owner."""

_PAGE = 100
_POLL_MS = 500
RELATED = "io.modelcontextprotocol/related-task"


@dataclass(slots=True)
class StoredTask:
    """A task: its wire state, owner, and work."""

    id: str
    owner: str
    ttl: int
    created: str
    updated: str
    status: types.TaskStatus = "working"
    message: str | None = None
    result: JsonObject | None = None
    error: MCPError | None = None
    work: asyncio.Task[None] | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event)

    def wire(self) -> JsonObject:
        """Return the state in wire form."""
        state: JsonObject = {
            "taskId": self.id,
            "status": self.status,
            "createdAt": self.created,
            "lastUpdatedAt": self.updated,
            "ttl": self.ttl,
            "pollInterval": _POLL_MS,
        }
        return {**state, "statusMessage": self.message} if self.message is not None else state

    def turn(self, status: types.TaskStatus, message: str | None = None) -> None:
        """Change the state of an unfinished task."""
        if self.over.is_set():
            return
        self.status, self.updated = status, _now()
        self.message = message if message is not None else self.message
        if status in ("completed", "failed", "cancelled"):
            self.over.set()


class TaskStore:
    """Tasks of one server process, visible only to their owners."""

    def __init__(self) -> None:
        self._tasks: dict[str, StoredTask] = {}

    def start(
        self, owner: str, ttl: int | None, work: Callable[[StoredTask], Awaitable[JsonObject]]
    ) -> StoredTask:
        """Start a task and return it. Raises MCPError -32603 at the limit."""
        own = sum(each.owner == owner for each in self._tasks.values())
        if len(self._tasks) >= LIMIT or own >= OWN_LIMIT:
            raise MCPError(
                code=types.INTERNAL_ERROR, message="too many tasks are kept; come back later"
            )
        span = HOUR_MS if ttl is None else max(0, min(ttl, LONGEST_MS))
        now = _now()
        kept = StoredTask(secrets.token_urlsafe(18), owner, span, now, now)
        self._tasks[kept.id] = kept
        kept.work = asyncio.create_task(self._run(kept, work))
        return kept

    def find(self, owner: str, task: str) -> StoredTask:
        """Return a task of an owner. Raises MCPError -32602 for any other."""
        kept = self._tasks.get(task)
        if kept is None or kept.owner != owner:
            raise MCPError(code=types.INVALID_PARAMS, message="there is no such task")
        return kept

    def page(self, owner: str, cursor: str | None) -> tuple[list[StoredTask], str | None]:
        """Return an owner's tasks after a cursor, oldest first, and the next cursor."""
        own = [each for each in self._tasks.values() if each.owner == owner]
        if cursor is not None:
            ids = [each.id for each in own]
            if cursor not in ids:
                raise MCPError(code=types.INVALID_PARAMS, message="there is no such page")
            own = own[ids.index(cursor) + 1 :]
        page = own[:_PAGE]
        return page, page[-1].id if len(own) > _PAGE else None

    def cancel(self, kept: StoredTask) -> None:
        """Cancel a task. Raises MCPError -32602 if it has ended."""
        if kept.over.is_set():
            problem = f"the task is over: {kept.status}"
            raise MCPError(code=types.INVALID_PARAMS, message=problem)
        kept.turn("cancelled", "cancelled by the client")
        if kept.work is not None:
            kept.work.cancel()

    async def close(self) -> None:
        """Cancel all tasks, and wait a limited time until they have ended."""
        running = [each.work for each in self._tasks.values() if each.work and not each.work.done()]
        for work in running:
            work.cancel()
        if running:
            await asyncio.wait(running, timeout=LAST_SECONDS)
        self._tasks.clear()

    async def _run(
        self, kept: StoredTask, work: Callable[[StoredTask], Awaitable[JsonObject]]
    ) -> None:
        try:
            kept.result = await work(kept)
            failed = kept.result.get("isError") is True
            kept.turn("failed" if failed else "completed")
        except MCPError as error:
            kept.error = error
            kept.turn("failed", error.message)
        except asyncio.CancelledError:
            kept.turn("cancelled")
        finally:
            loop = asyncio.get_running_loop()
            loop.call_later(kept.ttl / 1000, self._tasks.pop, kept.id, None)


async def outcome(kept: StoredTask) -> JsonObject:
    """Wait for a task and return the result of its call.

    Raises the error with which it ended; MCPError -32602 if it was cancelled.
    """
    await kept.over.wait()
    if kept.error is not None:
        raise kept.error
    if kept.result is None:
        raise MCPError(
            code=types.INVALID_PARAMS, message="the task was cancelled and has no result"
        )
    meta = kept.result.get("_meta")
    own = meta if isinstance(meta, dict) else {}
    return {**kept.result, "_meta": {**own, RELATED: {"taskId": kept.id}}}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
