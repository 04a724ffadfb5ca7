"""Spans and metrics of OpenTelemetry, where the process has set up its SDK.

The MCP SDK opens a span for each request, by the conventions of MCP. It gets what only the call
knows. Nothing is imported, and no call pays, in a process without the SDK of OpenTelemetry.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from toolspec.serving.call_records import ServedCall

    RequestContext: TypeAlias = ServerRequestContext[Any, Any]

_NAME = "toolspec"

_BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)
"""Seconds between the buckets of durations, as the conventions of MCP advise."""


def is_on() -> bool:
    """Return whether the process has set up the SDK: by code, or by `opentelemetry-instrument`."""
    return "opentelemetry.sdk" in sys.modules


class Telemetry:
    """Measures the requests of a server, and describes its calls in their spans.

    It is middleware of the MCP SDK, and sees each call. `digest` identifies the build.
    """

    def __init__(self, digest: str) -> None:
        from opentelemetry import metrics

        meter = metrics.get_meter(_NAME)
        self._digest = digest
        self._duration = meter.create_histogram(
            "mcp.server.operation.duration",
            unit="s",
            description="Duration of a request as the server sees it.",
            explicit_bucket_boundaries_advisory=_BOUNDS,
        )
        self._active = meter.create_up_down_counter(
            "toolspec.server.active_calls",
            unit="{call}",
            description="Calls of tools that run.",
        )

    async def __call__(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        """Measure a request."""
        began = time.perf_counter()
        error = ""
        try:
            result = await call_next(ctx)
        except BaseException as problem:
            error = _type_of(problem)
            raise
        else:
            error = "tool_error" if isinstance(result, dict) and result.get("isError") else ""
            return result
        finally:
            if ctx.request_id is not None:  # a notification is no operation
                self._duration.record(time.perf_counter() - began, _attributes(ctx, error))

    def begin(self, call: ServedCall) -> None:
        """Count a call in flight."""
        self._active.add(1, _tool_of(call))

    def end(self, call: ServedCall) -> None:
        """Describe a call in its span, and count it no longer."""
        from opentelemetry import trace

        self._active.add(-1, _tool_of(call))
        span = trace.get_current_span()
        if not span.is_recording():
            return
        span.set_attributes(
            {
                "toolspec.request_id": call.request_id,
                "toolspec.definitions": self._digest,
                "toolspec.outcome": call.ending,
                "toolspec.approval": call.approval,
                "toolspec.approval_wait": call.waited,
            }
        )
        if call.tool is not None:
            span.set_attribute("toolspec.risk", call.tool.risk)
        if call.code:
            span.set_attribute("toolspec.error.code", call.code)


def _tool_of(call: ServedCall) -> dict[str, str]:
    return {} if call.tool is None else {"gen_ai.tool.name": call.tool.full_name}


def _attributes(ctx: RequestContext, error: str) -> dict[str, str]:
    attributes = {
        "mcp.method.name": ctx.method,
        "mcp.protocol.version": ctx.protocol_version,
        "network.transport": "pipe" if ctx.request is None else "tcp",
    }
    if error:
        attributes["error.type"] = error
    return attributes


def _type_of(problem: BaseException) -> str:
    """Return the type of an error: the code of JSON-RPC, or the name of the exception."""
    error: Any = getattr(problem, "error", None)
    return str(getattr(error, "code", type(problem).__qualname__))
