"""Who is asked, what a handler sees of its request, and what runs after the response."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sampling import sampled
from served import LEGACY, MODERN, Connection, connected, http, signed_in, stdio, with_headers
from toolspec.serving.client import McpTransport

HERE = Path(__file__).parent
OFFICE = ("--handlers", "app:Office")
UNASKED = {"note": "noted", "add": "added"}
STATED = {"burn": "burnt", "pay": "paid", "send": "sent"}


@pytest.fixture(scope="module")
def anonymous(office: Path) -> Iterator[str]:
    with http(office, *OFFICE, "--trust-proxy", "127.0.0.0/8") as address:
        yield address


@pytest.fixture(scope="module")
def guarded(office: Path) -> Iterator[str]:
    with http(office, *OFFICE, "--verifier", "app:verify") as address:
        yield address


@pytest.fixture(
    scope="module",
    params=[("stdio", LEGACY), ("stdio", MODERN), ("http", LEGACY), ("http", MODERN)],
    ids=" ".join,
)
def client(request: pytest.FixtureRequest, office: Path) -> Iterator[Connection]:
    """A client whose host asks its user: on stdio, or with a token."""
    transport, mode = request.param
    server: Any = stdio(office, *OFFICE)
    if transport == "http":
        server = signed_in(request.getfixturevalue("guarded"), "ann")
    with connected(server, mode) as connection:
        yield connection


@pytest.fixture(autouse=True)
def calm(request: pytest.FixtureRequest) -> None:
    if "client" in request.fixturenames:
        request.getfixturevalue("client").person.asked.clear()


def value(result: Any) -> Any:
    assert not result.is_error, result
    found = json.loads(result.content[0].text)
    return found["result"] if isinstance(found, dict) and found.keys() == {"result"} else found


def test_the_host_asks_unless_the_author_states_danger(client: Connection) -> None:
    for tool, done in UNASKED.items():
        assert value(client.call(f"office_{tool}")) == done
    assert client.person.asked == []
    for tool, done in STATED.items():
        assert value(client.call(f"office_{tool}")) == done
    assert [
        f"office_{tool}" in text for tool, text in zip(STATED, client.person.asked, strict=True)
    ]


def test_permissions_are_asked_for_whoever_asks_for_calls(client: Connection) -> None:
    assert value(client.call("office_look")) == "looked"
    first, second = client.person.asked
    assert "It uses file ~/plan (read)." in first
    assert "It uses web plans.example (GET)." in second
    client.person.action = "decline"
    refused = client.call("office_file")
    client.person.action = "accept"
    assert refused.meta["toolspec"]["error"]["details"]["resource"] == "~/letters"


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_the_server_asks_for_anonymous_callers(anonymous: str, mode: str) -> None:
    with connected(anonymous, mode) as client:
        for tool, done in {**UNASKED, **STATED}.items():
            assert value(client.call(f"office_{tool}")) == done
        assert len(client.person.asked) == len(UNASKED) + len(STATED)


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_auto_asks_for_permissions_only(office: Path, mode: str) -> None:
    with connected(stdio(office, *OFFICE, "--approve", "auto"), mode) as client:
        for tool, done in {**UNASKED, **STATED}.items():
            assert value(client.call(f"office_{tool}")) == done
        assert client.person.asked == []
        assert value(client.call("office_file")) == "filed"
        assert len(client.person.asked) == 1


def test_a_client_that_cannot_be_asked_gets_a_tool_error_and_the_operator_one_line(
    office: Path,
) -> None:
    log: list[str] = []
    with http(office, *OFFICE, log=log) as address:
        for mode in (LEGACY, MODERN):
            with connected(address, mode, can_ask=False) as client:
                for _ in range(2):
                    refused = client.call("office_burn")
                    assert refused.is_error
                    error = refused.meta["toolspec"]["error"]
                    assert (error["category"], error["code"]) == ("permission", "approval_required")
                    assert "`--approve auto`" in refused.content[0].text
                denied = client.call("office_look")
                assert "`file:~/plan`" in denied.content[0].text
                assert "`--approve`" in denied.content[0].text
    assert "toolspec: approval: ask" in log[0].splitlines()
    assert [log[0].count(f"WARNING toolspec: `office_{tool}`") for tool in ("burn", "look")] == [
        1,
        1,
    ]


def test_the_configuration_has_the_mode_of_each_tier(office: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tiers"
    shutil.copytree(office, folder)
    (folder / "toolspec.toml").write_text('approve = {2 = "ask", 3 = "auto"}\n')
    with connected(stdio(folder, *OFFICE), MODERN) as client:
        for tool in ("burn", "pay", "note"):
            client.call(f"office_{tool}")
        assert client.person.asked == []
        client.call("office_add")
        assert len(client.person.asked) == 1
    with connected(stdio(folder, *OFFICE, "--approve", "host"), MODERN) as client:
        client.call("office_add")
        client.call("office_burn")
        assert ["office_burn" in text for text in client.person.asked] == [True]


def test_a_handler_sees_its_request_without_credentials(
    client: Connection, request: pytest.FixtureRequest
) -> None:
    seen = value(client.call("office_seen"))
    if "stdio" in request.node.name:
        assert seen is None
        return
    assert (seen["method"], seen["address"]) == ("POST", "127.0.0.1")
    assert "python" in seen["headers"]["user-agent"]
    hidden = {"authorization", "cookie", "proxy-authorization", "mcp-session-id"}
    assert hidden.isdisjoint(seen["headers"])


SENT = {
    "cookie": "id=s3cret",
    "proxy-authorization": "Basic s3cret",
    "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "x-tenant": "north",
    "x-forwarded-for": "203.0.113.9, 127.0.0.5",
    "x-real-ip": "203.0.113.9",
}


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_request_behind_a_trusted_proxy(anonymous: str, mode: str) -> None:
    with connected(with_headers(anonymous, **SENT), mode) as client:
        seen = value(client.call("office_seen"))
    assert seen["address"] == "203.0.113.9"
    assert seen["headers"]["x-forwarded-for"] == SENT["x-forwarded-for"]
    assert seen["headers"]["x-tenant"] == "north"
    assert seen["trace"] == {"traceparent": SENT["traceparent"]}
    assert "s3cret" not in json.dumps(seen)


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_nobody_is_a_proxy_by_default(guarded: str, mode: str) -> None:
    sent = {**SENT, "authorization": "Bearer ann", "forwarded": "for=203.0.113.9"}
    with connected(with_headers(guarded, **sent), mode) as client:
        seen = value(client.call("office_seen"))
    assert seen["address"] == "127.0.0.1"
    assert "203.0.113.9" not in json.dumps(seen)
    assert "Bearer" not in json.dumps(seen)
    assert seen["headers"]["x-tenant"] == "north"


def test_hooks_run_after_the_response_is_written(client: Connection, tmp_path: Path) -> None:
    go = tmp_path / "go"
    assert value(client.call("office_slow", {"go": str(go)})) == "answered"
    go.touch()
    waited: list[str] = []
    while len(waited) < 2:
        waited = [line for line in value(client.call("office_waited")) if str(go) in line]
    assert waited == [f"plainly: {go}", f"in the loop: {go}"]


def test_every_version_of_a_tool_answers_in_one_form(client: Connection) -> None:
    is_modern = client.client.protocol_version == "2026-07-28"
    for tool, structured in {
        "count@1.0.0": {"n": 1},
        "count@2.0.0": 2 if is_modern else {"result": 2},
        "tell@1.0.0": "1.0" if is_modern else {"result": "1.0"},
        "tell@2.0.0": {"version": "2.0"},
    }.items():
        assert client.call(f"office_{tool}").structured_content == structured


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_client_reads_every_version(anonymous: str, mode: str) -> None:
    async def main() -> list[Any]:
        async with McpTransport(anonymous, mode=mode) as server:
            names = ("count@1.0.0", "count@2.0.0", "tell@1.0.0", "tell@2.0.0", "seen@7")
            found = [await server.call(f"office_{name}", {}) for name in names]
            return [*found[:4], found[4]["method"]]  # type: ignore[index, call-overload]  # an object

    assert asyncio.run(main()) == [{"n": 1}, 2, "1.0", {"version": "2.0"}, "POST"]


@pytest.mark.parametrize("transport", sampled(["stdio", "http"], 1))
def test_a_silent_person_refuses(lab: Path, transport: str) -> None:
    async def think(context: Any, params: Any) -> Any:
        await asyncio.sleep(3600)

    impatient = ("--handlers", "together:impatient", "--approve", "ask")
    with ExitStack() as stack:
        if transport == "http":
            server: Any = stack.enter_context(http(lab, *impatient, "--no-auth"))
        else:
            server = stdio(lab, *impatient)
        client = stack.enter_context(connected(server, LEGACY, elicitation_callback=think))
        refused = client.call("lab_destroy", {"what": "all"})
    error = refused.meta["toolspec"]["error"]
    assert (error["category"], error["code"]) == ("permission", "refused")
