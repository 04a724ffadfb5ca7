"""A server's tools from nothing to a list, in process: `python package.py SIDE PLACE`.

PLACE is a compiled project, or an OpenAPI document of the same tools. What it costs is measured from
outside, start-up included.
"""

import os.path
import sys


async def handler(input: object, ctx: object) -> None:  # noqa: A002 - as the stubs are written
    """Stand for every handler."""
    del input, ctx


def toolspec(location: str) -> int:
    """Return how many tools the generated registry of a project lists."""
    sys.path.insert(0, location)
    import generated

    # Options of the registry beside its services are no modules.
    names: list[str] = list(generated.build_registry.__kwdefaults__)
    # `pathlib` would be measured too.
    services = [name for name in names if os.path.isdir(f"{location}/generated/{name}")]  # noqa: PTH112
    handlers: dict[str, object] = {}
    for name in services:
        module = __import__(f"generated.{name}", fromlist=["SERVICE"])
        handlers[name] = {tool.method: handler for tool in module.SERVICE.tools}
    registry = generated.build_registry(**handlers)
    return sum(bool(tool.description and tool.arguments_schema) for tool in registry.tools)


def fastmcp(location: str) -> int:
    """Return how many tools FastMCP's server of an OpenAPI document lists."""
    import asyncio
    import json
    from pathlib import Path
    from typing import Any

    import httpx2
    from fastmcp import FastMCP

    document = json.loads(Path(location).read_bytes())
    client: Any = httpx2.AsyncClient(base_url="https://api.example.com")
    server = FastMCP.from_openapi(document, client=client)
    return len(asyncio.run(server.list_tools()))


if __name__ == "__main__":
    found = {"toolspec": toolspec, "fastmcp": fastmcp}[sys.argv[1]](sys.argv[2])
    assert found, "no tools"
    print(found)
