"""Redis and PostgreSQL servers of their own, each in a folder of its own on a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from served import free_port
from toolspec.runtime.stores import Store

KINDS = ("sqlite", "redis", "postgresql")
UNPRIVILEGED = "nobody"
WORKER = [sys.executable, str(Path(__file__).parent / "worker.py")]

Open = Callable[..., Store]
"""Opens a store with options."""


class Server:
    """A server program, run by an unprivileged user; it may be killed and started again."""

    name: ClassVar[str]

    def __init__(self, *options: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"toolspec-{self.name}-"))
        self.port = free_port()
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        if os.getuid() == 0:
            user = pwd.getpwnam(UNPRIVILEGED)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.prepare()
        self.start()

    def prepare(self) -> None:
        """Make what the server starts from."""

    def command(self) -> list[str]:
        raise NotImplementedError

    def url(self, namespace: str) -> str:
        raise NotImplementedError

    def run(self, *command: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=UNPRIVILEGED if os.getuid() == 0 else None,
            start_new_session=True,
        )

    def start(self) -> None:
        for _ in range(600):  # it does not start while processes of a killed one still end
            self.process = self.run(*self.command(), *self.options)
            while self.process.poll() is None:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                        return
                time.sleep(0.02)
            time.sleep(0.1)
        raise AssertionError(f"{self.name} does not start")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        shutil.rmtree(self.folder)


class Redis(Server):
    name = "redis"

    def command(self) -> list[str]:
        fixed = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
        }
        return [
            program("redis-server"),
            *(word for k, v in fixed.items() for word in (f"--{k}", v)),
        ]

    def url(self, namespace: str) -> str:
        return f"redis://127.0.0.1:{self.port}/0?namespace={namespace}"


class Postgresql(Server):
    name = "postgresql"

    def prepare(self) -> None:
        options = ("-D", "data", "-U", "ann", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        assert self.run(program("initdb"), *options).wait() == 0

    def command(self) -> list[str]:
        return [
            program("postgres"),
            "-D",
            "data",
            "-p",
            str(self.port),
            "-k",
            "",
            "-h",
            "127.0.0.1",
        ]

    def url(self, namespace: str) -> str:
        return f"postgresql://ann@127.0.0.1:{self.port}/postgres?namespace={namespace}"


def program(name: str) -> str:
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(debian[-1]) if debian else shutil.which(name)
    if path is None:
        pytest.skip(f"`{name}` is not installed")
    return path
