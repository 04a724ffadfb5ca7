"""The MCP server of a registry for both protocol eras; imports the SDK."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError

from toolspec.runtime.call_options import APPROVAL_SECONDS
from toolspec.runtime.controls.limits import Limits
from toolspec.runtime.stores.memory import MemoryStore
from toolspec.serving.calls import Calls
from toolspec.serving.client_requests import set_log_level
from toolspec.serving.shutdown import LAST_SECONDS
from toolspec.serving.tasks import CAPABILITY, TaskStore, add_tasks
from toolspec.serving.telemetry import Telemetry
from toolspec.serving.tool_list import ToolList, is_modern
from toolspec.shared.instructions import joined_instructions
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from typing import Any

    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.registry import Registry
    from toolspec.serving.call_records import CallObserver
    from toolspec.serving.elicitation import RequestContext
    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.in_flight import InFlight
    from toolspec.serving.list_changes import ListChanges
    from toolspec.serving.stdio import Responses
    from toolspec.shared.json_values import JsonObject

_DEFAULT_LIMITS = Limits(idle=30.0, total=300.0, per_process=True)


def make_server(  # noqa: PLR0913 - the parts of a server, by keyword
    served: ServedTools,
    *,
    has_tasks: bool,
    key: bytes = b"",
    changes: ListChanges | None = None,
    responses: Responses | None = None,
    observers: tuple[CallObserver, ...] = (),
) -> ReloadableServer:
    """Return a server of some services.

    `has_tasks` is for servers that keep sessions with clients of 2025. `key` seals the state that a
    client of 2026 carries between rounds; it has at least 32 bytes and is shared by all processes
    of a server. `changes` announces changes of the tool list; without it the list stays the same.
    `responses` are those of a server on stdio.
    """
    registry = served.registry
    if not served.is_own:
        registry = registry.with_controls(limits=_DEFAULT_LIMITS)
    mode = next((service.mode for service in registry.services), "")
    listing = ToolList(served.services, mode)
    store = registry.controls.store or MemoryStore()
    calls = Calls(
        registry,
        listing,
        has_sessions=has_tasks,
        used=store.approvals,
        responses=responses,
        observers=observers,
    )

    async def on_list(ctx: RequestContext, params: types.PaginatedRequestParams) -> JsonObject:
        if params.cursor is not None:
            raise MCPError(code=types.INVALID_PARAMS, message="the list of tools has one page")
        return listing.result(ctx.protocol_version)

    server = ReloadableServer(
        **_identity(served, mode),
        lifespan=_lifespan(registry),
        get_tool_input_schema=listing.schema_with_headers,
    )
    # The constructor would want SDK models, while manifests are the wire form already.
    server.add_request_handler("tools/list", types.PaginatedRequestParams, on_list)
    server.add_request_handler("tools/call", types.CallToolRequestParams, calls.answer)
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_log_level)
    server.in_flight = calls.in_flight
    server.listing = listing
    seconds = min((registry.controls.limits or Limits()).approval, APPROVAL_SECONDS)
    security = RequestStateSecurity(keys=[key], ttl=seconds) if key else None
    security = security or RequestStateSecurity.ephemeral(ttl=seconds)
    server.middleware.append(RequestStateBoundary(security, default_audience=server.name))
    server.responses = responses
    server.middleware.extend(item for item in observers if isinstance(item, Telemetry))
    if changes is not None:
        server.changes = changes
        changes.add_to(server)
    if has_tasks:
        server.tasks = CAPABILITY
        add_tasks(server, calls)
    return server


class ReloadableServer(Server[TaskStore]):
    """An SDK server that declares to clients of 2025 what the SDK has no option for.

    It also knows what has to end before a successor takes over: `changes` and tasks.
    `differences` are lines about what differs from the contract and breaks nobody.
    """

    in_flight: InFlight
    listing: ToolList
    differences: Sequence[str] = ()
    tasks: types.ServerTasksCapability | None = None
    changes: ListChanges | None = None
    responses: Responses | None = None
    task_store: TaskStore | None = None

    @property
    def has_tasks(self) -> bool:
        """Return whether there are tasks whose clients may ask for them."""
        return self.task_store is not None and self.task_store.is_used

    def get_capabilities(self, *arguments: Any, **named: Any) -> types.ServerCapabilities:
        """Return the capabilities; with tasks and list changes for clients that use the handshake."""
        capabilities = super().get_capabilities(*arguments, **named)
        if not is_modern(named.get("protocol_version") or ""):
            capabilities.tasks = self.tasks
            changes = self.get_request_handler("subscriptions/listen") is not None
            capabilities.tools = types.ToolsCapability(list_changed=changes)
        return capabilities


def _lifespan(registry: Registry) -> Any:  # typed by the SDK's own server
    @contextlib.asynccontextmanager
    async def lifespan(server: ReloadableServer) -> AsyncIterator[TaskStore]:
        store = server.task_store = TaskStore()
        try:
            yield store
        finally:
            await store.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(registry.settled(), LAST_SECONDS)

    return lifespan


def _identity(served: ServedTools, mode: str) -> dict[str, Any]:
    """Return the server's identity: that of its one service, or of all services together."""
    services = [service.definition for service in served.services]
    texts = [(service.title or service.name, service.instructions) for service in services]
    instructions = joined_instructions(texts)
    if mode:
        remark = f"This server runs in the mode {mode}: nothing real is changed."
        instructions = f"{remark}\n\n{instructions}".rstrip()
    instructions_text = instructions or None
    of_mode = f" ({mode})" if mode else ""
    if len(services) == 1:
        (only,) = services
        return {
            "name": only.name,
            "version": only.version,
            "title": f"{only.title or only.name}{of_mode}",
            "description": only.description or None,
            "icons": _icons(only),
            "instructions": instructions_text,
        }
    return {
        "name": "toolspec",
        "version": __version__,
        "title": ", ".join(service.title or service.name for service in services) + of_mode,
        "instructions": instructions_text,
    }


def _icons(service: ServiceDefinition) -> list[types.Icon] | None:
    """Return the icons of a service in protocol form."""
    icons = [
        types.Icon.model_validate(
            {
                "src": src,
                "mimeType": kind or None,
                "sizes": list(sizes) or None,
                "theme": theme or None,
            }
        )
        for src, kind, sizes, theme in service.icons
    ]
    return icons or None
