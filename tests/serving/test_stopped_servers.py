"""Signals to servers of several processes: calls are answered, no process stays, the exit code tells."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from sampling import sampled
from served import free_port
from versions import http_server, make_versions, write_handlers

# A shell that starts the tests in the background lets them and all their processes ignore Ctrl-C.
LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
SERVING = "from toolspec.serving.__main__ import main; raise SystemExit(main())"
MODULE = (sys.executable, "-c", f"{LISTENING}; {SERVING}")
SLOW = """import os
import time

open(f"importing-{os.getpid()}", "w").close()
time.sleep(60)
"""
"""Handlers whose import does not end within a test."""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_versions(tmp_path_factory.mktemp("stopped") / "project")


@pytest.fixture
def project(compiled: Path, tmp_path: Path) -> Path:
    return shutil.copytree(compiled, tmp_path / "project")


class Server:
    """A server in a process group of its own, on stdio or over HTTP; `processes` import handlers."""

    def __init__(self, folder: Path, transport: str, *options: str) -> None:
        self.folder = folder
        self.log = folder / "log.txt"
        http = ("--transport", "http", "--port", str(free_port())) if transport == "http" else ()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*MODULE, "--handlers", "app:Clock", *http, *options],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self.log.read_text()

    @property
    def processes(self) -> set[int]:
        return {int(file.name.partition("-")[2]) for file in self.folder.glob("importing-*")}

    def stop(self, number: int) -> None:
        """Send a signal: a Ctrl-C to all processes, as a terminal does."""
        (os.killpg if number == signal.SIGINT else os.kill)(self.process.pid, number)


@contextmanager
def started(folder: Path, transport: str, *options: str) -> Iterator[Server]:
    server = Server(folder, transport, *options)
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.process.pid, signal.SIGKILL)
        server.process.communicate()


def until(holds: Callable[[], bool], seconds: float = 30) -> bool:
    """Return whether something holds in time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.prove
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize(
    ("transport", "options", "count"),
    [("http", ("--workers", "2"), 2), ("stdio", ("--reload",), 1)],
    ids=["http", "stdio"],
)
def test_a_stop_ends_workers_that_start(
    project: Path, transport: str, options: tuple[str, ...], count: int, number: int
) -> None:
    (project / "app.py").write_text(SLOW)
    with started(project, transport, *options) as server:
        assert until(lambda: len(server.processes) == count), server.output
        server.stop(number)
        assert server.process.wait(5) == 128 + number
        assert not any(map(runs, server.processes))
        assert server.output == ""


@pytest.mark.parametrize("transport", sampled(["http", "stdio"], 1))
def test_a_stop_ends_workers_of_a_version_that_starts(project: Path, transport: str) -> None:
    with started(project, transport, "--reload") as server:
        assert until(lambda: "approval" in server.output), server.output
        (project / "app.py").write_text(SLOW)
        assert until(lambda: bool(server.processes)), server.output
        server.stop(signal.SIGTERM)
        assert server.process.wait(10) == 128 + signal.SIGTERM
        assert not any(map(runs, server.processes))
        assert "Traceback" not in server.output


@pytest.mark.prove
def test_a_stop_ends_the_successor_of_a_worker(project: Path) -> None:
    named = 'import os\n\nopen(f"importing-{os.getpid()}", "w").close()\n'
    (project / "app.py").write_text(f"{named}{(project / 'app.py').read_text()}")
    with started(project, "http", "--workers", "2") as server:
        assert until(lambda: "serving" in server.output), server.output
        (project / "app.py").write_text(SLOW)
        workers = server.processes
        os.kill(min(workers), signal.SIGKILL)
        assert until(lambda: server.processes > workers), server.output
        server.stop(signal.SIGTERM)
        assert server.process.wait(10) == 128 + signal.SIGTERM
        assert not any(map(runs, server.processes))
        assert "Traceback" not in server.output


@pytest.mark.prove
@pytest.mark.parametrize(
    ("transport", "options"), [("http", ("--workers", "2")), ("stdio", ("--reload",))]
)
def test_workers_that_start_end_after_a_kill_of_their_server(
    project: Path, transport: str, options: tuple[str, ...]
) -> None:
    handlers = (project / "app.py").read_text()
    released = SLOW.replace(
        "time.sleep(60)", "while os.path.exists('app.py'):\n    time.sleep(0.1)"
    )
    (project / "app.py").write_text(f"{released}\n\n{handlers}")
    with started(project, transport, *options) as server:
        assert until(lambda: bool(server.processes)), server.output
        server.stop(signal.SIGKILL)
        server.process.wait(5)
        (project / "app.py").unlink()
        assert until(lambda: not any(map(runs, server.processes)))
        assert server.output == ""


HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


def send(server: Server, method: str, params: Any = None, number: int | None = None) -> None:
    assert server.process.stdin is not None
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    line = json.dumps(message if number is None else {**message, "id": number})
    server.process.stdin.write(f"{line}\n".encode())
    server.process.stdin.flush()


def answers(server: Server) -> Iterator[Any]:
    """Yield the answers of a server on stdio, until it ends."""
    assert server.process.stdout is not None
    for line in server.process.stdout:
        message = json.loads(line)
        if "method" not in message:
            yield message


def initialized(server: Server) -> Iterator[Any]:
    """Return the answers of a server, after a session has begun."""
    answered = answers(server)
    send(server, "initialize", HELLO, 1)
    assert next(answered)["id"] == 1
    send(server, "notifications/initialized")
    return answered


def look(server: Server, until: str, number: int) -> None:
    send(server, "tools/call", {"name": "clock_look", "arguments": {"until": until}}, number)


def test_sigterm_on_stdio_lets_calls_of_all_versions_end(project: Path) -> None:
    with started(project, "stdio", "--reload", "--shutdown-timeout", "2") as server:
        answered = initialized(server)
        look(server, "released", 2)
        send(server, "ping", number=3)
        assert next(answered)["id"] == 3
        write_handlers(project, 2)
        assert until(lambda: "the change is served" in server.output), server.output
        look(server, "released", 4)
        look(server, "never", 5)
        send(server, "ping", number=6)
        assert next(answered)["id"] == 6
        server.stop(signal.SIGTERM)
        time.sleep(0.5)
        # The client is still heard.
        send(server, "ping", number=7)
        assert next(answered)["id"] == 7
        (project / "released").touch()
        found = {answer["id"]: answer["result"] for answer in answered}
        assert server.process.wait(5) == 128 + signal.SIGTERM
        assert found[2]["structuredContent"]["result"][1:] == [1, 1]
        assert found[4]["structuredContent"]["result"][1:] == [1, 2]
        assert found[5]["_meta"]["toolspec"]["error"]["code"] == "server_stopped"
        assert "Traceback" not in server.output


@pytest.mark.prove
def test_a_client_that_leaves_after_sigterm_is_not_waited_for(project: Path) -> None:
    with started(project, "stdio", "--reload", "--shutdown-timeout", "60") as server:
        answered = initialized(server)
        look(server, "never", 2)
        send(server, "ping", number=3)
        assert next(answered)["id"] == 3
        server.stop(signal.SIGTERM)
        time.sleep(0.5)
        assert server.process.poll() is None
        server.process.communicate(timeout=10)
        assert server.process.returncode == 128 + signal.SIGTERM
        assert "Traceback" not in server.output


@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGINT], 1))
@pytest.mark.parametrize(
    ("transport", "options"),
    sampled([("http", ("--workers", "2")), ("stdio", ("--reload",))], 1, rows=True),
)
def test_a_signal_has_its_exit_code(
    project: Path, transport: str, options: tuple[str, ...], number: int
) -> None:
    ready = "serving" if transport == "http" else "approval"
    with started(project, transport, *options) as server:
        assert until(lambda: ready in server.output), server.output
        server.stop(number)
        assert server.process.wait(10) == 128 + number
        assert "Traceback" not in server.output


def test_the_command_has_the_exit_code_too(project: Path) -> None:
    with http_server(project, "--reload") as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 128 + signal.SIGTERM


@pytest.mark.prove
def test_the_compiler_of_a_killed_server_ends(project: Path) -> None:
    serve = ("-c", "from toolspec.cli.main import main; main()", "serve", "--reload")
    http = ("--handlers", "app:Clock", "--transport", "http", "--port", str(free_port()))
    with subprocess.Popen(
        [sys.executable, *serve, *http],
        cwd=project,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as server:
        try:
            assert server.stderr is not None
            assert any(b"serving" in line for line in server.stderr)
            server.kill()
            server.communicate(timeout=20)  # returns once no process can write
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
