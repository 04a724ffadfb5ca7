"""The tool `list` of `load/` on another server, over HTTP: `python mcp_server.py mcp|fastmcp PORT`."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict


class Item(TypedDict):
    """One of the items."""

    id: str
    title: str
    done: bool


class Items(TypedDict):
    """What the tool returns."""

    items: list[Item]
    total: int


async def load_list(
    title: Annotated[str, Field(min_length=1, max_length=200)],
    amount: Annotated[float, Field(ge=0)],
    state: Literal["draft", "open", "paid"] | None = None,
    tags: list[str] | None = None,
    urgent: bool | None = None,
) -> Items:
    """The items with a title, made up from what is asked for."""
    del amount, state, tags, urgent
    items: Any = [{"id": f"i{number}", "title": title, "done": number == 1} for number in range(3)]
    return {"items": items, "total": 3}


def main(side: str, port: int) -> None:
    """Serve until stopped."""
    if side == "mcp":
        from mcp.server import MCPServer

        bare = MCPServer("load", log_level="WARNING")
        bare.tool()(load_list)
        bare.run("streamable-http", port=port)
        return
    from fastmcp import FastMCP

    server = FastMCP("load")
    server.tool()(load_list)
    server.run("http", port=port, show_banner=False, log_level="warning")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
