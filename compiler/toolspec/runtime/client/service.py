"""Base class of generated async clients."""

from __future__ import annotations

from toolspec.runtime.client.calls import Calls, ClientConfig

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import Any, Unpack

    from toolspec.runtime.client.calls import ClientOptions, Listener
    from toolspec.runtime.client.transport import Transport
    from toolspec.runtime.definition import ToolDefinition


class ServiceClient:
    """Calls the tools of a service over a transport: a Registry or a connection to a server.

    Tools that read run without approval. Tools that write ask the `approver` unless a rule of the
    `policy` decides, and are refused without an approver. Repeatable calls are retried after
    temporary failures. Failures raise ToolError. Only generated methods are public, since a tool
    may have any name.
    """

    __slots__ = ("_calls",)

    def __init__(self, transport: Transport, **options: Unpack[ClientOptions]) -> None:
        self._calls = Calls(transport, ClientConfig(**options))

    async def _call(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> Any:  # typed by the generated method
        return await self._calls.call(tool, arguments, key, instance)

    def _stream(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> AsyncIterator[Any]:
        return self._calls.stream(tool, arguments, key, instance)

    async def _deliver(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object] | None,
        key: str | None,
        *listeners: Listener | None,
        instance: str = "",
    ) -> None:
        await self._calls.deliver(tool, arguments, key, listeners, instance)
