"""Where a server listens: Unix sockets, paths, and the replica that a session names."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lab_server import SHARED
from posts import call, message, send_request, value
from sampling import sampled
from served import TOOLSPEC, http
from test_sessions import Session
from test_start_checks import start

OFFICE = ("--handlers", "app:Office", "--approve", "auto")
FILE = "tools.sock"


@contextmanager
def at_socket(folder: Path, *options: str) -> Iterator[httpx2.Client]:
    """Yield a client of a server on a Unix socket, which is gone afterwards."""
    command = [*TOOLSPEC, "serve", "--transport", "http", "--unix-socket", FILE, *options]
    process = subprocess.Popen(command, cwd=folder)
    try:
        await_socket(process, folder / FILE)
        transport = httpx2.HTTPTransport(uds=str(folder / FILE))
        with httpx2.Client(transport=transport, base_url="http://localhost", timeout=30) as client:
            yield client
    finally:
        process.terminate()
        process.wait(20)
    assert not (folder / FILE).exists()


def await_socket(process: subprocess.Popen[Any], file: Path) -> None:
    for _ in range(1200):
        assert process.poll() is None
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(file)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


@pytest.mark.parametrize(
    ("options", "address"),
    sampled([((), ""), (("--trust-proxy", "unix", "--workers", "2"), "203.0.113.7")], 1, rows=True),
)
def test_a_proxy_at_a_unix_socket_is_trusted_by_name(
    office: Path, options: Sequence[str], address: str
) -> None:
    with socket.socket(socket.AF_UNIX) as abandoned:
        abandoned.bind(str(office / FILE))
    with at_socket(office, *OFFICE, *options) as client:
        headers = {"x-forwarded-for": "198.51.100.1, 203.0.113.7"}
        response = call("/mcp", "office_seen", headers=headers, client=client)
        assert value(response)["result"]["address"] == address
        again = start(office, "--transport", "http", "--unix-socket", FILE, *OFFICE)
        assert again.returncode == 2
        assert f"HTTP cannot be served on `{FILE}`: [Errno 98]" in again.stderr


def test_other_files_are_no_sockets(office: Path) -> None:
    refused = start(office, "--transport", "http", "--unix-socket", "app.py", *OFFICE)
    assert refused.returncode == 2
    assert "HTTP cannot be served on `app.py`" in refused.stderr
    assert "class Office" in (office / "app.py").read_text()


def test_a_server_has_another_path(mail: Path) -> None:
    options = (
        "--handlers",
        "app:Mail",
        "--credentials",
        "app:credentials",
        "--verifier",
        "app:verify",
    )
    with http(mail, *options, "--path", "/tools/mail") as root:
        host = root.removesuffix("/mcp")
        assert (
            call(
                f"{host}/mcp", "mail_inbox", headers={"authorization": "Bearer ann-reader"}
            ).status_code
            == 404
        )
        refused = call(f"{host}/tools/mail", "mail_inbox")
        place = f"{host}/.well-known/oauth-protected-resource/tools/mail"
        assert f'resource_metadata="{place}"' in refused.headers["www-authenticate"]
        assert send_request("GET", place).json()["resource"] == f"{host}/tools/mail"
        answer = call(
            f"{host}/tools/mail", "mail_inbox", headers={"authorization": "Bearer ann-reader"}
        )
        assert value(answer) == "ann reads inbox of ann"


@pytest.mark.prove
def test_the_id_of_a_session_begins_with_its_replica(lab: Path) -> None:
    with (
        http(lab, *SHARED, "--replica", "one") as one,
        http(lab, *SHARED, "--replica", "two") as two,
    ):
        opened = Session(one)
        assert opened.call("lab_list")["structuredContent"]
        session = opened.name
        headers = {"mcp-session-id": session, "mcp-protocol-version": "2025-11-25"}
        answer = call(two, "lab_who", headers=headers)
        assert session.startswith("one.")
        assert (answer.status_code, message(answer)["error"]["message"]) == (
            404,
            "Session not found",
        )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--path", "mcp"), "`--path mcp` cannot be used"),
        (("--path", "/readyz"), "`--path /readyz` cannot be used"),
        (("--path", "/a/../b"), "`--path /a/../b` cannot be used"),
        (("--path", "/{name}"), "`--path /{name}` cannot be used"),
        (("--replica", "one.two"), "`--replica one.two` cannot be used"),
        (("--unix-socket", FILE, "--port", "80"), "not with --unix-socket: --port"),
        (("--unix-socket", "gone/s"), "HTTP cannot be served on `gone/s`"),
        (("--unix-socket", "s" * 200), "AF_UNIX path too long"),
        (("--unix-socket", FILE, "--verifier", "app:verify"), "needs `--resource URL`"),
        (("--trust-proxy", "socket"), "no address of a proxy: `socket`"),
    ],
)
def test_bad_addresses_are_refused(office: Path, options: tuple[str, ...], reason: str) -> None:
    refused = start(office, "--transport", "http", *OFFICE, *options)
    assert refused.returncode == 2
    assert reason in refused.stderr
    assert "Traceback" not in refused.stderr
