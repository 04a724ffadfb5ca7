"""Sessions of clients of 2025 with two workers: each request reaches the worker that has the session."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lab_server import SHARED
from mcp.shared.exceptions import MCPError
from posts import send_request
from served import LEGACY, connected, http, pause
from toolspec.serving.sessions import SessionNames, SessionRouter
from versions import http_server, look, make_versions

REGISTRY = ("--handlers", "together:registry", "--workers", "2", "--verifier", "app:verify")
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"elicitation": {}},
    "clientInfo": {"name": "raw", "version": "1"},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.fixture(scope="module")
def guarded(lab: Path) -> Iterator[str]:
    with http(lab, *REGISTRY) as address:
        yield address


class Session:
    """A session whose requests have a connection each, so that half of them reach the other worker."""

    def __init__(self, address: str, caller: str = "writer") -> None:
        self.address = address
        self.name = ""
        self.caller = caller
        self.number = 0
        opened = self.request("initialize", HELLO)
        self.name = opened.headers["mcp-session-id"]
        assert self.post(INITIALIZED).status_code == 202

    def headers(self) -> dict[str, str]:
        session = {"mcp-session-id": self.name, "mcp-protocol-version": "2025-11-25"}
        return {
            "accept": "application/json, text/event-stream",
            "authorization": f"Bearer {self.caller}",
            **(session if self.name else {}),
        }

    def post(self, message: Any) -> httpx2.Response:
        return send_request("POST", self.address, json=message, headers=self.headers(), timeout=30)

    def request(self, method: str, params: Any) -> httpx2.Response:
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        return self.post(message)

    def call(self, tool: str, arguments: Any = None) -> Any:
        answer = self.request("tools/call", {"name": tool, "arguments": arguments or {}})
        assert answer.status_code == 200, answer.text
        return result_of(answer.text)

    def delete(self) -> httpx2.Response:
        return send_request("DELETE", self.address, headers=self.headers())


def result_of(text: str) -> Any:
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
    message = json.loads(lines[-1])
    return message.get("result", message.get("error"))


def test_each_request_reaches_its_session_until_it_is_deleted(guarded: str) -> None:
    session = Session(guarded)
    names = {session.call("lab_who")["structuredContent"]["session"] for _ in range(8)}
    assert len(names) == 1
    other = Session(guarded)
    assert other.call("lab_who")["structuredContent"]["session"] not in names
    assert session.delete().status_code == 200
    for _ in range(4):
        assert session.request("ping", {}).status_code == 404
    assert other.request("ping", {}).status_code == 200


def test_a_session_is_for_the_caller_who_opened_it(guarded: str) -> None:
    session = Session(guarded)
    thief = Session(guarded, "reader")
    thief.name = session.name
    for _ in range(6):
        assert thief.request("ping", {}).status_code == 404
        assert thief.delete().status_code == 404
    session.caller = "nobody"
    assert {session.request("ping", {}).status_code for _ in range(6)} == {401}
    session.caller = "writer"
    assert session.request("ping", {}).status_code == 200


@pytest.mark.parametrize("change", ["0", "x", ".", "é"])
def test_a_forged_name_opens_nothing(guarded: str, change: str) -> None:
    session = Session(guarded)
    worker, inner, code = session.name.rsplit(".", 2)
    for name in (
        f"{worker}.{inner}.{code[:-1]}{change}",
        f"{worker}{change}.{inner}.{code}",
        f"../{worker}.{inner}.{code}",
        inner,
        f"{worker}.{inner}",
    ):
        if name != session.name:
            headers = {**session.headers(), "mcp-session-id": name.encode("latin-1")}
            answer = send_request("POST", guarded, json={**INITIALIZED}, headers=headers)
            assert answer.status_code in (400, 404), (name, answer.text)


def test_names_are_those_of_one_key() -> None:
    names = SessionNames(b"k" * 32, "0")
    sealed = names.seal("abc")
    assert names.parts(sealed) == ("0", "abc")
    assert SessionNames(b"l" * 32, "0").parts(sealed) is None
    assert names.parts("") is None


def test_an_answer_before_the_request_was_read_is_relayed(tmp_path: Path) -> None:
    """As a 401: the owner answers, and the rest of the request arrives at it afterwards."""
    is_listening, is_answered = threading.Event(), threading.Event()
    heard: list[Any] = []
    key = b"k" * 32

    async def refuse(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"no"})
        asyncio.get_running_loop().call_later(0.05, is_answered.set)

    async def own() -> None:
        tasks: set[asyncio.Task[None]] = set()
        owner = SessionRouter(refuse, SessionNames(key, "0"), str(tmp_path), heard.append)
        async with await owner.listen(tasks):
            is_listening.set()
            await asyncio.to_thread(is_answered.wait, 30)
            await asyncio.gather(*tasks)

    async def receive() -> dict[str, Any]:
        is_answered.wait(30)  # the whole loop waits: it has not yet read the response
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: Any) -> None:
        heard.append(message.get("status", message.get("body")))

    name = SessionNames(key, "0").seal("abc").encode()
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": [(b"mcp-session-id", name)],
    }
    owning = threading.Thread(target=asyncio.run, args=(own(),))
    owning.start()
    assert is_listening.wait(30)
    other = SessionRouter(refuse, SessionNames(key, "1"), str(tmp_path), heard.append)
    asyncio.run(other(scope, receive, send))
    owning.join(30)
    assert heard == [401, b"no"]
    assert not owning.is_alive()


def test_a_request_waits_at_the_last_worker_for_a_session_that_moves(tmp_path: Path) -> None:
    """Between two workers it would go back and forth, once for each turn of their loops."""
    key = b"k" * 32
    moving: list[dict[str, str]] = []
    heard: list[Any] = []
    bodies = [b"{}", b"{}"]
    relayed: set[asyncio.Task[None]] = set()

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        headers = [(b"mcp-session-id", b"abc")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> dict[str, Any]:
        if bodies:
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}
        await asyncio.sleep(60)
        raise AssertionError

    async def send(message: Any) -> None:
        heard.append(message)

    def router(name: str) -> SessionRouter:
        names = SessionNames(key, name)
        made = SessionRouter(answer, names, str(tmp_path), lambda _: None, moving.append)
        made.succeed({"0": ["1"], "1": []})
        return made

    async def main() -> None:
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/mcp",
            "query_string": b"",
            "headers": [],
        }
        first, last = router("0"), router("1")
        async with await first.listen(relayed), await last.listen(relayed):
            await first(scope, receive, send)
            [name] = (value for _, value in heard[0]["headers"])
            first.retire(is_changed=False)
            heard.clear()
            asking = asyncio.ensure_future(
                last({**scope, "headers": [(b"mcp-session-id", name)]}, receive, send)
            )
            await asyncio.sleep(0.3)
            assert len(relayed) == 2
            await last.adopt(moving[0])
            await asking
            assert heard[0]["status"] == 200

    asyncio.run(main())


def test_a_cancellation_reaches_the_worker_that_runs_the_call(guarded: str) -> None:
    session = Session(guarded)
    answers: list[Any] = []
    waiting = threading.Thread(target=lambda: answers.append(session.call("lab_wait")))
    waiting.start()
    while "waiting" not in session.call("lab_seen")["structuredContent"]["result"]:
        pass
    calls = session.number
    for number in range(1, calls + 1):  # one of them is the call's
        params = {"requestId": number}
        session.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    waiting.join(30)
    assert answers[0]["code"] == -32800
    seen = session.call("lab_seen")["structuredContent"]["result"]
    assert any(line.startswith("called off") for line in seen)


@pytest.mark.prove
def test_progress_and_questions_reach_a_client_over_any_worker(lab: Path) -> None:
    with http(lab, *SHARED, "--workers", "2") as address:
        for _ in range(2):
            with connected(address, LEGACY) as client:
                for _ in range(3):
                    result, reports = client.reports("lab_count")
                    assert not result.is_error
                    assert [int(value) for value, *_ in reports] == [0, 1, 2, 2, 3]
                    assert not client.call("lab_destroy", {"what": "it"}).is_error
                    assert not client.call("lab_write").is_error
                assert len(client.person.asked) == 9  # a write is asked for twice
                client.person.action = "decline"
                assert client.call("lab_destroy", {"what": "it"}).is_error
                task = client.start("lab_job", {"how": "well"})
                done = client.task_result(task.task_id)
                assert done.structured_content == {"result": [1, 2]}


@pytest.mark.prove
def test_the_sessions_of_a_killed_worker_are_not_found(tmp_path: Path) -> None:
    project = make_versions(tmp_path / "project")
    with (
        http_server(project, "--workers", "2") as server,
        connected(server.address, LEGACY) as client,
    ):
        [owner, *_] = client.call("clock_look").structured_content["result"]
        [survivor] = {process for process, *_ in look(server.address, 4)} - {owner}
        waiting = client.portal.start_task_soon(
            lambda: client.client.call_tool("clock_look", {"seconds": 60})
        )
        pause(client, 0.5)
        os.kill(owner, signal.SIGKILL)
        with pytest.raises(MCPError):
            waiting.result(30)
        for _ in range(4):
            with pytest.raises(MCPError, match=r"[Ss]ession"):
                client.call("clock_look")
        assert survivor in {process for process, *_ in look(server.address, 4)}
        with connected(server.address, LEGACY) as again:
            assert not again.call("clock_look").is_error


@pytest.mark.prove
def test_sessions_are_spread_over_the_workers(tmp_path: Path) -> None:
    """Each client has a stream open all the time, which must not keep others from a worker."""
    project = make_versions(tmp_path / "project")
    with http_server(project, "--workers", "2") as server, contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(server.address, LEGACY)) for _ in range(6)]
        owners = {client.call("clock_look").structured_content["result"][0] for client in clients}
    assert len(owners) == 2
