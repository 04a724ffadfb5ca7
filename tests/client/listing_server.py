"""A server whose list is the file `list.json`: on stdio, or over HTTP on a port.

It appends the name of each called tool to `calls.txt`. With `announces` it tells its clients that the
list has changed when `pantry_count` is called, and lists `next.json` from then on. Each call of
`pantry_add` needs other headers than the client sends.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from toolspec.serving.list_changes import ListChanges
from toolspec.serving.server import ReloadableServer
from toolspec.serving.tool_list import is_modern

RESULT = {"names": ["plum"], "total": 1}
PORT, *FLAGS = sys.argv[1:]


def state() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("list.json").read_text("utf-8"))
    return found


def record(name: str) -> None:
    with Path("calls.txt").open("a", encoding="utf-8") as calls:
        calls.write(f"{name}\n")


def exchange() -> None:
    Path("next.json").replace("list.json")


class ListingServer(ReloadableServer):
    @property
    def instructions(self) -> str | None:
        return state()["instructions"] or None

    @instructions.setter
    def instructions(self, _: str | None) -> None:
        pass


async def listed(ctx: Any, params: types.PaginatedRequestParams) -> dict[str, Any]:
    is_newest = is_modern(ctx.protocol_version)
    pages = state()["modern" if is_newest else "legacy"]
    page = int(params.cursor or 0)
    following = {"nextCursor": str(page + 1)} if page + 1 < len(pages) else {}
    freshness = {"resultType": "complete", "ttlMs": state()["ttlMs"], "cacheScope": "private"}
    return {"tools": pages[page], **following, **(freshness if is_newest else {})}


async def called(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    record(params.name)
    if changes is not None and params.name == "pantry_count":
        exchange()
        await changes.announce()
    if params.name == "pantry_add":
        raise MCPError(types.HEADER_MISMATCH, "read the list again")
    count: Any = 1 if is_modern(ctx.protocol_version) else {"result": 1}
    result = count if params.name == "pantry_count" else RESULT
    return types.CallToolResult(content=[], structured_content=result)


server = ListingServer("listing")
server.add_request_handler("tools/list", types.PaginatedRequestParams, listed)
server.add_request_handler("tools/call", types.CallToolRequestParams, called)
changes = ListChanges() if "announces" in FLAGS else None
if changes is not None:
    changes.add_to(server)


async def on_stdio() -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if PORT == "stdio":
    anyio.run(on_stdio)
else:
    uvicorn.run(server.streamable_http_app(), port=int(PORT), log_level="warning")
