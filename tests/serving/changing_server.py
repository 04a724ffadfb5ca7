"""A server whose tool `asking_runs` announces a changed list: on stdio, or over HTTP on a port."""

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from toolspec.runtime import Call
from toolspec.serving.handlers import ServedTools, ServeRequest, assemble
from toolspec.serving.list_changes import ListChanges
from toolspec.serving.package import load_package
from toolspec.serving.server import make_server

changes = ListChanges()
package = load_package(Path.cwd() / "generated", "generated")
served = assemble(package, ServeRequest(("app:Asking",)))


async def announce(call: Call, following: Callable[[], Awaitable[object]]) -> object:
    if call.tool.name == "runs":
        await changes.announce()
    return await following()


registry = served.registry.with_hooks(middleware=[announce])
tools = ServedTools(registry, served.services)
server = make_server(tools, has_tasks=True, changes=changes)


async def on_stdio() -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if sys.argv[1:]:
    uvicorn.run(server.streamable_http_app(), port=int(sys.argv[1]), log_level="warning")
else:
    anyio.run(on_stdio)
