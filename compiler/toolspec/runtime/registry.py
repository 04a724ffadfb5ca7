"""The registry: tools by name, called and streamed in process, alone or behind a server."""

from __future__ import annotations

from toolspec.runtime.names import name_table, unknown

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from typing import NoReturn

    from toolspec.runtime.context import ProgressListener
    from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
    from toolspec.runtime.hooks import (
        After,
        AfterResponse,
        AnyContext,
        Before,
        GlobalHooks,
        Middleware,
        OnError,
    )
    from toolspec.runtime.pipeline import Pipeline
    from toolspec.runtime.service import BoundService
    from toolspec.runtime.values import JsonValue


class Registry:
    """The tools of bound services. It never changes; what gives more gives a new registry."""

    __slots__ = ("_everywhere", "_pending", "_pipelines", "_services", "_table")

    def __init__(
        self, services: Sequence[BoundService], everywhere: GlobalHooks | None = None
    ) -> None:
        self._services = tuple(services)
        self._table = name_table(self._services)
        self._everywhere = everywhere
        self._pipelines: dict[str, Pipeline] = {}
        self._pending: set[asyncio.Task[None]] = set()

    def __repr__(self) -> str:
        names = ", ".join(service.name for service in self.services)
        return f"Registry({names}: {len(self.tools)} tools)"

    @property
    def services(self) -> tuple[ServiceDefinition, ...]:
        """The definitions of the services, in the order given."""
        return tuple(service.definition for service in self._services)

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The definitions of all tools: services in the order given, tools in document order."""
        return tuple(tool for service in self.services for tool in service.tools)

    def definition(self, name: str) -> ToolDefinition:
        """Return the tool that answers to a name: full, an alias, or `name@version`.

        A bare name means the highest version. Raises ToolError `not_found` with the nearest names.
        """
        entry = self._table.get(name)
        if entry is None:
            raise unknown(self._table, name)
        return entry[1]

    async def call(  # noqa: PLR0913 - what a transport knows of a call, by keyword
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        *,
        caller: str | None = None,
        transport: Mapping[str, JsonValue] | None = None,
        request_id: str = "",
        on_progress: ProgressListener | None = None,
    ) -> JsonValue:
        """Return a tool's whole result, a JSON value that nobody else holds.

        Raises ToolError for every failure, an unknown name included.
        """
        pipeline = self._pipelines.get(name) or self._pipeline(name)
        if pipeline is None:
            await self._unknown(name, request_id)
        context = pipeline.context(caller, transport, request_id, on_progress)
        return await pipeline.run(context, arguments)

    async def stream(  # noqa: PLR0913 - what a transport knows of a call, by keyword
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        *,
        caller: str | None = None,
        transport: Mapping[str, JsonValue] | None = None,
        request_id: str = "",
        on_progress: ProgressListener | None = None,
    ) -> AsyncGenerator[JsonValue, None]:
        """Yield a tool's chunks as its handler makes them; one item for a tool that does not stream.

        Raises ToolError for every failure, from the iteration. Close the iterator
        (`contextlib.aclosing`) to end a stream early: that closes the handler's generator.
        """
        pipeline = self._pipelines.get(name) or self._pipeline(name)
        if pipeline is None:
            await self._unknown(name, request_id)
        context = pipeline.context(caller, transport, request_id, on_progress)
        chunks = pipeline.stream(context, arguments)
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            await chunks.aclose()

    def with_hooks(
        self,
        *,
        before: Sequence[Before] = (),
        middleware: Sequence[Middleware] = (),
        after: Sequence[After] = (),
        after_response: Sequence[AfterResponse] = (),
        on_error: Sequence[OnError] = (),
    ) -> Registry:
        """Return a registry of the same services in which these hooks run around every tool.

        They stand outside the hooks there were: first in `before` and middleware, last in the
        others. `on_error` runs exactly once for every failure, unknown names and wrong arguments
        included; cancellation is none.
        """
        from toolspec.runtime.hooks import GlobalHooks

        inner = self._everywhere or GlobalHooks()
        everywhere = GlobalHooks(
            before=(*before, *inner.before),
            middleware=(*middleware, *inner.middleware),
            after=(*inner.after, *after),
            after_response=(*inner.after_response, *after_response),
            on_error=(*inner.on_error, *on_error),
        )
        return Registry(self._services, everywhere)

    async def settled(self) -> None:
        """Return once the afterResponse hooks of all calls so far have run."""
        import asyncio

        await asyncio.gather(*self._pending)

    def _pipeline(self, name: str) -> Pipeline | None:
        entry = self._table.get(name)
        if entry is None:
            return None
        from toolspec.runtime.hooks import GlobalHooks
        from toolspec.runtime.pipeline import Pipeline

        pipeline = Pipeline(*entry, self._everywhere or GlobalHooks(), self._pending)
        self._pipelines[name] = pipeline
        return pipeline

    async def _unknown(self, name: str, request_id: str) -> NoReturn:
        from toolspec.runtime.context import Context
        from toolspec.runtime.hooks import Failure, tell

        context: AnyContext = Context(tool=name, request_id=request_id)
        error = unknown(self._table, name).sent(context.request_id, retryable=False)
        if self._everywhere is not None:
            await tell(self._everywhere.on_error, Failure(name=name, error=error), context)
        raise error


def merge(*registries: Registry) -> Registry:
    """Return one registry over the services of several, in the order given.

    Complains (BindError) of all names that lead to two tools, or if one has hooks of its own:
    hooks around every tool are given to the whole (`merge(…).with_hooks(…)`).
    """
    hooked = [repr(one) for one in registries if one._everywhere is not None]  # noqa: SLF001 - its own module
    if hooked:
        from toolspec.runtime.errors import BindError

        heading = "merge first, then add the hooks that run around every tool"
        raise BindError(heading, hooked)
    services = [service for one in registries for service in one._services]  # noqa: SLF001 - the same
    return Registry(services)
