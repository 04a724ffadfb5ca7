"""A server of tools in pages of two: of 2025 as lines of JSON-RPC, or of both eras with the SDK.

Arguments: `legacy` or `modern`, then a port, or `stdio`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
import mcp_types as types
import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

INSTRUCTIONS = "Ask before you delete."
HINTS = {"readOnlyHint": True, "openWorldHint": False}
TOOLS: list[dict[str, Any]] = [
    {
        "name": name,
        "title": name.title(),
        "description": f"Tool number {number} of the notes.",
        "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
        "annotations": HINTS if number % 2 else {"destructiveHint": False},
        "_meta": {"vendor/rank": number},
    }
    for number, name in enumerate(("find", "keep", "list", "move", "read"), 1)
]


def page(cursor: str | None) -> dict[str, Any]:
    start = int(cursor or 0)
    more = {"nextCursor": str(start + 2)} if start + 2 < len(TOOLS) else {}
    return {"tools": TOOLS[start : start + 2], **more}


def legacy() -> None:
    info = {"name": "notes-mcp", "version": "1.2.3"}
    capabilities: dict[str, Any] = {"tools": {}}
    for line in sys.stdin:
        message = json.loads(line)
        match message.get("method"):
            case "initialize":
                result: dict[str, Any] = {
                    "protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info,
                    "instructions": INSTRUCTIONS,
                }  # fmt: skip
            case "tools/list":
                result = page(message.get("params", {}).get("cursor"))
            case _:
                if "id" in message:
                    error = {"code": -32601, "message": "no such method"}
                    print(
                        json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}),
                        flush=True,
                    )
                continue
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


async def on_list(_: Any, params: types.PaginatedRequestParams | None) -> Any:
    cached = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    return {**page(params.cursor if params else None), **cached}


def modern() -> Server[Any]:
    server: Server[Any] = Server("notes-mcp", version="1.2.3", instructions=INSTRUCTIONS)
    server.add_request_handler("tools/list", types.PaginatedRequestParams, on_list)
    return server


async def on_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    era, where = sys.argv[1:]
    if era == "legacy":
        legacy()
    elif where == "stdio":
        anyio.run(on_stdio, modern())
    else:
        uvicorn.run(modern().streamable_http_app(), port=int(where), log_level="warning")
