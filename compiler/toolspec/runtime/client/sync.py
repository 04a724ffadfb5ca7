"""Base class of generated synchronous clients."""

from __future__ import annotations

from toolspec.runtime.client.calls import Calls, ClientConfig, client_tools

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, ClassVar, Self, Unpack

    from toolspec.runtime.client.calls import ClientOptions, Listener
    from toolspec.runtime.client.portal import Portal
    from toolspec.runtime.client.transport import Transport
    from toolspec.runtime.definition import ServiceDefinition, ToolDefinition


class SyncServiceClient:
    """Synchronous counterpart of `ServiceClient`, with a background thread for its calls.

    The client owns the transport and closes it. Clients that share a connection get one `portal`,
    which is closed in their place. KeyboardInterrupt cancels the call.
    """

    __slots__ = ("_calls", "_is_shared", "_portal")

    _tools: ClassVar[Mapping[str, ToolDefinition]] = {}

    def __init_subclass__(cls, service: ServiceDefinition | None = None) -> None:
        """Take the tools from the definition of the service; subclasses inherit them."""
        super().__init_subclass__()
        if service is not None:
            cls._tools = client_tools(service)

    def __init__(
        self,
        transport: Transport,
        *,
        portal: Portal | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        self._calls = Calls(transport, ClientConfig(**options))
        self._is_shared = portal is not None
        if portal is None:
            from toolspec.runtime.client.portal import Portal

            portal = Portal()
        portal.adopt(transport)
        self._portal = portal

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if not self._is_shared:
            self._portal.close()

    def _call(
        self,
        method: str,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> Any:  # typed by the generated method
        return self._portal.run(
            lambda: self._calls.call(self._tools[method], arguments, key, instance)
        )

    def _stream(
        self,
        method: str,
        arguments: Mapping[str, object] | None,
        key: str | None = None,
        instance: str = "",
    ) -> Iterator[Any]:
        return self._portal.iterate(
            lambda: self._calls.stream(self._tools[method], arguments, key, instance)
        )

    def _deliver(
        self,
        method: str,
        arguments: Mapping[str, object] | None,
        key: str | None,
        *listeners: Listener | None,
        instance: str = "",
    ) -> None:
        self._portal.run(
            lambda: self._calls.deliver(self._tools[method], arguments, key, listeners, instance)
        )
