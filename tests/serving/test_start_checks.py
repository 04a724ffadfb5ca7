"""What `serve` refuses at the start: callers that nobody checks, and state that processes do not share."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import sqlite3
import stat
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from posts import call, message
from sampling import sampled
from served import LEGACY, TOOLSPEC, connected, http, make_handled
from toolspec.runtime.registry import Registry
from toolspec.runtime.stores.sqlite import SqliteStore
from toolspec.serving.connections import listening_socket
from toolspec.serving.handlers import ServedTools
from toolspec.serving.options import Options
from toolspec.serving.start_checks import exposure_warning
from toolspec.shared.records import replace

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def pay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("pay") / "project", HERE / "pay.yaml")


def start(folder: Path, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Return what a server says that has nobody to serve: on stdio its client is gone at once."""
    return subprocess.run(
        [*TOOLSPEC, "serve", *options],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables},
        timeout=60,
    )


OVER_HTTP = ("--transport", "http", "--handlers")
WORKERS = ("--workers", "2", "--no-auth")


@pytest.mark.parametrize("options", sampled([(), ("--workers", "2", "--approve", "auto")], 1))
def test_scoped_tools_are_not_served_to_strangers_by_accident(
    pay: Path, options: tuple[str, ...]
) -> None:
    refused = start(pay, *OVER_HTTP, "app:plain", *options)
    assert refused.returncode == 2
    assert "no verifier checks who calls these tools over HTTP" in refused.stderr
    assert "`pay_audit`: need scopes" in refused.stderr
    assert "`--verifier MODULE:OBJECT`, or `--no-auth`" in refused.stderr
    assert "credentials" not in refused.stderr, "shared credentials are for every caller"


def test_a_verifier_and_no_auth_exclude_each_other(pay: Path) -> None:
    refused = start(pay, *OVER_HTTP, "app:plain", "--verifier", "app:verify", "--no-auth")
    assert (refused.returncode, refused.stderr.count("exclude each other")) == (2, 1)


@pytest.mark.prove
def test_mocks_guard_nothing(pay: Path) -> None:
    log: list[str] = []
    anywhere = ("--host", "0.0.0.0")  # noqa: S104 - what is tried
    with http(pay, "--workers", "2", *anywhere, log=log) as address:
        assert message(call(address, "pay_audit", {}))["result"]["isError"] is False
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


@pytest.fixture
def project(pay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project of its own, whose user has an empty state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Path(shutil.copytree(pay, tmp_path / "project"))


def stored(project: Path) -> list[str]:
    return [each.name for each in project.parent.rglob("*") if ".sqlite3" in each.name]


def test_tools_that_leave_something_behind_have_a_private_file(project: Path) -> None:
    assert start(project, "--handlers", "app:plain").returncode == 0
    (file,) = project.parent.glob("state/toolspec/project-*/store.sqlite3")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_mocks_and_tools_that_leave_nothing_write_no_file(project: Path) -> None:
    assert start(project).returncode == 0
    called = [*TOOLSPEC, "call", "pay_look", "--handlers", "app:plain"]
    subprocess.run(called, cwd=project, check=True, capture_output=True)
    assert not stored(project)


def test_a_key_holds_from_one_call_of_the_shell_to_the_next(project: Path) -> None:
    arguments = ("amount=5", "idempotency_key=k", "--handlers", "app:plain", "--yes")
    for _ in range(2):
        called = [*TOOLSPEC, "call", "pay_send", *arguments]
        done = subprocess.run(called, cwd=project, check=True, capture_output=True, text=True)
        assert done.stdout == '"sent 5"\n'
    assert len((project / "ledger.txt").read_text().splitlines()) == 1


def test_the_store_is_stated_by_option_variable_file_or_configuration(project: Path) -> None:
    (project / "toolspec.toml").write_text('store = "sqlite:///configured.sqlite3"\n')
    (project / "url").write_text("sqlite:///named.sqlite3\n")
    serve = ("--handlers", "app:plain")
    inside = project / "specs"
    assert start(inside, "--handlers", "app:plain", PYTHONPATH=str(project)).returncode == 0
    start(project, *serve, TOOLSPEC_STORE_FILE="url")
    start(project, *serve, TOOLSPEC_STORE="sqlite:///variable.sqlite3")
    start(project, *serve, "--store", "sqlite:///option.sqlite3", TOOLSPEC_STORE="memory:")
    names = {"configured", "named", "variable", "option"}
    assert {each.name for each in project.glob("*.sqlite3")} == {f"{n}.sqlite3" for n in names}


@pytest.mark.parametrize(
    ("store", "reason"),
    [
        ("sqlite:///specs", "unable to open database file"),
        ("sqlite:///nowhere/calls.sqlite3", "unable to open database file"),
        ("sqlite:///other.sqlite3", "the file has version 3 of a store, and this program needs 5"),
        ("mysql://ann:CANARY@host/db", "`mysql:…` is no store"),
        ("redis:/CANARY", "is no store"),
        ("CANARY", "the text is no store"),
    ],
)
def test_a_store_that_cannot_be_used_is_refused_at_the_start(
    project: Path, store: str, reason: str
) -> None:
    with contextlib.closing(sqlite3.connect(project / "other.sqlite3")) as other:
        other.executescript("CREATE TABLE keys (a); CREATE TABLE entries (a)")
        other.execute("PRAGMA user_version = 3")
    before = (project / "other.sqlite3").read_bytes()
    refused = start(project, "--handlers", "app:plain", "--store", store)
    assert refused.returncode == 2
    assert reason in refused.stderr
    assert "CANARY" not in refused.stderr
    assert (project / "other.sqlite3").read_bytes() == before


def test_a_state_folder_that_cannot_be_made_is_refused_at_the_start(project: Path) -> None:
    (project.parent / "state").write_text("a file")
    refused = start(project, "--handlers", "app:plain")
    assert refused.returncode == 2
    assert "cannot be made" in refused.stderr
    assert "`--store URL`" in refused.stderr


@pytest.mark.parametrize("handlers", sampled(["app:plain", "app:forgetful"], 1))
def test_workers_without_a_shared_store_are_refused(project: Path, handlers: str) -> None:
    options = () if handlers == "app:forgetful" else ("--store", "memory:")
    refused = start(project, *OVER_HTTP, handlers, *WORKERS, *options)
    assert refused.returncode == 2
    assert "several workers need a store that they share" in refused.stderr


def test_a_registry_with_a_store_has_no_second(project: Path) -> None:
    refused = start(project, "--handlers", "app:shared", "--store", "sqlite:///calls.sqlite3")
    assert refused.returncode == 2
    assert "the registry has a store of its own" in refused.stderr


@pytest.mark.parametrize(
    ("field", "value", "hint"),
    [
        ("keys", SqliteStore("keys.sqlite3"), "pass it as `store`"),
        ("journal", SqliteStore("keys.sqlite3"), "pass it as `store`"),
        ("keys", object(), "it needs claim, begin, settle, release"),
        ("store", SqliteStore("keys.sqlite3").keys, "pass it as `keys`"),
        ("store", "calls.sqlite3", "pass `open_store(URL)`"),
    ],
)
def test_a_store_that_is_none_is_refused_where_it_is_given(
    field: str, value: object, hint: str
) -> None:
    controls: Any = {field: value}
    with pytest.raises(ValueError, match=rf"`{field}` is a .*: .*{re.escape(hint)}"):
        Registry(()).with_controls(**controls)


@pytest.mark.prove
def test_one_key_and_one_approval_have_one_effect_in_all_processes(
    project: Path,
) -> None:
    folder = project
    with http(folder, "--handlers", "app:plain", *WORKERS) as address:
        question = message(call(address, "pay_note", {"text": "once"}))["result"]
        (key,) = question["inputRequests"]
        answered = {
            "requestState": question["requestState"],
            "inputResponses": {key: {"action": "accept", "content": {}}},
        }
        endings = Counter(
            message(call(address, "pay_note", {"text": "once"}, **answered))["result"]["resultType"]
            for _ in range(20)
        )
    assert endings == {"complete": 1, "input_required": 19}
    with http(folder, "--handlers", "app:plain", *WORKERS, "--approve", "auto") as address:
        arguments = {"amount": 5, "idempotency_key": "k"}
        first, *others = [
            message(call(address, "pay_send", arguments))["result"] for _ in range(20)
        ]
    assert first["structuredContent"] == "sent 5"
    # Without a token, everybody may have sent the key.
    codes = {other["_meta"]["toolspec"]["error"]["code"] for other in others}
    assert codes == {"not_replayed"}
    lines = (folder / "ledger.txt").read_text().splitlines()
    assert [line.split(" by ")[0] for line in lines] == ["noted once", "sent 5"]


def test_a_key_without_a_token_belongs_to_its_session(project: Path) -> None:
    with http(project, "--handlers", "app:plain", "--no-auth", "--approve", "auto") as address:
        for _ in range(2):
            with connected(address, LEGACY) as client:
                arguments = {"amount": 5, "idempotency_key": "k"}
                results = [client.call("pay_send", arguments) for _ in range(2)]
            assert not any(result.is_error for result in results)
    assert len((project / "ledger.txt").read_text().splitlines()) == 2


def test_connections_of_several_workers_send_answers_at_once() -> None:
    with listening_socket(Options("generated", "generated", port=0)) as listening:
        listening.listen()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
