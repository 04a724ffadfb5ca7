"""A bare MCP server on stdio with the tools of a generated manifest: `python bare.py MANIFEST`."""

import json
import sys
from pathlib import Path

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


async def main(manifest: bytes) -> None:
    """Serve one client until it goes."""
    tools = [types.Tool.model_validate(each) for each in json.loads(manifest)["tools"]]

    async def listed(*given: object) -> types.ListToolsResult:
        del given
        return types.ListToolsResult(tools=tools)

    server = Server("bare", on_list_tools=listed)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main, Path(sys.argv[1]).read_bytes())
