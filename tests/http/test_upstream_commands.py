"""`toolspec call --upstream` and `toolspec serve --upstream` need no file of handlers."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from forkserver import toolspec
from posts import bearer, call, value
from requests_of_tools import AUTH, document, tool
from served import MODERN, connected, http, stdio
from upstream import Upstream, json_response, response, serving

KEY = [{"apiKey": {"in": "header", "name": "X-API-Key"}}]
USERS = tool(
    "users",
    {"method": "GET", "path": "/users/{id}", "security": KEY},
    "id",
    arguments={"id": {"type": "string"}},
)
WITHOUT = {key: item for key, item in USERS.items() if key != "http"} | {"name": "other"}
PROGRAM = """
from toolspec.runtime import Caller

def verify(token):
    return Caller(name=token)

def credentials(caller, service):
    return {"apiKey": f"key of {caller.name}"}
"""
OPTIONS = ("--upstream", "--private-upstream", "--settings", "settings.toml")


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with serving() as upstream:
        upstream.answers(json_response('{"name":"Ada"}'))
        yield upstream


def project(folder: Path, upstream: Upstream, *tools: Any, **auth: str) -> Path:
    value = document(*(tools or (USERS,)), auth={**AUTH, **auth})
    (folder / "specs").mkdir()
    (folder / "specs" / "api.json").write_text(json.dumps(value))
    (folder / "app.py").write_text(PROGRAM)
    (folder / "settings.toml").write_text(
        f'[api]\nbaseUrl = "{upstream.url}"\n[api.credentials]\napiKey = "secret-1"\n'
    )
    compiled = run(folder, "compile")
    assert compiled.returncode == 0, compiled.stdout
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(toolspec()), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_one_layer_repeats_a_request(tmp_path: Path, upstream: Upstream) -> None:
    upstream.answers(response("", 503, Retry_After="0"))
    result = run(project(tmp_path, upstream), "call", "api_users", "id=a", *OPTIONS)
    assert (result.returncode, len(upstream.requests)) == (1, 3)


def test_a_call_needs_no_handler(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream)
    result = run(folder, "call", "api_users", "id=a/b", *OPTIONS)
    assert (result.stdout, result.stderr) == ('{"name":"Ada"}\n', "")
    assert upstream.last.target == "/users/a%2Fb"
    assert upstream.last.header("x-api-key") == "secret-1"


def test_a_call_goes_to_public_addresses_by_default(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream)
    result = run(folder, "call", "api_users", "id=1", "--upstream", *OPTIONS[2:])
    assert result.returncode == 1
    assert "forbidden_address" in result.stderr
    assert upstream.requests == []


def test_tools_without_a_request_are_not_served(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream, USERS, WITHOUT)
    assert run(folder, "call", "api_users", "id=1", *OPTIONS).returncode == 0
    refused = run(folder, "serve", *OPTIONS)
    assert refused.returncode == 2
    assert "api_other" in refused.stderr
    assert "api_users" not in refused.stderr


def test_no_service_has_requests(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream, WITHOUT)
    refused = run(folder, "serve", *OPTIONS)
    assert refused.returncode == 2
    assert "no service has HTTP requests" in refused.stderr
    assert run(folder, "call", "api_other", "id=1", *OPTIONS).returncode == 2


def test_private_addresses_are_an_option_of_upstream(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream)
    for command in (("serve",), ("call", "api_users", "id=1")):
        refused = run(folder, *command, "--private-upstream")
        assert refused.returncode == 2
        assert "only with --upstream" in refused.stderr


def test_serving_on_stdio(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream)
    with connected(stdio(folder, *OPTIONS), MODERN) as client:
        result = client.call("api_users", {"id": "7"})
    assert result.structured_content == {"name": "Ada"}
    assert upstream.last.header("x-api-key") == "secret-1"


def test_each_caller_has_credentials_and_no_token_is_passed_on(
    tmp_path: Path, upstream: Upstream
) -> None:
    folder = project(tmp_path, upstream, credentials="perUser")
    own = ("--verifier", "app:verify", "--credentials", "app:credentials")
    with http(folder, *OPTIONS, *own) as address:
        for name in ("ann", "bob"):
            token = {**bearer(name), "cookie": "session=1", "x-forwarded-authorization": name}
            assert value(call(address, "api_users", {"id": "7"}, headers=token)) == {"name": "Ada"}
    keys = [each.header("x-api-key") for each in upstream.requests]
    assert keys == ["key of ann", "key of bob"]
    names = {name.lower() for each in upstream.requests for name, _ in each.headers}
    assert names == {"host", "accept", "x-api-key", "accept-encoding"}


def test_credentials_of_each_user_need_a_function(tmp_path: Path, upstream: Upstream) -> None:
    folder = project(tmp_path, upstream, credentials="perUser")
    for who in (("--verifier", "app:verify"), ("--no-auth",)):
        refused = run(folder, "serve", "--transport", "http", *OPTIONS, *who)
        assert refused.returncode == 2
        assert "no function returns the credentials of each caller" in refused.stderr
    assert upstream.requests == []
