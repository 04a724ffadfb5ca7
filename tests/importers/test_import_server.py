"""`toolspec import mcp`: the whole list of a running server, of both eras, and whom the token goes to."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from sampling import sampled
from served import TOOLSPEC, free_port, http, listening, make_project
from small_spec import SPEC
from toolspec.importers.dump import Origin

SERVER = Path(__file__).with_name("listing_server.py")
SENT = {"TOOLSPEC_TOKEN": "secret"}
VERIFIER = """
def verify(token):
    from toolspec.runtime import Caller
    return Caller(name="ann") if token == "secret" else None
"""


def run(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [*TOOLSPEC, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "NO_COLOR": "1", **environment},
    )
    return done.returncode, done.stdout + done.stderr


def command(era: str) -> str:
    return shlex.join([sys.executable, str(SERVER), era, "stdio"])


@contextmanager
def listed_by(era: str) -> Iterator[tuple[str, str]]:
    """Yield the options that name a server."""
    if era != "over http":
        yield "--stdio", command(era)
        return
    port = free_port()
    with listening(SERVER.parent, [sys.executable, str(SERVER), "modern", str(port)], port):
        yield "--url", f"http://127.0.0.1:{port}/mcp"


@pytest.mark.parametrize("era", sampled(["legacy", "modern", "over http"], 1))
def test_all_pages_of_a_server_become_a_service(tmp_path: Path, era: str) -> None:
    with listed_by(era) as options:
        status, said = run(tmp_path, "import", "mcp", *options, "--to", "specs")
    assert status == 0, said
    assert "notes.yaml: 5 tools" in said
    text = (tmp_path / "specs" / "notes.yaml").read_text()
    document = yaml.safe_load(text)
    assert document["service"]["instructions"] == "Ask before you delete."
    tools: list[dict[str, Any]] = document["tools"]
    assert [tool["name"] for tool in tools] == ["find", "keep", "list", "move", "read"]
    assert [tool["mutation"] for tool in tools] == [False, True, False, True, False]
    assert [tool["x-mcp"]["_meta"]["vendor/rank"] for tool in tools] == [1, 2, 3, 4, 5]
    assert {tool["source"]["kind"] for tool in tools} == {"mcp"}
    assert text.count("mutation: false # claimed by the server") == 3
    assert text.count("# claimed by the server\n    annotations: {openWorldHint: false}") == 3
    assert text.count("mutation: true # guessed, the worst case") == 2
    status, said = run(tmp_path, "compile")
    assert status == 0, said


@pytest.mark.prove
def test_the_source_names_no_argument_and_no_credential(tmp_path: Path) -> None:
    assert "5 tools" in run(tmp_path, "import", "mcp", "--stdio", command("legacy"), "--to", ".")[1]
    text = (tmp_path / "notes.yaml").read_text()
    assert SERVER.name not in text
    assert f"location: {Path(sys.executable).name}" in text
    origin = Origin.of_server("https://ann:secret@a.example:8/mcp?token=secret#secret", "")
    assert origin == Origin("mcp", "https://a.example:8/mcp", "a.example")


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ((), 2, "choose one: --url or --stdio"),
        (("--url", "http://127.0.0.1:9/mcp", "--stdio", "true"), 2, "choose one: --url or --stdio"),
        (("--url", "http://127.0.0.1:9/mcp"), 1, "cannot be reached"),
        (("--stdio", "no-such-program"), 1, "cannot be reached"),
        (("--stdio", "'"), 2, "--stdio is not a command"),
        (("--stdio", "true"), 1, "the server"),
    ],
)
def test_a_server_that_cannot_be_read_is_an_error(
    tmp_path: Path, options: tuple[str, ...], status: int, said: str
) -> None:
    code, text = run(tmp_path, "import", "mcp", *options, "--to", "specs")
    assert (code, said in text) == (status, True), text
    assert "Traceback" not in text
    assert not (tmp_path / "specs").exists()


class _Page(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(302 if self.path == "/moved" else 200)
        self.send_header("Location", "https://other.example/mcp")
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/moved", "Redirect to https://other.example/mcp"), ("/page", "Unexpected content type")],
)
def test_a_web_server_that_speaks_no_mcp(tmp_path: Path, path: str, reason: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}{path}"
        code, text = run(tmp_path, "import", "mcp", "--url", url, "--to", "specs")
        server.shutdown()
    assert (code, f"`{url}` does not answer as an MCP server: {reason}" in text) == (1, True), text
    assert "is it running" not in text


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Yield a folder, and the address of a server that wants a token."""
    folder = tmp_path_factory.mktemp("guarded")
    spec = folder / "small.yaml"
    spec.write_text(SPEC)
    project = make_project(folder / "project", spec)
    (project / "guard.py").write_text(VERIFIER)
    with http(project, "--verifier", "guard:verify") as address:
        yield folder, address


@pytest.mark.parametrize("place", sampled(["variable", "file"], 1))
def test_the_token_of_the_environment_is_sent(
    guarded: tuple[Path, str], tmp_path: Path, place: str
) -> None:
    folder, address = guarded
    (folder / "token").write_text("secret\n")
    token = SENT
    if place == "file":
        token = {"TOOLSPEC_TOKEN_FILE": str(folder / "token")}
    status, said = run(tmp_path, "import", "mcp", "--url", address, "--to", "specs", **token)
    assert status == 0, said
    (written,) = (tmp_path / "specs").iterdir()
    name = yaml.safe_load(written.read_text())["tools"][0]["name"]
    full = f"{written.stem}_{name}"
    assert run(tmp_path, "call", full, "--url", address, "--dry-run", **token)[0] in (0, 1)


def test_without_the_token_nothing_is_read(guarded: tuple[Path, str], tmp_path: Path) -> None:
    _, address = guarded
    for environment in ({}, {"TOOLSPEC_TOKEN": "wrong"}):
        status, said = run(
            tmp_path, "import", "mcp", "--url", address, "--to", "specs", **environment
        )
        assert status == 1, said
        assert "secret" not in said
        assert "wrong" not in said


class Recorder(BaseHTTPRequestHandler):
    """Answers with a redirect, or not at all, and records the tokens that arrive."""

    target = ""
    tokens: list[str]

    def do_POST(self) -> None:
        self.server.tokens.append(self.headers.get("authorization", ""))  # type: ignore[attr-defined]
        target = self.server.target  # type: ignore[attr-defined]
        self.send_response(307 if target else 404)
        if target:
            self.send_header("location", target)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None: ...


@contextmanager
def recording(target: str = "") -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), Recorder)
    server.tokens, server.target = [], target
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.prove
@pytest.mark.parametrize("verb", ["import", "call"])
def test_the_token_goes_to_no_other_host(tmp_path: Path, verb: str) -> None:
    words = ("import", "mcp", "--to", "specs") if verb == "import" else ("call", "notes_find")
    with recording() as other:
        with recording(f"http://localhost:{other.server_port}/mcp") as first:
            url = f"http://127.0.0.1:{first.server_port}/mcp"
            status, said = run(tmp_path, *words, "--url", url, **SENT)
        assert status == 1, said
        assert set(first.tokens) == {"Bearer secret"}
        assert "Bearer secret" not in other.tokens


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"TOOLSPEC_TOKEN": "a", "TOOLSPEC_TOKEN_FILE": "b"}, "are both set"),
        ({"TOOLSPEC_TOKEN_FILE": "nowhere"}, "No such file"),
        ({"TOOLSPEC_TOKEN": "a\nb"}, "no HTTP header can carry"),
    ],
)
def test_a_token_that_cannot_be_sent_is_refused(
    tmp_path: Path, environment: dict[str, str], said: str
) -> None:
    options = ("--url", "http://127.0.0.1:9/mcp", "--to", "specs")
    status, text = run(tmp_path, "import", "mcp", *options, **environment)
    assert (status, said in text) == (2, True), text


def test_a_started_server_gets_no_token(tmp_path: Path) -> None:
    program = "import os, sys; sys.exit(f'token: {os.environ.get(\"TOOLSPEC_TOKEN\")}')"
    started = shlex.join([sys.executable, "-c", program])
    _, said = run(tmp_path, "import", "mcp", "--stdio", started, "--to", "specs", **SENT)
    assert "token: None" in said
