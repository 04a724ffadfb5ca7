"""What `serve` refuses at the start: callers that nobody checks, and state that processes do not share."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import httpx2
import pytest
from served import TOOLSPEC, http, make_project
from toolspec.runtime.controls.sqlite import SqliteStore
from toolspec.runtime.registry import Registry
from toolspec.serving.connections import listening_socket
from toolspec.serving.handlers import ServedTools
from toolspec.serving.options import Options
from toolspec.serving.start_checks import exposure_warning
from toolspec.shared.records import replace

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def pay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("pay") / "project", HERE / "pay.yaml")
    shutil.copy(HERE / "pay_handlers.py", folder / "app.py")
    return folder


def start(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Return what a server says that has nobody to serve: on stdio its client is gone at once."""
    return subprocess.run(
        [*TOOLSPEC, "serve", *options],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=60,
    )


OVER_HTTP = ("--transport", "http", "--handlers")
WORKERS = ("--workers", "2", "--no-auth")


@pytest.mark.parametrize("options", [(), ("--workers", "2", "--approve", "auto")])
def test_scoped_tools_are_not_served_to_strangers_by_accident(
    pay: Path, options: tuple[str, ...]
) -> None:
    refused = start(pay, *OVER_HTTP, "app:plain", *options)
    assert refused.returncode == 2
    assert "no verifier checks who calls these tools over HTTP" in refused.stderr
    assert "`pay_audit`: need scopes" in refused.stderr
    assert "`--verifier MODULE:OBJECT`, or `--no-auth`" in refused.stderr
    assert "credentials" not in refused.stderr, "shared credentials are for every caller"


def test_credentials_of_each_user_need_to_know_the_user(lab: Path) -> None:
    lab_options = ("app:Lab", "--settings", "settings.toml")
    refused = start(lab, *OVER_HTTP, *lab_options)
    assert refused.returncode == 2
    assert "`lab`: uses the credentials of each user" in refused.stderr


def test_a_verifier_and_no_auth_exclude_each_other(pay: Path) -> None:
    refused = start(pay, *OVER_HTTP, "app:plain", "--verifier", "app:verify", "--no-auth")
    assert (refused.returncode, refused.stderr.count("exclude each other")) == (2, 1)


def test_mocks_guard_nothing(pay: Path) -> None:
    log: list[str] = []
    anywhere = ("--host", "0.0.0.0")  # noqa: S104 - what is tried
    with http(pay, "--workers", "2", *anywhere, log=log) as address:
        assert call(address, "pay_audit", {})["result"]["isError"] is False
    assert "warning: anybody who reaches 0.0.0.0 may call every tool" in log[0]


@pytest.mark.parametrize(
    ("host", "is_open"),
    [("127.0.0.2", False), ("::1", False), ("LocalHost", False), ("10.0.0.1", True), ("x", True)],
)
def test_an_open_server_is_one_that_others_reach(host: str, is_open: bool) -> None:
    served = ServedTools(Registry(()), ())
    options = Options(folder="", package="", transport="http", host=host)
    assert bool(exposure_warning(options, served)) is is_open
    assert not exposure_warning(replace(options, verifier="app:verify"), served)
    assert not exposure_warning(replace(options, transport="stdio"), served)


def test_workers_without_a_shared_store_are_refused(pay: Path) -> None:
    refused = start(pay, *OVER_HTTP, "app:plain", *WORKERS)
    assert refused.returncode == 2
    assert "several workers need a store that they share" in refused.stderr
    assert "`pay_send`: one idempotency key would have an effect in each process" in refused.stderr
    assert "`pay_send`, `pay_note`: one approval could be used once" in refused.stderr
    assert "with_controls(keys=SqliteStore(PATH).keys)" in refused.stderr


def test_nothing_is_asked_where_the_policy_allows_it(pay: Path) -> None:
    refused = start(pay, *OVER_HTTP, "app:trusting", *WORKERS)
    assert "approval" not in refused.stderr
    assert "`pay_send`: one idempotency key" in refused.stderr


def test_one_process_warns_of_keys_in_memory(pay: Path) -> None:
    served = start(pay, "--handlers", "app:plain")
    assert served.returncode == 0
    assert "warning: idempotency keys of `pay_send` are kept in memory" in served.stderr
    assert "warning" not in start(pay, "--handlers", "app:shared").stderr


def test_a_store_is_recognised_where_it_is_given() -> None:
    store: Any = SqliteStore("keys.sqlite3")
    with pytest.raises(ValueError, match=r"`keys` is .*SqliteStore.*: pass its `keys`"):
        Registry(()).with_controls(keys=store)
    with pytest.raises(ValueError, match=r"`journal` is .*SqliteStore.*: pass its `journal`"):
        Registry(()).with_controls(journal=store)


def test_one_key_and_one_approval_have_one_effect_in_all_processes(
    pay: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    shutil.copytree(pay, folder)
    with http(folder, "--handlers", "app:shared", *WORKERS) as address:
        question = call(address, "pay_note", {"text": "once"})["result"]
        (key,) = question["inputRequests"]
        answered = {
            "requestState": question["requestState"],
            "inputResponses": {key: {"action": "accept", "content": {}}},
        }
        endings = Counter(
            call(address, "pay_note", {"text": "once"}, **answered)["result"]["resultType"]
            for _ in range(20)
        )
    assert endings == {"complete": 1, "input_required": 19}
    with http(folder, "--handlers", "app:shared", *WORKERS, "--approve", "auto") as address:
        arguments = {"amount": 5, "idempotency_key": "k"}
        receipts = {json.dumps(call(address, "pay_send", arguments)["result"]) for _ in range(20)}
    assert len(receipts) == 1
    lines = (folder / "ledger.txt").read_text().splitlines()
    assert [line.split(" by ")[0] for line in lines] == ["noted once", "sent 5"]


def call(address: str, tool: str, arguments: Any, **params: Any) -> Any:
    """Return the answer to a call of 2026, over a connection of its own: any process may take it."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments, "_meta": meta, **params},
    }
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    answer = httpx2.post(address, json=body, headers=headers, timeout=30)
    text = answer.text
    if text.startswith(("event:", "data:", ":")):
        text = [line[6:] for line in text.splitlines() if line.startswith("data: {")][-1]
    return json.loads(text)


def test_connections_of_several_workers_send_answers_at_once() -> None:
    with listening_socket(Options("generated", "generated", port=0)) as listening:
        listening.listen()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
