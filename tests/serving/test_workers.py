"""Worker processes: even shares, replacement after a kill, and one build for all of them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections import Counter
from pathlib import Path

import pytest
from served import LEGACY, MODERN, connected
from versions import (
    MORE,
    compile_project,
    http_server,
    kill,
    look,
    make_versions,
    write_handlers,
    write_spec,
)

TWO = ("--workers", "2")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_versions(tmp_path / "project")


def await_output(server: object, text: str) -> str:
    for _ in range(600):
        if text in server.output:  # type: ignore[attr-defined]
            break
        time.sleep(0.05)
    output: str = server.output  # type: ignore[attr-defined]
    assert text in output
    return output


@pytest.mark.prove
def test_workers_share_connections_and_are_replaced(project: Path) -> None:
    with http_server(project, *TWO) as server:
        answers = look(server.address, 8)
        shares = Counter(process for process, *_ in answers)
        assert sorted(shares.values()) == [4, 4]
        killed, stopped = shares
        # A stopped worker takes one connection at most.
        host, port = server.address.split("/")[2].split(":")
        os.kill(stopped, signal.SIGSTOP)
        with contextlib.ExitStack() as stack:
            for _ in range(10):  # one of them is for the stopped one
                stack.enter_context(socket.create_connection((host, int(port))))
            assert {process for process, *_ in look(server.address, 6)} == {killed}
        os.kill(stopped, signal.SIGCONT)
        # A worker that cannot start is tried again.
        (project / "app.py").write_text("value = 1 / 0\n")
        kill(killed)
        await_output(server, f"toolspec: worker {killed} ended: killed by SIGKILL; another")
        await_output(server, "a worker cannot start: importing `app` failed: ZeroDivisionError")
        write_handlers(project, 1)
        found: set[int] = set()
        while len(found) < 2:
            found = {process for process, *_ in look(server.address, 6)}
        assert stopped in found
        assert killed not in found
    assert "Traceback" not in server.output


@pytest.mark.prove
def test_a_worker_refuses_another_build_and_the_server_ends(project: Path) -> None:
    with http_server(project, *TWO) as server:
        (process, *_), *_ = look(server.address)
        write_spec(project, 2, MORE)
        compile_project(project)
        assert [answer[1:] for answer in look(server.address, 4)] == [[1, 1]] * 4
        kill(process)
        assert server.process.wait(60) == 2
    last = server.output[server.output.index("toolspec: the server ends") :]
    assert last.startswith("toolspec: the server ends, since a worker cannot start:\n  the package")
    assert "is of another build than the server: start it again\n" in last
    assert "Traceback" not in server.output
    assert server.output.count("another build") == 2


def test_both_eras_list_the_build_that_is_served(project: Path) -> None:
    with http_server(project) as server:
        write_spec(project, 2, MORE)
        compile_project(project)
        for mode in (LEGACY, MODERN):
            with connected(server.address, mode) as client:
                listed = client.portal.call(client.client.list_tools).tools
                assert [tool.description for tool in listed] == ["Look at version 1."]
