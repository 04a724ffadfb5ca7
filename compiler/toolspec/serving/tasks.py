"""Tasks of 2025-11-25: calls that run in the background, and the methods that query them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.shared.exceptions import MCPError

from toolspec.serving.client_requests import SessionClient
from toolspec.serving.elicitation import can_show_forms, elicited
from toolspec.serving.progress import Reporter
from toolspec.serving.shutdown import LAST_SECONDS
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from typing import Any

    from mcp.server.context import CallNext, HandlerResult
    from mcp.server.lowlevel import Server

    from toolspec.runtime.call_options import Answer, Approver, Question
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.serving.calls import Calls
    from toolspec.serving.client_requests import Asked, ResultT
    from toolspec.serving.elicitation import RequestContext
    from toolspec.shared.json_values import JsonObject, JsonValue


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
        own = sum(task.owner == owner for task in self._tasks.values())
        if len(self._tasks) >= LIMIT or own >= OWN_LIMIT:
            raise MCPError(code=types.INTERNAL_ERROR, message="too many tasks; try again later")
        span = HOUR_MS if ttl is None else max(0, min(ttl, LONGEST_MS))
        now = _now()
        stored = StoredTask(secrets.token_urlsafe(18), owner, span, now, now)
        self._tasks[stored.id] = stored
        stored.work = asyncio.create_task(self._run(stored, work))
        return stored

    @property
    def is_used(self) -> bool:
        """Return whether there are tasks that have not expired."""
        return bool(self._tasks)

    def find(self, owner: str, task: str) -> StoredTask:
        """Return a task of an owner. Raises MCPError -32602 for any other."""
        stored = self._tasks.get(task)
        if stored is None or stored.owner != owner:
            raise MCPError(code=types.INVALID_PARAMS, message="unknown task")
        return stored

    def page(self, owner: str, cursor: str | None) -> tuple[list[StoredTask], str | None]:
        """Return an owner's tasks after a cursor, oldest first, and the next cursor."""
        own = [item for item in self._tasks.values() if item.owner == owner]
        if cursor is not None:
            ids = [item.id for item in own]
            if cursor not in ids:
                raise MCPError(code=types.INVALID_PARAMS, message="unknown page")
            own = own[ids.index(cursor) + 1 :]
        page = own[:_PAGE]
        return page, page[-1].id if len(own) > _PAGE else None

    def cancel(self, stored: StoredTask) -> None:
        """Cancel a task. Raises MCPError -32602 if it has ended."""
        if stored.over.is_set():
            problem = f"the task is over: {stored.status}"
            raise MCPError(code=types.INVALID_PARAMS, message=problem)
        stored.turn("cancelled", "cancelled by the client")
        if stored.work is not None:
            stored.work.cancel()

    async def close(self) -> None:
        """Cancel all tasks, and wait a limited time until they have ended."""
        running = [task.work for task in self._tasks.values() if task.work and not task.work.done()]
        for work in running:
            work.cancel()
        if running:
            await asyncio.wait(running, timeout=LAST_SECONDS)
        self._tasks.clear()

    async def _run(
        self, stored: StoredTask, work: Callable[[StoredTask], Awaitable[JsonObject]]
    ) -> None:
        try:
            stored.result = await work(stored)
            if stored.result.get("isError") is True:
                stored.turn("failed", _diagnosis(stored.result))
            else:
                stored.turn("completed")
        except MCPError as error:
            stored.error = error
            stored.turn("failed", error.message)
        except asyncio.CancelledError:
            stored.turn("cancelled")
        finally:
            loop = asyncio.get_running_loop()
            loop.call_later(stored.ttl / 1000, self._tasks.pop, stored.id, None)


async def outcome(stored: StoredTask) -> JsonObject:
    """Wait for a task and return the result of its call.

    Raises the error with which it ended; MCPError -32602 if it was cancelled.
    """
    await stored.over.wait()
    if stored.error is not None:
        raise stored.error
    if stored.result is None:
        raise MCPError(
            code=types.INVALID_PARAMS, message="the task was cancelled and has no result"
        )
    meta = stored.result.get("_meta")
    own = meta if isinstance(meta, dict) else {}
    return {**stored.result, "_meta": {**own, RELATED: {"taskId": stored.id}}}


def _diagnosis(result: JsonObject) -> str | None:
    """Return the text of an error result, or None if its first block is no text."""
    content = result.get("content")
    first = content[0] if isinstance(content, list) and content else None
    text = first.get("text") if isinstance(first, dict) else None
    return text if isinstance(text, str) else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


REVISION = "2025-11-25"

CAPABILITY = types.ServerTasksCapability(
    list=types.TasksListCapability(),
    cancel=types.TasksCancelCapability(),
    requests=types.ServerTasksRequestsCapability(
        tools=types.TasksToolsCapability(call=types.TasksCallCapability())
    ),
)


def add_tasks(server: Server[TaskStore], calls: Calls) -> None:
    """Add task support to a server, whose lifespan yields the task store."""
    server.middleware.append(_TaskMiddleware(calls))
    server.add_request_handler("tasks/get", types.GetTaskRequestParams, _get)
    server.add_request_handler("tasks/result", types.GetTaskPayloadRequestParams, _result)
    server.add_request_handler("tasks/cancel", types.CancelTaskRequestParams, _cancel)
    server.add_request_handler("tasks/list", types.PaginatedRequestParams, _list)


class _TaskMiddleware:
    """Middleware that checks calls of 2025-11-25 against `taskSupport` and starts tasks.

    It answers before the SDK, which would validate the answer as a tool result.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def __call__(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/call" or ctx.protocol_version != REVISION:
            return await call_next(ctx)
        params = ctx.params or {}
        tool = self._calls.tool(str(params.get("name")))
        if tool is None:
            return await call_next(ctx)
        is_task = params.get("task") is not None
        _check_support(tool, is_task=is_task)
        return self._started(ctx) if is_task else await call_next(ctx)

    def _started(self, ctx: RequestContext) -> dict[str, Any]:
        params = types.CallToolRequestParams.model_validate(ctx.params, by_name=False)
        assert params.task is not None

        async def work(stored: StoredTask) -> JsonObject:
            reporter = Reporter(_report(ctx, stored))
            result = await self._calls.answer(ctx, params, reporter, _TaskClient(ctx, stored))
            assert isinstance(result, dict)  # questions are for 2026 only
            return result

        stored = ctx.lifespan_context.start(_owner(ctx), params.task.ttl, work)
        return {"task": stored.wire()}


def _check_support(tool: ToolDefinition, *, is_task: bool) -> None:
    """Raise MCPError -32601 if a tool does not support this way of calling it."""
    if is_task and tool.task_support == "forbidden":
        problem = f"`{tool.full_name}` is not called as a task"
    elif not is_task and tool.task_support == "required":
        problem = f"`{tool.full_name}` is called as a task only"
    else:
        return
    data = {"tool": tool.full_name, "taskSupport": tool.task_support}
    raise MCPError(code=types.METHOD_NOT_FOUND, message=problem, data=data)


def _report(
    ctx: RequestContext, stored: StoredTask
) -> Callable[[float, float | None, str | None], Awaitable[None]]:
    """Return the progress callback of a task: updates its state, and notifies on request.

    The request that started the task has ended, so the notifications are sent separately.
    """
    meta: Any = ctx.meta
    token = meta.get("progress_token") if meta else None

    async def send(progress: float, total: float | None, message: str | None) -> None:
        stored.turn("working", message)
        if token is not None:
            await ctx.session.send_progress_notification(token, progress, total, message)

    return send


class _TaskClient(SessionClient):
    """The client of a task, whose status shows that it is asked.

    The request that started the task has ended, so messages are sent separately.
    """

    _related = None

    def __init__(self, ctx: RequestContext, stored: StoredTask) -> None:
        super().__init__(ctx)
        self.can_ask = True
        self._stored = stored

    @property
    def approver(self) -> Approver | None:
        """The approver for the user behind the client."""
        return self._approve if can_show_forms(self._ctx) else None

    async def _approve(self, question: Question) -> Answer:
        with self._input_required():
            return await elicited(self._ctx, question, None, self._meta)

    async def _answer(self, request: Asked, result: type[ResultT], key: str) -> ResultT:
        if request.params is None:
            request.params = types.RequestParams()
        request.params.meta = self._meta
        with self._input_required():
            return await super()._answer(request, result, key)

    @property
    def _meta(self) -> Any:
        return {RELATED: {"taskId": self._stored.id}}

    @contextlib.contextmanager
    def _input_required(self) -> Iterator[None]:
        self._stored.turn("input_required")
        try:
            yield
        finally:
            self._stored.turn("working")


def _owner(ctx: RequestContext) -> str:
    """Return the owner whose tasks a request may see: its principal, else its session."""
    token = get_access_token()
    if token is not None:
        return json.dumps(principal_components(token))
    return ctx.request.headers.get("mcp-session-id", "") if ctx.request is not None else ""


async def _get(ctx: RequestContext, params: types.GetTaskRequestParams) -> JsonObject:
    return _find_task(ctx, params.task_id).wire()


async def _result(ctx: RequestContext, params: types.GetTaskPayloadRequestParams) -> JsonObject:
    return await outcome(_find_task(ctx, params.task_id))


async def _cancel(ctx: RequestContext, params: types.CancelTaskRequestParams) -> JsonObject:
    stored = _find_task(ctx, params.task_id)
    ctx.lifespan_context.cancel(stored)
    return stored.wire()


async def _list(ctx: RequestContext, params: types.PaginatedRequestParams) -> JsonObject:
    _check_revision(ctx)
    page, cursor = ctx.lifespan_context.page(_owner(ctx), params.cursor)
    tasks: list[JsonValue] = [item.wire() for item in page]
    return {"tasks": tasks, "nextCursor": cursor} if cursor else {"tasks": tasks}


def _check_revision(ctx: RequestContext) -> None:
    """Raise MCPError -32601 in protocol versions without these tasks."""
    if ctx.protocol_version != REVISION:
        raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=ctx.method)


def _find_task(ctx: RequestContext, task: str) -> StoredTask:
    _check_revision(ctx)
    store: TaskStore = ctx.lifespan_context
    return store.find(_owner(ctx), task)
