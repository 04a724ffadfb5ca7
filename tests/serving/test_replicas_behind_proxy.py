"""`examples/deploying`: two replicas behind a real nginx."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from posts import call, message, value
from served import LEGACY, MODERN, connected, free_port
from test_addresses import await_socket
from test_sessions import Session

FOLDER = Path(__file__).parents[2] / "examples" / "deploying"
OPTIONS = ("--handlers", "app:Office", "--workers", "2", "--approve", "ask")

pytestmark = pytest.mark.prove


@pytest.fixture
def replicas(office: Path, tmp_path: Path) -> Iterator[tuple[str, int]]:
    if not shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        pytest.skip("nginx is not installed")
    port = str(free_port())
    for name in ("replicas.sh", "nginx.conf"):
        text = (FOLDER / name).read_text().replace("8080", port)
        (tmp_path / name).write_text(text)
    if os.getuid() == 0:  # its workers would be `nobody`, who may not enter the folder of a test
        configuration = tmp_path / "nginx.conf"
        configuration.write_text(f"user root;\n{configuration.read_text()}")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin"
    environment = {
        **os.environ,
        "PATH": path,
        "TOOLSPEC_STORE": f"sqlite:///{tmp_path / 'calls.sqlite3'}",
    }
    process = subprocess.Popen(
        ["sh", tmp_path / "replicas.sh", *OPTIONS], cwd=office, env=environment
    )
    address = f"http://127.0.0.1:{port}/tools/mcp"
    try:
        for name in ("one", "two"):
            await_socket(process, office / "run" / f"{name}.sock")
        yield address, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def test_replicas_are_one_server_for_clients(replicas: tuple[str, int]) -> None:
    proxy, starter = replicas
    # Sessions are spread, and stay where they are, whatever connection a request has.
    sessions = [Session(proxy) for _ in range(6)]
    assert {session.name.partition(".")[0] for session in sessions} == {"one", "two"}
    for session in sessions * 4:
        assert session.call("office_seen")["structuredContent"]["result"]["method"] == "POST"
    with connected(proxy, LEGACY) as client:
        assert not client.call("office_burn").is_error
        assert len(client.person.asked) == 1
    with connected(proxy, MODERN) as client:
        for _ in range(8):
            assert not client.call("office_burn").is_error
        assert len(client.person.asked) == 8

    # Only the proxy says who the client is.
    seen = value(call(proxy, "office_seen", headers={"x-forwarded-for": "203.0.113.7"}))["result"]
    assert seen["address"] == "127.0.0.1"

    # An approval is spent for both, and either takes it.
    question = message(call(proxy, "office_burn"))["result"]
    (key,) = question["inputRequests"]
    answered = {
        "requestState": question["requestState"],
        "inputResponses": {key: {"action": "accept", "content": {}}},
    }
    kinds = [
        message(call(proxy, "office_burn", **answered))["result"]["resultType"] for _ in range(12)
    ]
    assert kinds.count("complete") == 1

    # Without its replica a session is not found, and everything else goes on.
    search = ["pgrep", "-P", str(starter), "-f", "--", "--replica two"]
    listing = subprocess.run(search, capture_output=True, check=True)
    os.kill(int(listing.stdout), signal.SIGKILL)
    for session in sessions:
        is_lost = session.name.startswith("two.")
        assert session.request("ping", {}).status_code == (404 if is_lost else 200)
    for _ in range(8):
        assert value(call(proxy, "office_seen"))["result"]["method"] == "POST"
