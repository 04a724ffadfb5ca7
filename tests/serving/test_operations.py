"""What an operator has: health, records of calls, an audit trail, and servers that end in time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from posts import send_request
from sampling import sampled
from served import LEGACY, MODERN, TOOLSPEC, connected, free_port, make_handled, stdio
from toolspec.serving import audit
from toolspec.serving.audit import AuditFile, first_broken_line
from toolspec.serving.health import Health
from toolspec.serving.log import JsonLines

HERE = Path(__file__).parent
TILL = ("--handlers", "app:Till")
CANARY = "CANARY7"


@pytest.fixture(scope="module")
def till(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("till") / "project", HERE / "till.yaml")


class Served:
    """A server process over HTTP, whose end and output a test looks at."""

    def __init__(self, folder: Path, files: Path, *options: str) -> None:
        self.files = files
        port = free_port()
        command = [*TOOLSPEC, "serve", *TILL, "--transport", "http", "--port", str(port), *options]
        self.url = f"http://127.0.0.1:{port}"
        self.address = f"{self.url}/mcp"
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "FOLDER": str(files)},
        )
        while self.get("/readyz") != 200:
            assert self.process.poll() is None, self.process.communicate()[0].decode()
            time.sleep(0.05)

    def get(self, path: str, **headers: str) -> int:
        with contextlib.suppress(httpx2.TransportError):
            return send_request("GET", f"{self.url}{path}", headers=headers).status_code
        return 0

    def ended(self) -> str:
        return self.process.communicate(timeout=30)[0].decode()


@contextlib.contextmanager
def serving(folder: Path, files: Path, *options: str) -> Iterator[Served]:
    server = Served(folder, files, *options)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


def began(files: Path, name: str) -> None:
    while not (files / f"{name}.begun").exists():
        time.sleep(0.01)


def test_health_needs_no_token_and_no_name(till: Path, tmp_path: Path) -> None:
    with serving(till, tmp_path, "--verifier", "app:verify") as server:
        for path in ("/livez", "/readyz"):
            assert server.get(path, host="anything.example", origin="https://evil.example") == 200
            assert send_request("HEAD", server.url + path).status_code == 200
            assert send_request("POST", server.url + path, content=b"x").status_code == 405
            assert send_request("GET", server.url + path).text == "yes\n"
        assert server.get("/livez/more") in (401, 404)
        assert send_request("POST", server.address, json={}).status_code == 401


def answer(application: Any, path: str) -> tuple[int, bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(application({"type": "http", "path": path, "method": "GET"}, None, send))
    return sent[0]["status"], sent[1]["body"]


def test_a_server_is_ready_as_long_as_its_store_is_and_nobody_stops_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    problems: list[str] = []
    stopping: list[bool] = []

    async def check() -> None:
        if problems:
            raise OSError(problems[0])

    application = Health(None, lambda: bool(stopping), (check,))
    assert answer(application, "/readyz") == (200, b"yes\n")
    problems.append("the disk is full")
    for _ in range(3):
        assert answer(application, "/readyz") == (503, b"no\n")
    assert answer(application, "/livez") == (200, b"yes\n")
    assert [record.getMessage() for record in caplog.records] == ["not ready: the disk is full"]
    problems.clear()
    assert answer(application, "/readyz") == (200, b"yes\n")
    stopping.append(True)
    assert answer(application, "/readyz") == (503, b"no\n")


def records(output: str, logger: str) -> list[Any]:
    entries = [json.loads(line) for line in output.splitlines()]
    return [entry for entry in entries if entry["logger"] == logger]


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_each_call_leaves_a_record_without_values(till: Path, tmp_path: Path, mode: str) -> None:
    log = ("--log-level", "info", "--log-format", "json")
    with serving(till, tmp_path, *log, "--workers", "1") as server:
        with connected(server.address, mode) as client:
            assert not client.call("till_count").is_error
            assert not client.call("till_look", {"name": CANARY}).is_error
            assert client.call("till_look", {"name": "nowhere"}).is_error
            wrong = client.call("till_look", {"name": CANARY * 9})
            assert CANARY in wrong.content[0].text
            (tmp_path / "p.go").touch()
            assert not client.call("till_pay", {"name": "p"}).is_error
            client.person.action = "decline"
            assert client.call("till_pay", {"name": "p"}).is_error
            with pytest.raises(Exception, match="no tool"):
                client.call(f"till_{CANARY}")
        server.process.terminate()
        output = server.ended()
    calls = records(output, "toolspec.calls")
    ends = [(entry["tool"], entry["outcome"], entry["code"]) for entry in calls]
    asked = [("till_pay", "input_required", "")] if mode == MODERN else []
    assert ends == [
        ("till_count", "ok", ""),
        ("till_look", "ok", ""),
        ("till_look", "error", "not_found"),
        ("till_look", "error", "validation"),
        *asked,
        ("till_pay", "ok", ""),
        *asked,
        ("till_pay", "error", "refused"),
        (f"till_{CANARY}", "error", "-32602"),
    ]
    for entry in calls:
        assert (entry["level"], entry["transport"], entry["caller"]) == ("INFO", "http", None)
        assert entry["duration"] > 0
        assert len(entry["request_id"]) == 16
        assert len(entry["definitions"]) == 12
    assert calls[3]["request_id"] == wrong.meta["toolspec"]["error"]["request_id"]
    assert output.count(CANARY) == output.count(f"till_{CANARY}")
    audited = records(output, "toolspec.audit")
    assert [(entry["tool"], entry["approval"]) for entry in audited] == [
        *[("till_look", "")] * 3,
        *[("till_pay", "") for _ in asked],
        ("till_pay", "granted"),
        *[("till_pay", "") for _ in asked],
        ("till_pay", "refused"),
    ]
    paid = next(entry for entry in audited if entry["approval"] == "granted")
    assert (paid["mutation"], paid["open_world"], paid["risk"]) == (True, True, 2)


@pytest.mark.prove
def test_an_audit_file_is_shared_by_workers_and_cannot_be_changed_unseen(
    till: Path, tmp_path: Path
) -> None:
    trail = tmp_path / "audit.jsonl"
    options = ("--workers", "2", "--approve", "auto", "--verifier", "app:verify")
    with serving(till, tmp_path, "--audit", str(trail), *options) as server:
        threads = [threading.Thread(target=looks, args=(server.address, 10)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        trail.rename(tmp_path / "audit.1")
        looks(server.address, 2)
    assert trail.stat().st_mode & 0o777 == 0o600
    assert first_broken_line(str(trail)) is None
    lines = (tmp_path / "audit.1").read_text().splitlines()
    assert len(lines) + len(trail.read_text().splitlines()) == 32
    entry = json.loads(lines[7])
    assert (entry["tool"], entry["outcome"], entry["caller"]) == ("till_look", "ok", "ann")
    for changed in (
        [*lines[:5], lines[5].replace('"ann"', '"bob"'), *lines[6:]],
        [*lines[:5], *lines[6:]],
        [*lines[:5], lines[4], *lines[5:]],
    ):
        trail.write_text("".join(f"{line}\n" for line in changed))
        assert first_broken_line(str(trail)) in (6, 7)
    command = [sys.executable, "-m", "toolspec.serving.audit", str(trail), f"{tmp_path}/audit.1"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 1
    assert "audit.1: unbroken" in checked.stdout


def test_a_trail_that_cannot_be_read_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep").write_text("[" * 100_000)
    (tmp_path / "empty").write_text("")
    names = [str(tmp_path / name) for name in ("deep", "empty", "missing", ".")]
    assert audit.main(names[:2]) == 1
    assert audit.main(names) == 2
    out, errors = capsys.readouterr()
    assert out.count("deep: line 1 does not follow") == 2
    assert "empty: unbroken" in out
    assert "missing: cannot be read: No such file or directory" in errors
    assert audit.main([]) == 2
    assert capsys.readouterr().err.startswith("usage: ")


def looks(address: str, count: int) -> None:
    about = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    }
    headers = {
        "accept": "application/json, text/event-stream",
        "authorization": "Bearer good",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "till_look",
    }
    params = {"name": "till_look", "arguments": {"name": "it"}, "_meta": about}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    for _ in range(count):
        answer = send_request("POST", address, json=request, headers=headers)
        assert not answer.json()["result"]["isError"]


def test_an_audit_file_that_cannot_be_written_is_refused(till: Path, tmp_path: Path) -> None:
    command = [*TOOLSPEC, "serve", *TILL, "--audit", str(tmp_path)]
    done = subprocess.run(command, cwd=till, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"the audit file `{tmp_path}` cannot be written: Is a directory" in done.stderr


def test_a_record_that_cannot_be_written_is_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trail = AuditFile(str(tmp_path / "trail"))
    (tmp_path / "trail").unlink()
    (tmp_path / "trail").mkdir()
    trail.write({"request_id": "ab12"})
    assert "the audit record of request ab12 is lost" in caplog.text


def test_a_line_of_json_holds_all_of_a_record() -> None:
    try:
        int("no\nway")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "a\n%s", ("b",), sys.exc_info())
    record.tool = "demo_act"
    line = JsonLines().format(record)
    assert "\n" not in line
    entry = json.loads(line)
    assert (entry["message"], entry["level"], entry["tool"]) == ("a\nb", "ERROR", "demo_act")
    assert "ValueError: invalid literal" in entry["exception"]


def ask(address: str, mode: str, tool: str, name: str, results: list[Any]) -> threading.Thread:
    """Call a tool in a thread, whose connection waits for the answer."""

    def call() -> None:
        with connected(address, mode) as client:
            client.portal.call(client.client.list_tools)  # or it asks for the schema afterwards
            results.append(client.call(tool, {"name": name}))

    thread = threading.Thread(target=call)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("mode", "workers"),
    sampled(
        [(LEGACY, "1"), (MODERN, "1"), (MODERN, "2")],
        1,
        rows=True,
    ),
)
def test_a_stopped_server_lets_calls_end_and_answers_the_others(
    till: Path, tmp_path: Path, mode: str, workers: str
) -> None:
    options = ("--approve", "auto", "--shutdown-timeout", "1", "--workers", workers)
    with serving(till, tmp_path, *options) as server:
        waited: list[Any] = []
        paid: list[Any] = []
        threads = [
            ask(server.address, mode, "till_wait", "a", waited),
            ask(server.address, mode, "till_pay", "b", paid),
        ]
        began(tmp_path, "a")
        began(tmp_path, "b")
        server.process.send_signal(signal.SIGTERM)
        (tmp_path / "a.go").touch()
        for thread in threads:
            thread.join()
        output = server.ended()
    assert "done a" in waited[0].content[0].text
    error = paid[0].meta["toolspec"]["error"]
    assert (error["code"], error["category"], error["retryable"]) == (
        "server_stopped",
        "unavailable",
        False,
    )
    assert "its effect may have happened" in error["message"]
    assert "Traceback" not in output
    assert "Cancel" not in output


@pytest.mark.parametrize("mode", sampled([MODERN, LEGACY], 1))
def test_sigterm_on_stdio_ends_calls_too(till: Path, tmp_path: Path, mode: str) -> None:
    errors = tmp_path / "errors"
    starter = tmp_path / "serve.sh"
    options = "--approve auto --shutdown-timeout 1"
    starter.write_text(
        f"echo $$ > {tmp_path}/pid\nexec {' '.join(TOOLSPEC)} serve {' '.join(TILL)} {options} 2> {errors}\n"
    )
    server = stdio(till, FOLDER=str(tmp_path))
    server.command, server.args = "sh", [str(starter)]
    with connected(server, mode) as client:
        first = client.portal.start_task_soon(client.client.call_tool, "till_wait", {"name": "a"})
        second = client.portal.start_task_soon(client.client.call_tool, "till_pay", {"name": "b"})
        began(tmp_path, "a")
        began(tmp_path, "b")
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
        (tmp_path / "a.go").touch()
        assert "done a" in first.result(20).content[0].text
        assert second.result(20).meta["toolspec"]["error"]["code"] == "server_stopped"
    assert errors.read_text() == "toolspec: approval: auto\n"


def test_sigterm_on_stdio_has_its_exit_code(till: Path) -> None:
    with subprocess.Popen(
        [*TOOLSPEC, "serve", *TILL], cwd=till, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        server.stdin.write(f"{json.dumps(ping)}\n".encode())
        server.stdin.flush()
        server.stdout.readline()
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 128 + signal.SIGTERM
