"""A server of 2025 that no longer knows the client's session: the client opens another, once a call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from scripted_server import Request, ScriptedServer, scripted
from served import TOOLSPEC, free_port, listening, make_handled
from toolspec.runtime import ToolError
from toolspec.serving.client import McpTransport

HERE = Path(__file__).parent


class Forgetful:
    """What a server runs, the sessions that it forgot, and whether it forgets each one at once."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        self.runs: list[str] = []
        self.keeps_none = False
        self.is_begun, self.may_end = asyncio.Event(), asyncio.Event()

    async def __call__(self, request: Request) -> bool:
        if request.message.get("method") != "tools/call":
            return False
        if self.keeps_none or request.session in self.gone:
            request.error(404, -32600, "Session not found")
            return True
        self.runs.append(request.tool)
        if request.tool == "slow":
            self.is_begun.set()
            await self.may_end.wait()
        return False


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[ScriptedServer, Forgetful, McpTransport]]:
    forgetful = Forgetful()
    async with (
        scripted(forgetful) as server,
        McpTransport(server.address, mode="legacy") as calls,
    ):
        assert await calls.call("first", {}) == "first"
        forgetful.gone.update(server.sessions)
        yield server, forgetful, calls


def test_a_session_that_is_gone_is_opened_again() -> None:
    async def talk() -> None:
        async with connected() as (server, forgetful, calls):
            assert await calls.call("second", {}) == "second"
            assert await calls.call("third", {}) == "third"
            assert server.sessions == ["s0", "s1"]
            forgetful.gone.update(server.sessions)
            assert [chunk async for chunk in calls.stream("fourth", {})] == ["fourth"]
            assert server.sessions == ["s0", "s1", "s2"]
            assert forgetful.runs == ["first", "second", "third", "fourth"]

    asyncio.run(talk())


def test_concurrent_calls_open_one_session() -> None:
    async def talk() -> None:
        async with connected() as (server, forgetful, calls):

            async def call(number: int) -> Any:
                if number % 2:
                    return await calls.call(names[number], {})
                return [chunk async for chunk in calls.stream(names[number], {})]

            names = [f"call{number}" for number in range(12)]
            results = await asyncio.gather(*(call(number) for number in range(12)))
            assert results == [name if number % 2 else [name] for number, name in enumerate(names)]
            assert sorted(forgetful.runs[1:]) == sorted(names)
            assert server.sessions == ["s0", "s1"]

    asyncio.run(talk())


def test_a_call_that_runs_in_the_old_session_gets_its_answer() -> None:
    async def talk() -> None:
        async with connected() as (server, forgetful, calls):
            forgetful.gone.clear()
            slow = asyncio.create_task(calls.call("slow", {}))
            await forgetful.is_begun.wait()
            forgetful.gone.update(server.sessions)
            assert await calls.call("quick", {}) == "quick"
            forgetful.may_end.set()
            assert await slow == "slow"
            assert forgetful.runs == ["first", "slow", "quick"]

    asyncio.run(talk())


def test_a_server_that_forgets_every_session_is_asked_twice() -> None:
    async def talk() -> None:
        async with connected() as (server, forgetful, calls):
            forgetful.keeps_none = True
            with pytest.raises(ToolError) as gone:
                await calls.call("second", {})
            assert (gone.value.category, gone.value.code) == ("unavailable", "session_gone")
            assert gone.value.retryable
            with pytest.raises(ToolError, match="not even a new one"):
                [chunk async for chunk in calls.stream("third", {})]
            assert server.methods.count("tools/call") == 1 + 2 + 2
            assert forgetful.runs == ["first"]
            forgetful.keeps_none = False
            assert await calls.call("fourth", {}) == "fourth"

    asyncio.run(talk())


def test_a_server_that_was_restarted(tmp_path: Path) -> None:
    folder = make_handled(tmp_path / "project", HERE.parent / "serving" / "ledger.yaml")
    port = free_port()
    command = [
        *(*TOOLSPEC, "serve", "--transport", "http", "--port", str(port)),
        *("--handlers", "app:Ledger", "--approve", "auto"),
    ]

    async def talk() -> None:
        calls = McpTransport(f"http://127.0.0.1:{port}/mcp", mode="legacy")
        for text in ("one", "two", "three"):
            with listening(folder, command, port):
                assert await calls.call("ledger_add", {"text": text}) == text
        await calls.aclose()

    asyncio.run(talk())
    assert (folder / "ledger.txt").read_text() == "one\ntwo\nthree\n"
