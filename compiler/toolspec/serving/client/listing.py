"""Reader of a server's whole list of tools: all pages, typed or as the server sent them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import mcp_types as types
from pydantic import BaseModel, ConfigDict, Field

from toolspec.runtime.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from mcp import Client

    from toolspec.shared.json_values import JsonObject

_PAGES = 1000


class Page(Protocol):
    """A page of a list; `next_cursor` is None on the last one."""

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the next page."""


_Page = TypeVar("_Page", bound=Page)


async def all_pages(read: Callable[[str | None], Awaitable[_Page]]) -> AsyncIterator[_Page]:
    """Yield each page that `read` returns for a cursor. Raises ToolError `output` if they never end."""
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await read(cursor)
        yield page
        cursor = page.next_cursor
        if cursor is None:
            return
    message = f"the server's list of tools does not end: {_PAGES} pages were read"
    raise ToolError.output(message, code="endless_list")


async def read_list(client: Client) -> JsonObject:
    """Return a server's list with every member that it sent, as a dump of all its pages.

    Beside the result of `tools/list` (members of the first page, `tools` of all), the dump has
    `serverInfo`, `instructions` and `protocolVersion`.
    """
    dump: JsonObject = {"protocolVersion": client.protocol_version}
    if client.server_info is not None:
        dump["serverInfo"] = client.server_info.model_dump(
            by_alias=True, mode="json", exclude_none=True
        )
    if client.instructions:
        dump["instructions"] = client.instructions

    async def read(cursor: str | None) -> _RawPage:
        params = types.PaginatedRequestParams(cursor=cursor)
        return await client.session.send_request(types.ListToolsRequest(params=params), _RawPage)

    tools: list[Any] = []
    async for page in all_pages(read):
        if not tools:
            dump |= page.model_extra or {}
        tools += page.tools
    return {**dump, "tools": tools}


class _RawPage(BaseModel):
    """A result of `tools/list`, with unknown members, and tools that are not interpreted."""

    model_config = ConfigDict(extra="allow")

    tools: list[dict[str, Any]]
    next_cursor: str | None = Field(default=None, alias="nextCursor")
