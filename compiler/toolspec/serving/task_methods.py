"""MCP task methods, and middleware that runs `tools/call` as a task (2025-11-25)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import principal_components
from mcp.shared.exceptions import MCPError

from toolspec.serving.elicitation import can_show_forms, elicited
from toolspec.serving.progress import Reporter
from toolspec.serving.tasks import RELATED, StoredTask, TaskStore, outcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from mcp.server.context import CallNext, HandlerResult
    from mcp.server.lowlevel import Server

    from toolspec.runtime.call_options import Answer, Approver, Question
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.serving.calls import Calls
    from toolspec.serving.elicitation import RequestContext
    from toolspec.shared.json_values import JsonObject, JsonValue

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
        given = ctx.params or {}
        tool = self._calls.tool(str(given.get("name")))
        if tool is None:
            return await call_next(ctx)
        is_task = given.get("task") is not None
        _check_support(tool, is_task=is_task)
        return self._started(ctx) if is_task else await call_next(ctx)

    def _started(self, ctx: RequestContext) -> dict[str, Any]:
        params = types.CallToolRequestParams.model_validate(ctx.params, by_name=False)
        assert params.task is not None

        async def work(kept: StoredTask) -> JsonObject:
            reporter = Reporter(_report(ctx, kept))
            result = await self._calls.answer(ctx, params, reporter, _approver(ctx, kept))
            assert isinstance(result, dict)  # questions are for 2026 only
            return result

        kept = ctx.lifespan_context.start(_owner(ctx), params.task.ttl, work)
        return {"task": kept.wire()}


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
    ctx: RequestContext, kept: StoredTask
) -> Callable[[float, float | None, str | None], Awaitable[None]]:
    """Return the progress callback of a task: updates its state, and notifies on request.

    The request that started the task has ended, so the notifications are sent separately.
    """
    meta: Any = ctx.meta
    token = meta.get("progress_token") if meta else None

    async def send(progress: float, total: float | None, message: str | None) -> None:
        kept.turn("working", message)
        if token is not None:
            await ctx.session.send_progress_notification(token, progress, total, message)

    return send


def _approver(ctx: RequestContext, kept: StoredTask) -> Approver | None:
    """Return the approver for the user of a task's client; None if the client cannot ask."""
    if not can_show_forms(ctx):
        return None

    async def approve(question: Question) -> Answer:
        kept.turn("input_required")
        try:
            return await elicited(ctx, question, None, {RELATED: {"taskId": kept.id}})
        finally:
            kept.turn("working")

    return approve


def _owner(ctx: RequestContext) -> str:
    """Return the owner whose tasks a request may see: its principal, else its session."""
    token = get_access_token()
    if token is not None:
        return json.dumps(principal_components(token))
    return ctx.request.headers.get("mcp-session-id", "") if ctx.request is not None else ""


async def _get(ctx: RequestContext, params: types.GetTaskRequestParams) -> JsonObject:
    return _found(ctx, params.task_id).wire()


async def _result(ctx: RequestContext, params: types.GetTaskPayloadRequestParams) -> JsonObject:
    return await outcome(_found(ctx, params.task_id))


async def _cancel(ctx: RequestContext, params: types.CancelTaskRequestParams) -> JsonObject:
    kept = _found(ctx, params.task_id)
    ctx.lifespan_context.cancel(kept)
    return kept.wire()


async def _list(ctx: RequestContext, params: types.PaginatedRequestParams) -> JsonObject:
    _check_revision(ctx)
    page, cursor = ctx.lifespan_context.page(_owner(ctx), params.cursor)
    tasks: list[JsonValue] = [each.wire() for each in page]
    return {"tasks": tasks, "nextCursor": cursor} if cursor else {"tasks": tasks}


def _check_revision(ctx: RequestContext) -> None:
    """Raise MCPError -32601 in protocol versions without these tasks."""
    if ctx.protocol_version != REVISION:
        raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found", data=ctx.method)


def _found(ctx: RequestContext, task: str) -> StoredTask:
    _check_revision(ctx)
    store: TaskStore = ctx.lifespan_context
    return store.find(_owner(ctx), task)
