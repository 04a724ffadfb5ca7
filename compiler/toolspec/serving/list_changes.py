"""Announcements of a changed list of tools, to clients of both eras."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

if TYPE_CHECKING:
    from typing import Any

    from mcp.server.connection import Connection
    from mcp.server.lowlevel import Server

    from toolspec.serving.elicitation import RequestContext

_SLOW_SECONDS = 2.0
"""Seconds that an announcement waits for one client of 2025."""


class ListChanges:
    """Announces to all connected clients of a server that its list of tools has changed.

    A client of 2025 gets a notification on its connection, one of 2026 on each stream of
    `subscriptions/listen` that asks for it. A server that cannot change declares nothing of this,
    so that no client keeps a stream open for nothing.
    """

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._connections: set[Connection] = set()

    def add_to(self, server: Server[Any]) -> None:
        """Serve subscriptions, and remember the connections of clients of 2025."""
        server.add_request_handler(
            "subscriptions/listen", types.SubscriptionsListenRequestParams, self._listening
        )
        server.add_notification_handler(
            "notifications/initialized", types.NotificationParams, self._remember
        )

    async def announce(self) -> None:
        """Notify all connected clients; a slow one does not delay the others."""
        await self._announce_to_streams()
        async with anyio.create_task_group() as tasks:
            for connection in self._connections:
                tasks.start_soon(self._notify, connection)

    async def end(self, *, is_changed: bool) -> None:
        """End all streams of `subscriptions/listen`, whose clients then listen again.

        They are notified before if the list has changed.
        """
        if is_changed:
            await self._announce_to_streams()
        self._listening.close()

    async def _announce_to_streams(self) -> None:
        """Notify clients of 2026."""
        await self._bus.publish(ToolsListChanged())

    async def _remember(self, ctx: RequestContext, _: types.NotificationParams) -> None:
        connection = ctx.session._connection  # noqa: SLF001 - the SDK shows it to its own server only
        self._connections.add(connection)
        connection.exit_stack.callback(self._connections.discard, connection)

    async def _notify(self, connection: Connection) -> None:
        with anyio.move_on_after(_SLOW_SECONDS):
            await connection.send_tool_list_changed()
