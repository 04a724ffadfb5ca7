"""Who may call what over HTTP: tokens, their audience and scopes, and what clients learn of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from posts import JSON, LIST, bearer, call, send_request, value
from served import http
from test_start_checks import start

HERE = Path(__file__).parent
RESOURCE = "https://mail.example/mcp"
METADATA = "/.well-known/oauth-protected-resource"
OPTIONS = (
    *("--handlers", "app:Mail", "--verifier", "app:verify", "--credentials", "app:credentials"),
    *("--resource", RESOURCE, "--issuer", "https://issuer.example"),
)
LOG: list[str] = []


@pytest.fixture(scope="module")
def address(mail: Path) -> Iterator[str]:
    with http(mail, *OPTIONS, log=LOG) as address:
        yield address


def challenge(response: httpx2.Response) -> dict[str, str]:
    """Return the parameters of the header that says how to get a token."""
    text = response.headers["www-authenticate"]
    assert text.startswith("Bearer ")
    return dict(re.findall(r'(\w+)="([^"]*)"', text))


def test_clients_learn_where_to_get_a_token(address: str) -> None:
    refused = send_request("POST", address, json=LIST, headers=JSON)
    assert refused.status_code == 401
    assert challenge(refused) == {"resource_metadata": f"https://mail.example{METADATA}/mcp"}
    server = address.removesuffix("/mcp")
    documents = [send_request("GET", server + METADATA + path) for path in ("", "/mcp")]
    assert [document.json() for document in documents] == 2 * [
        {
            "resource": RESOURCE,
            "resource_name": "Mail",
            "authorization_servers": ["https://issuer.example"],
            "scopes_supported": ["mail:all", "mail:read", "mail:send"],
            "bearer_methods_supported": ["header"],
        }
    ]


@pytest.mark.parametrize(
    ("headers", "status", "error"),
    [
        ([], 401, None),
        ([("authorization", "Basic YTpi")], 401, None),
        ([("authorization", "Bearer nobody")], 401, "invalid_token"),
        ([("authorization", "Bearer ann-expired")], 401, "invalid_token"),
        ([("authorization", "Bearer ann-elsewhere")], 401, "invalid_token"),
        ([("authorization", "Bearer ann-anywhere")], 401, "invalid_token"),
        ([("authorization", "Bearer a b")], 400, "invalid_request"),
        ([("authorization", "Bearer ann-here")] * 2, 400, "invalid_request"),
        ([("authorization", "bearer ann-here")], 200, None),
        ([("authorization", "Bearer ann-nothing")], 200, None),
    ],
)
def test_a_token_has_to_be_whole_and_for_this_server(
    address: str, headers: list[tuple[str, str]], status: int, error: str | None
) -> None:
    meta = {"mcp-protocol-version": "2025-11-25", **JSON}
    answer = send_request("POST", address, json=initialize(), headers=[*meta.items(), *headers])
    assert answer.status_code == status
    if status != 200:
        assert challenge(answer).get("error") == error


def initialize() -> Any:
    info = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


@pytest.mark.parametrize(
    ("token", "tool", "needed"),
    [
        ("ann-nothing", "mail_look", None),
        ("ann-nothing", "mail_send", "mail:read mail:all"),
        ("ann-reader", "mail_send", "mail:read mail:all"),
        ("ann-sender", "mail_send", None),
        ("ann-nothing", "mail_inbox", "mail:read"),
        ("ann-unknown", "mail_inbox", "mail:read"),
    ],
)
def test_a_call_takes_the_scopes_of_its_own_tool(
    address: str, token: str, tool: str, needed: str | None
) -> None:
    answer = call(address, tool, headers=bearer(token))
    if needed is None:
        assert answer.status_code == 200
        return
    assert answer.status_code == 403
    assert challenge(answer)["error"] == "insufficient_scope"
    assert challenge(answer)["scope"] == needed


def test_a_client_of_2025_is_refused_before_its_stream_begins(address: str) -> None:
    headers = {**JSON, **bearer("ann-nothing"), "mcp-protocol-version": "2025-11-25"}
    opened = send_request("POST", address, json=initialize(), headers=headers)
    headers["mcp-session-id"] = opened.headers["mcp-session-id"]
    asked = {**LIST, "method": "tools/call", "params": {"name": "mail_inbox", "arguments": {}}}
    refused = send_request("POST", address, json=asked, headers=headers)
    assert (refused.status_code, challenge(refused)["scope"]) == (403, "mail:read")
    assert send_request("POST", address, json=LIST, headers=headers).status_code == 200
    others = {**headers, **bearer("bob-nothing")}
    assert send_request("POST", address, json=LIST, headers=others).status_code == 404


def test_a_handler_sees_nothing_of_the_token(address: str) -> None:
    assert value(call(address, "mail_look", headers=bearer("ann-reader"))) == ""


def test_a_verifier_that_waits_holds_up_nobody(address: str) -> None:
    with ThreadPoolExecutor(2) as threads:
        both = [
            threads.submit(call, address, "mail_look", headers=bearer("ann-slow")) for _ in "12"
        ]
        assert [each.result().status_code for each in both] == [200, 200]


def test_a_verifier_that_fails_is_an_outage(mail: Path) -> None:
    log: list[str] = []
    with http(mail, *OPTIONS, log=log) as address:
        answer = call(address, "mail_look", headers=bearer("s3cret-crash"))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "s3cret" not in answer.text + log[0]
    assert re.search(r"the token verifier failed: LookupError in app.py:\d+", log[0])
    assert "Traceback" not in log[0]


def test_options_of_a_verifier_need_one(mail: Path) -> None:
    over_http = ("--transport", "http", "--handlers", "app:provided")
    refused = start(mail, *over_http, "--no-auth", "--issuer", "https://issuer.example")
    assert (refused.returncode, "only with --verifier: --issuer" in refused.stderr) == (2, True)
    verified = (*over_http, "--verifier", "app:verify")
    anywhere = start(mail, *verified, "--host", "0.0.0.0")  # noqa: S104 - what is tried
    assert "`--verifier` with `--host 0.0.0.0` needs `--resource URL`" in anywhere.stderr
    unusable = start(mail, *verified, "--resource", "mail.example")
    assert "`mail.example` is not the URL of a server" in unusable.stderr
