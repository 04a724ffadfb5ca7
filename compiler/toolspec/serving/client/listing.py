"""Reader of a server's whole list of tools, as the server sent it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from pydantic import BaseModel, ConfigDict, Field

from toolspec.runtime.errors import ToolError

if TYPE_CHECKING:
    from mcp import Client

    from toolspec.shared.json_values import JsonObject

_PAGES = 1000


async def read_list(client: Client) -> JsonObject:
    """Return a server's list with every member that it sent, as a dump of all its pages.

    Beside the result of `tools/list` (members of the first page, `tools` of all, the shortest
    `ttlMs`), the dump has `serverInfo`, `instructions` and `protocolVersion`. Raises ToolError
    `output` for endless pages.
    """
    dump: JsonObject = {"protocolVersion": client.protocol_version}
    if client.server_info is not None:
        dump["serverInfo"] = client.server_info.model_dump(
            by_alias=True, mode="json", exclude_none=True
        )
    if client.instructions:
        dump["instructions"] = client.instructions

    tools: list[Any] = []
    lifetimes: list[Any] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        params = types.PaginatedRequestParams(cursor=cursor)
        page = await client.session.send_request(types.ListToolsRequest(params=params), _RawPage)
        members = page.model_extra or {}
        if cursor is None:
            dump |= members
        tools += page.tools
        lifetimes.append(members.get("ttlMs", 0))
        cursor = page.next_cursor
        if cursor is None:
            if "ttlMs" in dump:
                dump["ttlMs"] = min(lifetimes)
            return {**dump, "tools": tools}
    message = f"the server's list of tools does not end: {_PAGES} pages were read"
    raise ToolError.output(message, code="endless_list")


class _RawPage(BaseModel):
    """A result of `tools/list`, with unknown members, and tools that are not interpreted."""

    model_config = ConfigDict(extra="allow")

    tools: list[dict[str, Any]]
    next_cursor: str | None = Field(default=None, alias="nextCursor")
