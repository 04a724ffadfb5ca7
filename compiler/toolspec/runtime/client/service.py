"""Base class of generated async clients."""

from __future__ import annotations

from toolspec.runtime.client.calls import Calls, ClientConfig, client_tools

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import Any, ClassVar, Unpack

    from toolspec.runtime.client.calls import ClientOptions, Listener
    from toolspec.runtime.client.transport import Transport
    from toolspec.runtime.definition import ServiceDefinition, ToolDefinition


class ServiceClient:
    """Calls the tools of a service over a transport: a Registry or a connection to a server.

    Tools that read run without approval. Tools that write ask the `approver` unless a rule of the
    `policy` decides, and are refused without an approver. Repeatable calls are retried after
    temporary failures. Failures raise ToolError. Only generated methods are public, since a tool
    may have any name.
    """

    __slots__ = ("_calls",)

    _tools: ClassVar[Mapping[str, ToolDefinition]] = {}

    def __init_subclass__(cls, service: ServiceDefinition | None = None) -> None:
        """Take the tools from the definition of the service; subclasses inherit them."""
        super().__init_subclass__()
        if service is not None:
            cls._tools = client_tools(service)

    def __init__(self, transport: Transport, **options: Unpack[ClientOptions]) -> None:
        self._calls = Calls(transport, ClientConfig(**options))

    async def _call(
        self,
        method: str,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> Any:  # typed by the generated method
        return await self._calls.call(self._tools[method], arguments, key, instance)

    def _stream(
        self,
        method: str,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> AsyncIterator[Any]:
        return self._calls.stream(self._tools[method], arguments, key, instance)

    async def _deliver(
        self,
        method: str,
        arguments: Mapping[str, object] | None,
        key: str | None,
        *listeners: Listener | None,
        instance: str = "",
    ) -> None:
        await self._calls.deliver(self._tools[method], arguments, key, listeners, instance)
