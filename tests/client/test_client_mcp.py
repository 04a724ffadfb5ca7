"""Generated clients over MCP: both eras, stdio and HTTP, against real servers."""

from __future__ import annotations

import asyncio
import importlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from client_project import TOOLSPEC, make_project
from mcp import StdioServerParameters
from toolspec.runtime import Policy, PolicySource, Retries, Rule, ToolError
from toolspec.runtime.controls.approval import approve
from toolspec.serving.client import McpTransport
from toolspec.serving.client.tool_list import ListedTool

SERVE = ("serve", "--handlers", "app:Desk")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from make_project(tmp_path_factory.mktemp("mcp"), "mcp_desk")


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*TOOLSPEC, *SERVE, "--transport", "http", "--port", str(port)]
    process = subprocess.Popen(
        command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        for _ in range(400):
            assert process.poll() is None, process.communicate()[0].decode()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.communicate(timeout=20)


def stdio(project: Path) -> StdioServerParameters:
    command, *rest = TOOLSPEC
    return StdioServerParameters(
        command=command,
        args=[*rest, *SERVE, "--approve", "ask"],
        cwd=str(project),
        env=dict(os.environ),
    )


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("stdio", "legacy"), id="stdio legacy"),
        pytest.param(("stdio", "auto"), id="stdio auto", marks=pytest.mark.prove),
        pytest.param(("http", "legacy"), id="http legacy", marks=pytest.mark.prove),
        pytest.param(("http", "auto"), id="http auto"),
    ],
)
def transport(request: pytest.FixtureRequest, project: Path) -> Any:
    kind, mode = request.param
    server = stdio(project) if kind == "stdio" else request.getfixturevalue("address")
    return lambda: McpTransport(server, mode=mode)


@pytest.fixture
def desk(project: Path) -> Any:
    assert project.is_dir()
    return importlib.import_module("mcp_desk.desk")


def test_a_silent_approver_refuses_what_a_handler_asks(desk: Any, transport: Any) -> None:
    async def approver(question: Any) -> bool:
        if question.reason:
            await asyncio.sleep(3600)
        return True

    async def talk() -> None:
        async with transport() as carrying:
            client = desk.DeskClient(carrying, approver=approver, approval=0.2)
            with pytest.raises(ToolError) as refused:
                await client.move({"what": "lamp"})
            assert (refused.value.category, refused.value.code) == ("permission", "refused")

    asyncio.run(talk())


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


CALM = Retries(sleep=no_pause, random=lambda: 0.0)


def test_everything_over_one_connection(desk: Any, transport: Any) -> None:
    questions: list[Any] = []
    reports: list[Any] = []

    def person(question: Any) -> bool:
        questions.append(question)
        return question.arguments.get("what") != "kept"

    async def talk() -> None:
        async with transport() as carrying:
            client = desk.DeskClient(
                carrying, approver=person, retries=CALM, on_progress=reports.append
            )
            assert await client.look({"what": "pen"}) == {"seen": "pen"}
            assert await client.list_() == [1, 2]
            assert await client.maybe() is None
            assert await client.name() == "a desk"
            # The yes of the client's approver answers the server's question about that call.
            assert await client.throw_away({"what": "bin"}) is True
            assert [each.tool.full_name for each in questions] == ["desk_throwAway"]
            with pytest.raises(ToolError) as refused:
                await client.throw_away({"what": "kept"})
            assert refused.value.code == "refused"
            # What a handler asks for on its way goes to the approver too.
            questions.clear()
            assert await client.move({"what": "lamp"}) == "moved lamp"
            assert questions[0].reason == ""
            assert "to make room" in questions[1].reason
            assert len(questions) == 2
            # Chunks come as they are yielded, and make the whole.
            assert [each async for each in client.tell({"words": 3})] == ["w0 ", "w1 ", "w2 "]
            assert [each async for each in client.deal({"cards": 3})] == [
                {"card": 0},
                {"card": 1},
                {"card": 2},
            ]
            # What a handler says beside its chunks is none of them.
            reports.clear()
            lines = ["one line", "and another"]
            assert [each async for each in client.recite()] == lines
            said = [(each.total, each.message) for each in reports]
            assert said == [(None, "clears its throat")] * 2
            reports.clear()
            assert await client.count() == 3
            assert [(each.value, each.total, each.message) for each in reports] == [
                (1, 3, "at 1"),
                (2, 3, "at 2"),
                (3, 3, "at 3"),
            ]
            # A keyed call is repeated under one key until it works.
            assert await client.pay({"amount": 5}) == {"paid": 5, "calls": 3}
            with pytest.raises(ToolError) as wrong:
                await client.look({"what": ""})
            assert wrong.value.category == "validation"
            assert [each.path for each in wrong.value.field_errors] == ["$.what"]
            assert wrong.value.request_id
            with pytest.raises(ToolError) as failed:
                await client.fail()
            assert failed.value.code == "internal"
            assert "s3cret" not in str(failed.value)

    asyncio.run(talk())


def test_of_two_equal_calls_only_the_one_with_a_yes_runs(desk: Any, transport: Any) -> None:
    """Clients of two minds share a connection, and their calls of the same arguments its time."""

    def of(carrying: Any, number: int) -> Any:
        return carrying.call(
            "desk_throwAway",
            {"what": "twin"},
            request_id=f"r{number}",
            approval=approve("desk_throwAway", {"what": "twin"}) if number % 3 == 0 else None,
            approver=None,
        )

    async def talk() -> None:
        async with transport() as carrying:
            before = await carrying.call("desk_thrown", {})
            ended = await asyncio.gather(
                *(of(carrying, number) for number in range(9)), return_exceptions=True
            )
            for number, outcome in enumerate(ended):
                if number % 3 == 0:
                    assert outcome is True
                else:
                    assert isinstance(outcome, ToolError)
                    assert outcome.category == "permission"
            after = await carrying.call("desk_thrown", {})
            assert after == [*before, *["twin"] * 3]

    asyncio.run(talk())


def test_nothing_is_sent_without_a_yes(desk: Any, transport: Any) -> None:
    async def talk() -> None:
        async with transport() as carrying:
            client = desk.DeskClient(carrying)
            with pytest.raises(ToolError) as refused:
                await client.throw_away({"what": "never"})
            assert refused.value.code == "approval_required"
            assert "never" not in await client.thrown()

    asyncio.run(talk())


def test_a_yes_is_for_one_call_alone(desk: Any, transport: Any) -> None:
    """A call that brought no yes gets none, though another of the same tool is under way with one."""
    allowed = Policy(sources=(PolicySource(name="mine", rules=(Rule(mode="auto"),)),))

    async def talk() -> None:
        async with transport() as carrying:
            trusted = desk.DeskClient(carrying, policy=allowed)
            results = await asyncio.gather(
                trusted.throw_away({"what": "a"}),
                carrying.call("desk_throwAway", {"what": "b"}),
                return_exceptions=True,
            )
            assert results[0] is True
            assert isinstance(results[1], ToolError), results
            assert results[1].category == "permission"

    asyncio.run(talk())


def test_the_sync_client(desk: Any, transport: Any) -> None:
    told: list[Any] = []
    with desk.DeskSyncClient(transport(), approver=lambda _: True) as client:
        assert client.look({"what": "pen"}) == {"seen": "pen"}
        assert client.throw_away({"what": "bin"}) is True
        assert list(client.tell({"words": 2})) == ["w0 ", "w1 "]
        client.tell_with_callback({"words": 2}, on_chunk=told.append, on_complete=told.append)
        assert told == ["w0 ", "w1 ", "w0 w1 "]
        stream = client.endless()
        assert [next(stream), next(stream)] == [0, 1]
        stream.close()
        assert client.look({"what": "still"}) == {"seen": "still"}


def test_closing_a_stream_cancels_the_call(desk: Any, transport: Any) -> None:
    async def talk() -> None:
        async with transport() as carrying:
            client = desk.DeskClient(carrying)
            stream = client.endless()
            assert await anext(stream) == 0
            await stream.aclose()
            for _ in range(200):
                if "endless" in await client.ended():
                    return
                await asyncio.sleep(0.02)
            raise AssertionError("the handler was not told")

    asyncio.run(talk())


def test_an_unknown_tool_and_an_old_version(desk: Any, transport: Any) -> None:
    async def talk() -> None:
        async with transport() as carrying:
            with pytest.raises(ToolError) as unknown:
                await carrying.call("desk_loook", {})
            assert unknown.value.code == "unknown_tool"
            assert unknown.value.details["nearest"][0] == "desk_look"
            client = desk.DeskClient(carrying)
            assert await client.find_v1_0_0() == 1
            assert await client.find_v2_0_0() == [1, 2]

    asyncio.run(talk())


def test_a_server_that_is_not_there(desk: Any) -> None:
    tried: list[float] = []

    async def pause(seconds: float) -> None:
        tried.append(seconds)

    async def talk() -> None:
        gone = McpTransport(StdioServerParameters(command="/nowhere/at/all"))
        client = desk.DeskClient(gone, retries=Retries(sleep=pause, random=lambda: 0.0))
        with pytest.raises(ToolError) as unreachable:
            await client.look({"what": "pen"})
        assert unreachable.value.code == "unreachable"

    asyncio.run(talk())
    assert tried == [0.25, 0.5, 1.0]


def test_a_server_that_dies_is_started_again(desk: Any, project: Path) -> None:
    async def talk() -> None:
        async with McpTransport(stdio(project)) as carrying:
            client = desk.DeskClient(carrying, approver=lambda _: True, retries=CALM)
            with pytest.raises(ToolError) as lost:
                await client.die()
            assert lost.value.code == "connection_lost"
            assert not lost.value.retryable
            assert await client.look({"what": "pen"}) == {"seen": "pen"}

    asyncio.run(talk())


def test_the_shell_calls_over_http(project: Path, address: str) -> None:
    command = [*TOOLSPEC, "call", "desk_tell", "words=2", "--url", address]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "w0 w1 ", "")


def test_a_result_of_several_blocks_is_told_as_it_came() -> None:
    blocks = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    result = types.CallToolResult.model_validate({"content": blocks})
    assert ListedTool.unknown("other").value(result) == blocks
