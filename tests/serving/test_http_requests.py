"""Requests that a server over HTTP refuses before MCP sees them: hosts, origins, bodies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from lab_server import SHARED
from posts import JSON, LIST, send_request
from served import http
from test_start_checks import start
from toolspec.serving.bodies import parsed
from toolspec.serving.origins import host_name, parsed_host, parsed_origin

PAGE = "https://App.example:8443"


@pytest.fixture(scope="module")
def address(lab: Path) -> Iterator[str]:
    with http(lab, *SHARED, "--allow-host", "tools.example", "--allow-origin", PAGE) as address:
        yield address


def post(address: str, content: bytes | None = None, **headers: str) -> httpx2.Response:
    body = json.dumps(LIST).encode() if content is None else content
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    version = {"mcp-protocol-version": "2025-11-25"}
    return send_request("POST", address, content=body, headers={**JSON, **version, **named})


SERVED, REFUSED = 400, 403
"""The status of a request that reaches MCP, which wants a session, and of one from a page."""


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("tools.example", SERVED),
        ("TOOLS.EXAMPLE:443", SERVED),
        ("LOCALHOST", SERVED),
        ("[::1]:80", SERVED),
        ("[0:0:0:0:0:0:0:1]", SERVED),
        ("evil.example", 421),
        ("127.0.0.1:evil", 421),
        ("127.0.0.1:80:80", 421),
        ("127.0.0.1:0", 421),
        ("127.0.0.1.evil.example", 421),
        ("tools.example@evil.example", 421),
        ("tools.example.", 421),
        ("", 421),
    ],
)
def test_a_host_is_compared_whole(address: str, host: str, status: int) -> None:
    assert post(address, host=host).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://tools.example", SERVED),
        ("https://TOOLS.example:443", SERVED),
        ("https://app.example:8443", SERVED),
        ("https://app.example", REFUSED),
        ("http://app.example:8443", REFUSED),
        ("https://app.example:8443/", REFUSED),
        ("https://app.example:8443@evil.example", REFUSED),
        ("http://tools.example:8110@evil.example", REFUSED),
        ("http://tools.example:1234", REFUSED),
        ("http://localhost:3000", REFUSED),
        ("https://app.example:8443.evil.example", REFUSED),
        ("null", REFUSED),
        ("*", REFUSED),
        ("", REFUSED),
    ],
)
def test_an_origin_is_compared_whole(address: str, origin: str, status: int) -> None:
    answer = post(address, host="tools.example", origin=origin)
    assert answer.status_code == status
    if status == SERVED:
        assert answer.headers["access-control-allow-origin"] == origin
        assert "www-authenticate" in answer.headers["access-control-expose-headers"]
    assert "Origin" in answer.headers["vary"]


def test_a_browser_is_told_what_a_page_may_send(address: str) -> None:
    asked = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "Authorization, mcp-param-x, x-evil,content-type",
    }
    answer = httpx2.options(address, headers={**asked, "origin": PAGE})
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == PAGE
    allowed = answer.headers["access-control-allow-headers"]
    assert allowed == "authorization, mcp-param-x, content-type"
    assert "access-control-allow-credentials" not in answer.headers
    for origin in ("https://evil.example", "null"):
        refused = httpx2.options(address, headers={**asked, "origin": origin})
        assert refused.status_code == REFUSED
        assert "access-control-allow-origin" not in refused.headers


@pytest.mark.parametrize("origin", ["*", "null", "https://*.example", "https://app.example/"])
def test_only_whole_origins_can_be_allowed(lab: Path, origin: str) -> None:
    refused = start(lab, "--transport", "http", *SHARED, "--allow-origin", origin)
    assert refused.returncode == 2
    assert f"`{origin}` is not an origin" in refused.stderr


DOUBLE = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"\\u0061":2}}'


@pytest.mark.parametrize(
    ("content", "headers", "status", "reason"),
    [
        (json.dumps(LIST).encode("utf-16"), {}, 400, "it is not UTF-8"),
        (json.dumps(LIST).encode("utf-8-sig"), {}, 400, "BOM"),
        (DOUBLE, {}, 400, 'the key \\"a\\" occurs twice'),
        (b'{"id": NaN}', {}, 400, "NaN is not a number of JSON"),
        (b"[" * 100_000, {}, 400, "nested too deeply"),
        (b'{"a": ' + b"1" * 5000 + b"}", {}, 400, "Exceeds the limit"),
        (None, {"content_type": "application/json; charset=utf-16"}, 415, "UTF-8"),
        (None, {"content_type": "application/jsonx"}, 415, "UTF-8"),
        (None, {"content_type": "text/plain"}, 415, "UTF-8"),
        (None, {"content_encoding": "gzip"}, 415, "UTF-8"),
        (b"x" * (5 << 20), {}, 413, "bytes"),
        (None, {"content_type": 'application/json; charset="UTF-8"'}, SERVED, "session"),
    ],
)
def test_a_body_is_json_that_everybody_reads_alike(
    address: str, content: bytes | None, headers: dict[str, str], status: int, reason: str
) -> None:
    answer = post(address, content, **headers)
    assert (answer.status_code, reason in answer.text) == (status, True), answer.text


def test_a_repeated_key_is_found_at_once() -> None:
    names = [f'"{number}": 0' for number in range(50_000)]
    with pytest.raises(ValueError, match='the key "49999" occurs twice'):
        parsed(f"{{{','.join([*names, names[-1]])}}}".encode())


def test_names_of_hosts_have_one_form() -> None:
    assert host_name("2001:DB8:0::1") == host_name("[2001:db8::1]") == "[2001:db8::1]"
    assert parsed_host("[::ffff:1]") == parsed_host("[0::FFFF:1]")
    assert parsed_origin("HTTP://A.example") == parsed_origin("http://a.example:80")
    assert parsed_origin("app://x") == ("app", "x", None)
