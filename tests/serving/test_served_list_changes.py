"""Announcements of a changed list of tools, to clients of both eras over both transports."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client.subscriptions import ListenNotSupportedError
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ToolsListChanged
from mcp_types import METHOD_NOT_FOUND, ToolListChangedNotification
from sampling import sampled
from served import (
    LEGACY,
    MODERN,
    Connection,
    connected,
    free_port,
    listening,
    make_handled,
    pause,
    stdio,
)
from toolspec.serving.client import McpTransport

HERE = Path(__file__).parent
WAYS = [("stdio", MODERN), ("http", LEGACY), ("http", MODERN)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_handled(tmp_path_factory.mktemp("changing") / "project", HERE / "asking.yaml")
    shutil.copy(HERE / "changing_server.py", folder / "changing_server.py")
    return folder


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    port = free_port()
    with listening(project, [sys.executable, "changing_server.py", str(port)], port):
        yield f"http://127.0.0.1:{port}/mcp"


def changing(project: Path) -> Any:
    arguments = ["changing_server.py"]
    return StdioServerParameters(command=sys.executable, args=arguments, cwd=str(project))


@pytest.fixture(params=sampled(WAYS, 1), ids=" ".join)
def client(request: pytest.FixtureRequest, project: Path) -> Iterator[Connection]:
    transport, mode = request.param
    server: Any = changing(project)
    if transport == "http":
        server = request.getfixturevalue("address")
    with connected(server, mode) as connection:
        yield connection


def test_a_changed_list_reaches_those_who_listen(client: Connection) -> None:
    capabilities = client.client.server_capabilities
    assert capabilities.tools is not None
    assert capabilities.tools.list_changed is True

    async def listened() -> Any:
        async with client.client.listen(tools_list_changed=True) as stream:
            await client.client.call_tool("asking_runs", {})
            return await anext(aiter(stream))

    if client.client.protocol_version == "2026-07-28":
        assert client.portal.call(listened) == ToolsListChanged()
        return
    with pytest.raises(ListenNotSupportedError):
        client.portal.call(listened)
    for _ in range(100):  # the stream for it may not be open yet
        client.call("asking_runs")
        if any(isinstance(each, ToolListChangedNotification) for each in client.notified):
            return
        pause(client)
    raise AssertionError(client.notified)


@pytest.mark.prove
def test_a_generated_client_reads_a_changed_list_again(project: Path) -> None:
    async def talk() -> None:
        async with McpTransport(changing(project), mode=LEGACY) as carrying:
            before = await carrying.tools()
            assert await carrying.tools() is before
            await carrying.call("asking_runs", {})
            for _ in range(500):
                if await carrying.tools() is not before:
                    return
                await asyncio.sleep(0.02)
            raise AssertionError("the list is as before")

    asyncio.run(talk())


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_list_that_stays_declares_nothing(project: Path, mode: str) -> None:
    with connected(stdio(project, "--handlers", "app:Asking"), mode) as connection:
        capabilities = connection.client.server_capabilities
        assert capabilities.tools is not None
        assert not capabilities.tools.list_changed

        async def listened() -> None:
            async with connection.client.listen(tools_list_changed=True):
                pass

        with pytest.raises((MCPError, ListenNotSupportedError)) as caught:
            connection.portal.call(listened)
        if isinstance(caught.value, MCPError):
            assert caught.value.code == METHOD_NOT_FOUND
