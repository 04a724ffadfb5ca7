"""`toolspec drift`: running servers of both eras, compared with a contract, specs and dumps."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from served import TOOLSPEC, http, make_project

SPEC = """toolspec: 1
service: {name: notes, description: Keeps notes., instructions: Search first.}
tools:
  - name: search
    description: Find notes that have a word.
    inputSchema:
      type: object
      properties: {order: {description: Which notes come first., enum: [newest, best]}}
    outputSchema: {type: string, description: The notes.}
    mutation: false
  - {name: list, description: List notes., version: "2", outputSchema: {type: string}, mutation: false}
  - {name: list, description: List old notes., version: "1", outputSchema: {type: string}, mutation: false}
"""
SERVE = ("--stdio", shlex.join([*TOOLSPEC, "serve"]))
BREAK = 'break[argument/value-removed] `order` of `notes_search` no longer has the value "best"\n'
VERIFIER = """
from toolspec.runtime import Caller


def verify(token):
    return Caller(name="ann") if token == "secret" else None
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    spec = tmp_path / "notes.yaml"
    spec.write_text(SPEC)
    folder = make_project(tmp_path / "project", spec)
    subprocess.run([*TOOLSPEC, "accept"], cwd=folder, check=True, capture_output=True)
    return folder


def edit(folder: Path, before: str, after: str) -> None:
    path = folder / "specs" / "notes.yaml"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    subprocess.run([*TOOLSPEC, "compile"], cwd=folder, check=True, capture_output=True)


def drift(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TOOLSPEC, "drift", *words],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
        timeout=120,
    )


def test_a_server_is_compared_with_contract_specs_and_dump(project: Path) -> None:
    specs = project / "before"
    specs.mkdir()
    (specs / "notes.yaml").write_text(SPEC)
    same = drift(project, *SERVE, "--save", "dump.json", "--fail-on", "note")
    assert (same.stdout, same.returncode) == ("no changes\n", 0)
    dump = json.loads((project / "dump.json").read_text("utf-8"))
    assert [tool["name"] for tool in dump["tools"]] == ["notes_search", "notes_list"]
    assert (dump["instructions"], dump["protocolVersion"]) == ("Search first.", "2026-07-28")
    before = drift(project, "before", *SERVE, "--fail-on", "note")
    assert before.stdout.startswith("no changes\nnot compared, since one side does not show it:")
    assert before.returncode == 0
    edit(project, "newest, best", "newest")
    for against in ((), ("toolspec.contract.json",), ("before",), ("dump.json",)):
        found = drift(project, *against, *SERVE, "--format", "short")
        assert found.stdout.startswith(f"{BREAK}1 break\n"), found
        assert found.returncode == 1


@pytest.mark.prove
def test_options_are_those_of_diff(project: Path) -> None:
    edit(project, "that have a word", "with a word")
    assert drift(project, *SERVE).returncode == 0
    assert drift(project, *SERVE, "--fail-on", "risk").returncode == 1
    assert drift(project, *SERVE, "--fail-on", "risk", "--audience", "callers").returncode == 0
    report = json.loads(drift(project, *SERVE, "--format", "json").stdout)
    assert [change["code"] for change in report["changes"]] == ["prose/description-changed"]
    assert (report["old"], report["new"]) == ("toolspec.contract.json", "the server")


def test_clients_of_both_eras_count(project: Path) -> None:
    for name, character in (("mcp", "\u200b"), ("mcp-2025-11-25", "\u200c")):
        manifest = project / "generated" / "notes" / f"{name}.json"
        text = manifest.read_text("utf-8").replace("have a word.", f"have a word.{character}")
        manifest.write_text(text, "utf-8")
    found = drift(project, *SERVE, "--format", "short")
    assert found.returncode == 1
    lines = found.stdout.splitlines()
    assert [line[-6:] for line in lines[:-1]] == ["U+200B", "U+200C"]
    assert lines[-1] == "2 breaks"


@pytest.mark.prove
def test_a_bearer_token_comes_from_the_environment_or_a_file(project: Path) -> None:
    (project / "app.py").write_text(VERIFIER)
    (project / "token").write_text("secret\n")
    with http(project, "--verifier", "app:verify") as address:
        where = ("--url", address)
        assert drift(project, *where, TOOLSPEC_TOKEN="secret").stdout == "no changes\n"  # noqa: S106
        assert drift(project, *where, TOOLSPEC_TOKEN_FILE="token").stdout == "no changes\n"  # noqa: S106
        refused = drift(project, *where)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "Traceback" not in refused.stderr


class Redirects(BaseHTTPRequestHandler):
    """Redirects each request to `target`, and keeps its token in `tokens`."""

    target = ""
    tokens: list[str]

    def do_POST(self) -> None:
        self.tokens.append(self.headers.get("authorization", ""))
        self.send_response(307)
        self.send_header("location", self.target)
        self.send_header("content-length", "0")
        self.end_headers()

    do_GET = do_POST  # noqa: N815 - the name is the server's

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def redirecting(target: str) -> Iterator[tuple[str, list[str]]]:
    tokens: list[str] = []
    handler = type("Handler", (Redirects,), {"target": target, "tokens": tokens})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/mcp", tokens
        finally:
            server.shutdown()


def test_no_other_host_gets_the_token(project: Path) -> None:
    with redirecting("/elsewhere") as (other, stolen), redirecting(other) as (address, sent):
        found = drift(project, "--url", address, TOOLSPEC_TOKEN="secret")  # noqa: S106
    assert (found.returncode, found.stdout) == (2, "")
    assert set(sent) == {"Bearer secret"}
    assert stolen == []


def test_what_cannot_be_compared_is_an_error_of_usage(project: Path, tmp_path: Path) -> None:
    for words, problem in (
        ((), "choose one server: --url URL or --stdio COMMAND"),
        ((*SERVE, "--url", "http://127.0.0.1:9/mcp"), "choose one server"),
        (("--url", "http://127.0.0.1:9/mcp"), "cannot be reached"),
        (("--stdio", "false"), "cannot be reached"),
        (("missing", *SERVE), "nothing to compare in missing"),
    ):
        found = drift(project, *words)
        assert (found.returncode, problem in found.stdout + found.stderr) == (2, True), found
    alone = drift(tmp_path, *SERVE)
    assert "record a contract with `toolspec accept`" in alone.stderr
    contract = project / "toolspec.contract.json"
    contract.write_text(contract.read_text().replace("List notes.", "Delete notes."))
    edited = drift(project, *SERVE)
    assert edited.returncode == 2
    assert "edited by hand: notes_list@2" in edited.stdout
    assert "Traceback" not in edited.stderr
