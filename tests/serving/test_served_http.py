"""What only HTTP has: tokens, names of the host, several processes, clients without sessions."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from lab_server import LAB, SHARED
from mcp.shared.exceptions import MCPError
from posts import JSON, LIST, call, send_request
from sampling import sampled
from served import LEGACY, MODERN, Connection, connected, http, signed_in
from toolspec.serving.errors import ServeError
from toolspec.serving.options import VARIABLE, Options
from toolspec.serving.serve import app
from toolspec.serving.verifiers import Verifier

IT = {"what": "it"}


@pytest.fixture(scope="module")
def guarded(lab: Path) -> Iterator[str]:
    with http(lab, *LAB, "--verifier", "app:verify") as address:
        yield address


@pytest.fixture(scope="module")
def several(lab: Path) -> Iterator[str]:
    names = ("--allow-host", "Tools.Example", "--allow-host", "2001:DB8:0::1")
    with http(lab, *SHARED, "--workers", "2", *names) as address:
        yield address


def post(address: str, **headers: str) -> httpx2.Response:
    return send_request("POST", address, json=LIST, headers={**JSON, **headers})


def test_a_verifier_that_answers_neither_yes_nor_no_is_told_of(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert asyncio.run(Verifier(lambda token: None).verify_token("s3cret")) is None
    assert not caplog.records
    assert asyncio.run(Verifier(lambda token: token.isascii()).verify_token("s3cret")) is None
    assert "the token verifier returned a value of type bool" in caplog.text
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_token_says_who_calls_and_what_they_may(guarded: str, mode: str) -> None:
    with connected(signed_in(guarded, "reader"), mode) as client:
        told = client.call("lab_who").structured_content
        assert (told["caller"], told["kind"]) == ("reader", "http")
    with connected(signed_in(guarded, "writer"), mode) as client:
        assert not client.call("lab_change").is_error


def test_a_session_has_a_name_that_opens_nothing(guarded: str) -> None:
    def name(client: Connection) -> Any:
        return client.call("lab_who").structured_content.get("session")

    with (
        connected(signed_in(guarded, "reader"), LEGACY) as one,
        connected(signed_in(guarded, "reader"), LEGACY) as other,
        connected(signed_in(guarded, "reader"), MODERN) as modern,
    ):
        assert name(one) == name(one) != name(other)
        assert (len(name(one)), name(modern)) == (16, None)


@pytest.mark.prove
def test_names_of_the_host_reach_every_process(several: str) -> None:
    for name in ("tools.example:8000", "[2001:db8::1]:8000"):
        assert call(several, "lab_list", headers={"host": name}).is_success
    assert call(several, "lab_list", headers={"host": "other.example"}).status_code == 421


@pytest.mark.parametrize("mode", sampled([MODERN, LEGACY], 1))
def test_several_processes_serve_as_one(several: str, mode: str) -> None:
    with connected(several, mode) as client:
        for _ in range(8):
            assert client.call("lab_list").content[0].text in ("[1,2]", '{"result":[1,2]}')
        result = client.call("lab_destroy", {"what": "it"})
        # The second request may reach the other process: it unseals what the first one sealed.
        assert not result.is_error
        for _ in range(6):
            assert not client.call("lab_write").is_error


def test_the_model_of_a_client_without_forms_reads_what_to_do(several: str) -> None:
    with connected(several, MODERN, can_ask=False) as client:
        result = client.call("lab_destroy", {"what": "it"})
        assert result.is_error
        assert result.meta["toolspec"]["error"]["code"] == "approval_required"
        assert "`--approve auto`" in result.content[0].text


def test_the_operator_reads_once_that_a_client_cannot_ask(lab: Path) -> None:
    log: list[str] = []
    with (
        http(lab, *SHARED, log=log) as address,
        connected(address, MODERN, can_ask=False) as client,
    ):
        for _ in range(3):
            assert client.call("lab_destroy", {"what": "it"}).is_error
    lines = [line for line in log[0].splitlines() if "this client cannot ask for it" in line]
    assert len(lines) == 1
    assert "`lab_destroy` needs approval" in lines[0]
    assert "`--approve auto`" in lines[0]


def test_a_forged_state_is_refused(several: str) -> None:
    with connected(several, MODERN) as client:
        with pytest.raises(MCPError) as caught:
            client.send_round("lab_destroy", IT, request_state=json.dumps({"yes": [], "asked": []}))
        assert caught.value.code == types.INVALID_PARAMS
        # An answer to a question that was not asked counts for nothing.
        answered = client.send_round(
            "lab_destroy", IT, input_responses={"approve_0": types.ElicitResult(action="accept")}
        )
        assert isinstance(answered, types.InputRequiredResult)


def test_a_state_is_for_one_call_of_these_arguments(several: str) -> None:
    with connected(several, MODERN) as client:
        first = client.send_round("lab_destroy", IT)
        (key,) = first.input_requests
        answered: Any = {
            "input_responses": {key: types.ElicitResult(action="accept")},
            "request_state": first.request_state,
        }
        with pytest.raises(MCPError):
            client.send_round("lab_destroy", {"what": "something else"}, **answered)
        done = client.send_round("lab_destroy", IT, **answered)
        assert not done.is_error


def test_the_application_is_made_from_the_environment(
    lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(lab / "generated")
    options = Options(folder=folder, package="generated", handlers=("app:Lab",), services=("lab",))
    assert Options.from_text(options.to_text()) == options
    monkeypatch.setenv(VARIABLE, '{"folder": 1, "nothing": 2}')
    with pytest.raises(ServeError, match=rf"{VARIABLE}.*\n  `nothing` is not a key"):
        app()
    assert VARIABLE not in os.environ
    (tmp_path / "options").write_text('{"folder": 1}\n')
    monkeypatch.setenv(f"{VARIABLE}_FILE", str(tmp_path / "options"))
    with pytest.raises(ServeError, match="`folder` must be a text"):
        app()
    monkeypatch.delenv(f"{VARIABLE}_FILE")
    with pytest.raises(ServeError, match=VARIABLE):
        app()


def test_a_yes_of_2026_is_good_for_one_call(guarded: str) -> None:
    about = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    }
    headers = {
        **JSON,
        "authorization": "Bearer writer",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "lab_destroy",
    }

    def call(**more: Any) -> Any:
        params = {"name": "lab_destroy", "arguments": {"what": "once"}, "_meta": about, **more}
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return send_request("POST", guarded, json=request, headers=headers).json()["result"]

    asked = call()
    (key,) = asked["inputRequests"]
    again = {
        "requestState": asked["requestState"],
        "inputResponses": {key: {"action": "accept", "content": {}}},
    }
    assert call(**again)["isError"] is False
    assert key in call(**again)["inputRequests"]
