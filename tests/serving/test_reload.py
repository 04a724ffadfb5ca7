"""`serve --reload`: changes of handlers and specs under load, from one version each, without a dropped call."""

from __future__ import annotations

import asyncio
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import StdioServerParameters
from served import LEGACY, Connection, connected, pause
from versions import (
    compile_project,
    http_server,
    looked,
    make_versions,
    write_handlers,
    write_spec,
)

CLIENTS = 4
CLIENT = {"name": "test", "version": "1"}
INITIALIZED = '{"jsonrpc": "2.0", "method": "notifications/initialized"}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_versions(tmp_path / "project")


async def changed_under_load(project: Path, address: str, changes: int) -> int:
    """Return how many calls were answered, each of them by a version that existed as a whole."""
    served = {(1, 1)}
    is_over = False
    answers = 0
    newest: dict[int, tuple[int, int]] = {}

    async def load(number: int) -> None:
        nonlocal answers
        # One client keeps its connection, the next opens one for each call.
        limits = httpx2.Limits(max_keepalive_connections=number % 2)
        async with httpx2.AsyncClient(timeout=60, limits=limits) as client:
            while not is_over:
                _, spec, handlers = await looked(client, address, seconds=0.01 * (number % 3))
                assert (spec, handlers) in served
                newest[number] = (spec, handlers)
                answers += 1

    async with asyncio.TaskGroup() as group:
        for number in range(CLIENTS):
            group.create_task(load(number))
        spec, handlers = 1, 1
        for change in range(changes):
            if change % 2:
                spec += 1
                write_spec(project, spec)
            else:
                handlers += 1
            served.add((spec, handlers))
            if change % 2:
                await asyncio.to_thread(compile_project, project)
            else:
                write_handlers(project, handlers)
            async with asyncio.timeout(120):
                while any(newest.get(each) != (spec, handlers) for each in range(CLIENTS)):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        is_over = True
    return answers


@pytest.mark.prove
def test_changes_under_load(project: Path) -> None:
    with http_server(project, "--reload", "--workers", "2") as server:
        assert asyncio.run(changed_under_load(project, server.address, 2)) > 2 * CLIENTS
    assert server.output.count("the change is served") == 2
    assert "Traceback" not in server.output


@pytest.mark.prove
@pytest.mark.parametrize("workers", ["1", "2"])
def test_many_changes_under_load(project: Path, workers: str) -> None:
    with http_server(project, "--reload", "--workers", workers) as server:
        assert asyncio.run(changed_under_load(project, server.address, 250)) > 250 * CLIENTS
    assert "Traceback" not in server.output


@contextmanager
def over(transport: str, project: Path) -> Iterator[tuple[Connection, Callable[[str, int], None]]]:
    """Yield a client of 2025 of a server that reloads, and a function that waits for its output."""
    if transport == "http":
        with (
            http_server(project, "--reload", "--no-auth") as server,
            connected(server.address, LEGACY) as client,
        ):
            yield client, lambda text, times: await_output(lambda: server.output, text, times)
        assert "Traceback" not in server.output
        return
    log = project / "log.txt"
    arguments = ["-m", "toolspec.serving", "--reload", "--handlers", "app:Clock"]
    redirected = f'exec "$@" 2> {shlex.quote(str(log))}'
    command = ["-c", redirected, "sh", sys.executable, *arguments]
    server_command = StdioServerParameters(command="/bin/sh", args=command, cwd=str(project))
    with connected(server_command, LEGACY) as client:
        yield client, lambda text, times: await_output(log.read_text, text, times)
    assert "Traceback" not in log.read_text()


ODD_MESSAGES = (
    "[" * 50_000 + "]" * 50_000,
    '{"jsonrpc": "2.0", "id": [], "result": {}}',
    '{"jsonrpc": "2.0", "id": {}, "result": {}}',
    '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]}',
    '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": "all"}',
    '{"jsonrpc": "2.0", "method": [], "id": 5}',
    "[]",
    "{",
    "\udcff",
)


def test_odd_messages_do_not_end_the_relay(project: Path) -> None:
    command = [sys.executable, "-m", "toolspec.serving", "--reload", "--handlers", "app:Clock"]
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
    begun = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    ping = '{"jsonrpc": "2.0", "id": "last", "method": "ping"}'
    lines = [json.dumps(begun), INITIALIZED, *ODD_MESSAGES, ping]
    with subprocess.Popen(
        command, cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(f"{line}\n" for line in lines).encode(errors="surrogateescape"))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout)
        assert next(answer for answer in answers if answer.get("id") == "last")["result"] == {}
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"Traceback" not in errors


def await_output(output: Callable[[], str], text: str, times: int) -> None:
    for _ in range(1200):
        if output().count(text) >= times:
            return
        time.sleep(0.05)
    raise AssertionError(output())


@pytest.mark.prove
@pytest.mark.parametrize("transport", ["http", "stdio"])
def test_a_session_continues_in_the_new_version(project: Path, transport: str) -> None:
    with over(transport, project) as (client, until_output):
        assert client.client.server_capabilities.tools.list_changed
        process, *versions = client.call("clock_look").structured_content["result"]
        assert versions == [1, 1]
        # A call that runs ends in the old process.
        running = client.portal.start_task_soon(
            lambda: client.client.call_tool("clock_look", {"until": "released"})
        )
        pause(client, 0.5)
        write_handlers(project, 2)
        until_output("the change is served", 1)
        if transport == "http":  # its session waits for it
            assert client.call("clock_look").structured_content["result"] == [process, 1, 1]
        (project / "released").touch()
        assert running.result(30).structured_content["result"] == [process, 1, 1]
        found = client.call("clock_look").structured_content["result"]
        assert (found[0] != process, found[1:]) == (True, [1, 2])
        # Errors leave the last good version, with the reason.
        (project / "app.py").write_text("def f(:\n")
        until_output("version stays:\n  importing `app` failed: SyntaxError", 1)
        assert client.call("clock_look").structured_content["result"][1:] == [1, 2]
        # A changed list is announced.
        client.notified.clear()
        write_handlers(project, 3)
        write_spec(project, 2)
        compile_project(project)
        for _ in range(400):
            if any("list_changed" in str(message) for message in client.notified):
                break
            pause(client)
        assert "list_changed" in str(client.notified)
        for _ in range(400):
            if client.call("clock_look").structured_content["result"][1:] == [2, 3]:
                break
            pause(client)
        listed = client.portal.call(client.client.list_tools).tools
        assert [tool.description for tool in listed] == ["Look at version 2."]


@pytest.mark.prove
def test_a_session_that_has_moved_is_found_while_it_is_busy(project: Path) -> None:
    with over("http", project) as (client, until_output):

        def look(**arguments: Any) -> list[int]:
            found: list[int] = client.call("clock_look", arguments).structured_content["result"]
            return found

        look()
        write_handlers(project, 2)
        until_output("the change is served", 1)
        second = look()
        assert second[1:] == [1, 2]
        running = client.portal.start_task_soon(
            lambda: client.client.call_tool("clock_look", {"until": "released"})
        )
        pause(client, 0.5)
        for version in (3, 4):
            write_handlers(project, version)
            until_output("the change is served", version - 1)
            assert [look(), look()] == [second, second]
        (project / "released").touch()
        assert running.result(30).structured_content["result"] == second
        assert look()[1:] == [1, 4]
