"""What handlers ask of clients of both eras over both transports, and the log messages they send."""

from __future__ import annotations

import json
import os
import pty
import secrets
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from sampling import sampled
from served import LEGACY, MODERN, TOOLSPEC, Connection, connected, http, make_handled, stdio
from terminals import read_to_end
from toolspec.runtime import (
    ClientCallbacks,
    ElicitResult,
    FormRequest,
    LogMessage,
    Root,
    SampleRequest,
    SampleResult,
    ToolError,
    UrlRequest,
)
from toolspec.serving.client import McpTransport

HERE = Path(__file__).parent
SERVED = ("--handlers", "app:Asking")


class Peer:
    """The client's side: answers in order, and what was asked."""

    def __init__(self) -> None:
        self.names = ["Ann", "Bob", "Cid"]
        self.asked: list[str] = []
        self.logged: list[Any] = []

    async def elicit(self, context: Any, params: Any) -> types.ElicitResult:
        self.asked.append(params.message)
        if isinstance(params, types.ElicitRequestURLParams):
            assert params.url == "https://example.com/sign-in"
            return types.ElicitResult(action="accept")
        if "count" in params.requested_schema["properties"]:
            return types.ElicitResult(action="accept", content={"count": 2})
        if not params.requested_schema["properties"]:
            return types.ElicitResult(action="accept", content={})  # an approval
        name = self.names.pop(0)
        if name in ("decline", "cancel"):
            return types.ElicitResult(action=name)  # type: ignore[arg-type]
        return types.ElicitResult(action="accept", content={"name": name})

    async def sample(self, context: Any, params: Any) -> types.CreateMessageResult:
        (message,) = params.messages
        self.asked.append(message.content.text)
        content = types.TextContent(text="Paris")
        return types.CreateMessageResult(role="assistant", content=content, model="m")

    async def roots(self, context: Any) -> types.ListRootsResult:
        self.asked.append("roots")
        root = {"uri": "file:///home/ann", "name": "home"}
        return types.ListRootsResult.model_validate({"roots": [root]})

    async def log(self, params: Any) -> None:
        self.logged.append((params.level, params.data, params.logger))

    def options(self, **further: Any) -> dict[str, Any]:
        return {
            "elicitation_callback": self.elicit,
            "sampling_callback": self.sample,
            "list_roots_callback": self.roots,
            "logging_callback": self.log,
            **further,
        }


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("asking") / "project", HERE / "asking.yaml")


@pytest.fixture(scope="module")
def address(project: Path) -> Iterator[str]:
    with http(project, *SERVED) as found:
        yield found


WAYS = [("stdio", LEGACY), ("stdio", MODERN), ("http", LEGACY), ("http", MODERN)]


def server_of(request: pytest.FixtureRequest, transport: str) -> Any:
    if transport == "http":
        return request.getfixturevalue("address")
    return stdio(request.getfixturevalue("project"), *SERVED)


@pytest.fixture(scope="module")
def peer() -> Peer:
    return Peer()


@pytest.fixture(scope="module", params=WAYS, ids=" ".join)
def client(request: pytest.FixtureRequest, peer: Peer) -> Iterator[Connection]:
    transport, mode = request.param
    options = peer.options(log_level="info")
    with connected(server_of(request, transport), mode, **options) as connection:
        yield connection


@pytest.fixture(autouse=True)
def fresh(peer: Peer) -> None:
    peer.names = ["Ann", "Bob", "Cid"]
    peer.asked.clear()
    peer.logged.clear()


def value(result: Any) -> Any:
    assert not result.is_error, result
    found = json.loads(result.content[0].text)
    return found["result"] if isinstance(found, dict) and set(found) == {"result"} else found


def is_modern(client: Connection) -> bool:
    return client.client.protocol_version == "2026-07-28"


def runs(client: Connection) -> Any:
    return value(client.call("asking_runs"))


@pytest.mark.parametrize("answer", ["Ann", "decline", "cancel"])
def test_a_form(client: Connection, peer: Peer, answer: str) -> None:
    peer.names = [answer]
    action = "accept" if answer == "Ann" else answer
    content = {"name": "Ann"} if answer == "Ann" else {}
    assert value(client.call("asking_form")) == {"action": action, "content": content}
    assert peer.asked == ["What is your name?"]


def test_a_wrong_answer_is_an_error(client: Connection, peer: Peer) -> None:
    peer.names = ["X"]
    result = client.call("asking_form")
    assert result.is_error
    error = result.meta["toolspec"]["error"]
    assert (error["category"], error["code"]) == ("validation", "invalid_answer")
    assert [field["path"] for field in error["field_errors"]] == ["$.name"]


def test_a_page_the_model_and_the_roots(client: Connection, peer: Peer) -> None:
    assert value(client.call("asking_page")) == {"action": "accept", "content": {}}
    assert value(client.call("asking_capital")) == "Paris"
    assert value(client.call("asking_folders")) == ["home file:///home/ann"]
    assert peer.asked == ["Sign in there.", "Capital of France?", "roots"]


def test_several_at_once_are_one_round(client: Connection, peer: Peer) -> None:
    before = runs(client).get("together", 0)
    assert value(client.call("asking_together")) == ["Ann", "Paris", "file:///home/ann"]
    assert len(peer.asked) == 3
    assert runs(client)["together"] - before == (2 if is_modern(client) else 1)


def test_answers_are_replayed_in_order(client: Connection, peer: Peer) -> None:
    before = runs(client).get("twice", 0)
    assert value(client.call("asking_twice")) == ["Ann", "Bob", "Cid"]
    assert peer.asked == ["And who?", "And who?", "And then?"]
    assert runs(client)["twice"] - before == (4 if is_modern(client) else 1)


def test_a_keyed_call_asks_and_has_one_effect(client: Connection, peer: Peer) -> None:
    before = runs(client).get("orders", 0)
    arguments = {"idempotency_key": secrets.token_hex(8)}
    assert value(client.call("asking_order", arguments)) == 2
    again = client.call("asking_order", arguments)
    if again.is_error:  # nothing tells this caller from others
        assert again.meta["toolspec"]["error"]["code"] == "not_replayed"
        assert is_modern(client)
    else:
        assert value(again) == 2
    assert runs(client)["orders"] == before + 1
    assert peer.asked.count("How many?") == 1


@pytest.mark.prove
@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_one_effect_for_a_key_whose_rounds_reach_several_workers(
    project: Path, peer: Peer, tmp_path: Path, mode: str
) -> None:
    store = f"sqlite:///{tmp_path / 'store.sqlite3'}"
    keys = [f"{mode}{number}" for number in range(20)]

    async def order(client: Client, key: str) -> Any:
        while True:  # a call under a key that is still running is a conflict
            result = await client.call_tool("asking_order", {"idempotency_key": key})
            if not result.is_error:
                return value(result)
            assert result.meta["toolspec"]["error"]["code"] == "in_progress"
            await anyio.sleep(0.05)

    async def orders(address: str) -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(all_of_them, address)

    async def all_of_them(address: str) -> None:
        http_client = httpx2.AsyncClient(headers={"Authorization": "Bearer ann"})
        server = streamable_http_client(address, http_client=http_client)
        async with http_client, Client(server, mode=mode, **peer.options()) as client:
            for key in keys:
                assert await order(client, key) == 2

    shared = ("--workers", "2", "--store", store, "--verifier", "app:verify")
    with http(project, *SERVED, *shared) as address:
        anyio.run(orders, address)
    written = (project / "orders.txt").read_text(encoding="utf-8").split()
    assert sorted(key for key in written if key.startswith(mode)) == sorted(keys)


def test_log_messages_come_before_the_answer(client: Connection, peer: Peer) -> None:
    assert value(client.call("asking_log")) is True
    assert peer.logged == [
        (level, {"at": level}, "asking_log") for level in ("info", "warning", "error")
    ]


def test_a_client_of_2025_sets_the_level(client: Connection, peer: Peer) -> None:
    if is_modern(client):
        return
    params = types.SetLevelRequestParams(level="error")
    client.send(types.SetLevelRequest(params=params), types.EmptyResult)
    client.call("asking_log")
    assert [level for level, _, _ in peer.logged] == ["error"]
    params = types.SetLevelRequestParams(level="info")
    client.send(types.SetLevelRequest(params=params), types.EmptyResult)


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_client_without_the_capability(address: str, mode: str) -> None:
    with connected(address, mode, can_ask=False) as connection:
        assert value(connection.call("asking_either")) == "without sampling"
        if mode == LEGACY:
            error = connection.call("asking_form").meta["toolspec"]["error"]
            assert error["code"] == "missing_capability"
            assert error["details"]["capability"] == "elicitation.form"
        else:
            with pytest.raises(MCPError) as caught:
                connection.call("asking_form")
            assert caught.value.code == types.MISSING_REQUIRED_CLIENT_CAPABILITY
            assert caught.value.data == {"requiredCapabilities": {"elicitation": {"form": {}}}}
        result = connection.call("asking_log")  # nobody listens
        assert not result.is_error


def test_a_question_that_changes_is_asked_again(address: str, peer: Peer) -> None:
    with connected(address, MODERN, **peer.options()) as connection:
        answer = value(connection.call("asking_offer"))
    asked = [int(text.split()[2]) for text in peer.asked]
    assert asked == sorted(set(asked))
    assert answer.split()[1] == str(asked[-1])


def test_a_state_is_used_once(address: str, peer: Peer) -> None:
    with connected(address, MODERN, **peer.options()) as connection:
        first = connection.send_round("asking_twice")
        ((key, _),) = first.input_requests.items()
        answer = {key: types.ElicitResult(action="accept", content={"name": "Ann"})}
        second = connection.send_round(
            "asking_twice", input_responses=answer, request_state=first.request_state
        )
        assert set(second.input_requests) != {key}
        again = connection.send_round(
            "asking_twice", input_responses=answer, request_state=first.request_state
        )
        assert set(again.input_requests) == {key}


def test_a_task_of_2025_asks(address: str, peer: Peer) -> None:
    with connected(address, LEGACY, **peer.options()) as connection:
        task = connection.start("asking_form", {})
        result = connection.task_result(task.task_id)
    assert value(result)["content"] == {"name": "Ann"}


@pytest.mark.parametrize(("transport", "mode"), WAYS[1:3])
def test_callbacks_of_a_toolspec_client(
    request: pytest.FixtureRequest, transport: str, mode: str
) -> None:
    logged: list[LogMessage] = []

    def fill(form: FormRequest) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": f"{form.message[:4]} Ann"})

    async def visit(page: UrlRequest) -> ElicitResult:
        return ElicitResult(action="decline")

    async def sample(asked: SampleRequest) -> SampleResult:
        assert asked.temperature in (None, 0.5)
        return SampleResult(content={"type": "text", "text": "Paris"}, model="m")

    callbacks = ClientCallbacks(
        elicit=fill,
        elicit_url=visit,
        sample=sample,
        roots=lambda _: [Root(uri="file:///tmp", name="temporary")],
        log=logged.append,
    )

    async def use() -> list[Any]:
        server = server_of(request, transport)
        async with McpTransport(server, mode=mode, callbacks=callbacks) as connection:
            tools = ("together", "page", "folders", "log")
            return [await connection.call(f"asking_{tool}", {}) for tool in tools]

    together, page, folders, _ = anyio.run(use)
    assert together == ["What Ann", "Paris", "file:///tmp"]
    assert page == {"action": "decline", "content": {}}
    assert folders == ["temporary file:///tmp"]
    assert [message.data for message in logged] == [
        {"at": level} for level in ("info", "warning", "error")
    ]


def at_terminal(project: Path, typed: bytes, *call: str) -> tuple[Any, str]:
    """Return what a call prints, and what the person who types sees."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*TOOLSPEC, "call", *call], cwd=project, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, typed)
    out, _ = process.communicate(timeout=60)
    return json.loads(out), read_to_end(ours).decode()


AT_TERMINAL = pytest.mark.parametrize(
    "where", [SERVED, ("--stdio", shlex.join([*TOOLSPEC, "serve", *SERVED]))], ids=["own", "stdio"]
)


@AT_TERMINAL
def test_a_person_at_the_terminal_fills_in_the_form(project: Path, where: Sequence[str]) -> None:
    typed = b"roof\nwindow\n\nmany\n3\nboth\ny\nmeat, fish\nheavy\nnan\n1e999\n2.5\n"
    result, seen = at_terminal(project, typed, "asking_seat", *where)
    assert result == {
        "action": "accept",
        "content": {
            "seat": "window",
            "class": "second",
            "bags": 3,
            "quiet": True,
            "food": ["meat", "fish"],
            "weight": 2.5,
        },
    }
    assert "Where do you want to sit?" in seen
    assert "Kilograms: " in seen
    for problem in (
        "`roof` is none of aisle, window",
        "`many` is not an integer",
        "`both` is neither y nor n",
        *(f"`{word}` is not a number" for word in ("heavy", "nan", "1e999")),
    ):
        assert problem in seen


@AT_TERMINAL
def test_a_person_at_the_terminal_ends_the_form(project: Path, where: Sequence[str]) -> None:
    result, _ = at_terminal(project, b"window\n\x04", "asking_seat", *where)
    assert result == {"action": "cancel", "content": {}}


@AT_TERMINAL
@pytest.mark.parametrize(
    ("typed", "action"),
    sampled(
        [(b"yes\n", "accept"), (b"\n", "decline"), (b"what\n", "decline"), (b"\x04", "cancel")],
        2,
        rows=True,
    ),
)
def test_a_person_at_the_terminal_is_shown_a_page(
    project: Path, where: Sequence[str], typed: bytes, action: str
) -> None:
    result, seen = at_terminal(project, typed, "asking_page", *where)
    assert result == {"action": action, "content": {}}
    assert "Sign in there.\r\n  https://example.com/sign-in\r\nOpen it? [y/N] " in seen


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_toolspec_client_without_callbacks(address: str, mode: str) -> None:
    async def use() -> tuple[Any, ToolError]:
        async with McpTransport(address, mode=mode) as connection:
            form = await connection.call("asking_form", {})
            with pytest.raises(ToolError) as caught:
                await connection.call("asking_capital", {})
            return form, caught.value

    form, error = anyio.run(use)
    assert form == {"action": "decline", "content": {}}
    assert error.code == "missing_capability"
    assert error.details["capability"] == "sampling"


@pytest.mark.prove
def test_questions_that_change_in_each_run_come_to_an_end(address: str) -> None:
    def fill(form: FormRequest) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": "Ann"})

    async def use() -> str:
        async with McpTransport(address, callbacks=ClientCallbacks(elicit=fill)) as connection:
            with pytest.raises(ToolError) as caught:
                await connection.call("asking_endless", {})
            await connection.call("asking_runs", {})  # the connection is still there
            return caught.value.code

    assert anyio.run(use) == "too_many_questions"
