"""The command `toolspec` without its start-up time: each run is a fork of a process that has imported it.

A run has its own arguments, folder, environment and streams, and leaves nothing behind in the server.
What a test starts is a copy of `forkclient.py`, which passes these to the server, forwards signals, and
ends as the run does. Tests of start-up and of killed processes start the real command instead.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import io
import marshal
import os
import pkgutil
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

COMMAND = Path(sys.executable).with_name("toolspec")
"""The real one."""
IMPORTED_LATE = (
    "anyio._backends._asyncio",
    "concurrent.futures.process",
    "jinja2",
    "jsonschema_rs",
    "mcp.client.streamable_http",
    "rich.console",
    "ruamel.yaml",
    "uvicorn.protocols.http.h11_impl",
)
CLIENT = Path(__file__).with_name("forkclient.py")
SHARED = "TEST_TOOLSPEC"
"""The variable that holds the path of the command for the workers of a session."""


@functools.cache
def toolspec() -> Path:
    """Return the path of a command `toolspec` whose runs are forks; the first call starts the server.

    Workers of one session share the server that its controller has started.
    """
    if SHARED in os.environ:
        return Path(os.environ[SHARED])
    folder = Path(tempfile.mkdtemp(prefix="toolspec-"))
    client = folder / "toolspec"
    client.write_text(f"#!{sys.executable} -IS\n{CLIENT.read_text(encoding='utf-8')}", "utf-8")
    client.chmod(0o700)
    (folder / "environment").write_bytes(marshal.dumps(dict(os.environ)))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{folder}/socket")
        listener.listen(64)
        words = (sys.executable, __file__, str(listener.fileno()), str(folder))
        _servers.append(
            subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.PIPE,
                pass_fds=[listener.fileno()],
                start_new_session=True,
            )
        )
    return client


_servers: list[subprocess.Popen[bytes]] = []
"""Each ends when its stdin does, at the latest with the process of the tests."""


class Server:
    """Forks for each client; `serve` returns in each fork, ready to run the command."""

    def __init__(self, listener: socket.socket, folder: str) -> None:
        self.listener = listener
        self.folder = folder
        self.clients: dict[int, socket.socket] = {}
        """By the process that runs for it."""
        self.selector = selectors.DefaultSelector()
        self.child_ended, wakes = os.pipe()
        for end in (self.child_ended, wakes):
            os.set_blocking(end, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes)
        for source in (0, self.child_ended, listener):
            self.selector.register(source, selectors.EVENT_READ)

    def serve(self) -> None:
        while True:
            for key, _ in self.selector.select():
                if key.fileobj == 0:
                    self._end()
                elif key.fileobj == self.child_ended:
                    self._report_ended()
                elif key.fileobj is not self.listener:
                    self._forward_signals(key.data)
                elif self._start():
                    return

    def _start(self) -> bool:
        """Start a run; return whether this is its process."""
        client, _ = self.listener.accept()
        request, streams, _, _ = socket.recv_fds(client, 1 << 20, 3)
        if len(streams) < 3:
            client.close()
            return False
        (length,) = struct.unpack_from("I", request)
        while len(request) < 4 + length:
            request += client.recv(1 << 20)
        process = os.fork()
        if process == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.selector.close()
            for each in (*self.clients.values(), client, self.listener):
                each.close()
            _become(streams, *marshal.loads(request[4:]))  # noqa: S302 - from a test of ours
            return True
        for stream in streams:
            os.close(stream)
        self.clients[process] = client
        self.selector.register(client, selectors.EVENT_READ, process)
        return False

    def _forward_signals(self, process: int) -> None:
        numbers = self.clients[process].recv(64)
        if not numbers:  # the client was killed
            numbers = bytes([signal.SIGKILL])
            self.selector.unregister(self.clients[process])
        for number in numbers:
            os.kill(process, number)

    def _report_ended(self) -> None:
        os.read(self.child_ended, 4096)
        for process in tuple(self.clients):
            number, status = os.waitpid(process, os.WNOHANG)
            if number:
                client = self.clients.pop(process)
                with contextlib.suppress(KeyError):
                    self.selector.unregister(client)
                with contextlib.suppress(OSError):
                    client.send(struct.pack("i", os.waitstatus_to_exitcode(status)))
                client.close()

    def _end(self) -> None:
        for process in self.clients:
            os.kill(process, signal.SIGKILL)
        shutil.rmtree(self.folder)
        os._exit(0)


def _become(
    streams: list[int], arguments: list[str], folder: str, environment: dict[str, str], umask: int
) -> None:
    """Take what a process of its own would start with."""
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
        os.close(stream)
    os.chdir(folder)
    os.umask(umask)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(COMMAND), *arguments]
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    added = environment.get("PYTHONPATH", "") or None
    sys.path[:1] = [str(COMMAND.parent), *(added.split(os.pathsep) if added else ())]
    for target, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        before = getattr(sys, name)
        opened = open(  # noqa: SIM115 - lives as long as the process
            target, mode, encoding=before.encoding, errors=before.errors, closefd=False
        )
        opened.reconfigure(
            line_buffering=name == "stderr" or opened.isatty(),
            write_through="PYTHONUNBUFFERED" in environment,
        )
        setattr(sys, name, opened)
        setattr(sys, f"__{name}__", opened)


def _end(status: int) -> None:
    """End as an interpreter does, without taking apart what is imported: that takes longer than most runs."""
    threading._shutdown()  # type: ignore[attr-defined]  # the interpreter calls it too
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _import_everything() -> None:
    import toolspec

    names = [module.name for module in pkgutil.walk_packages(toolspec.__path__, "toolspec.")]
    for name in (*(each for each in names if not each.endswith("__main__")), *IMPORTED_LATE):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _warm_up() -> None:
    """Compile and compare a small project, for what is made at its first use, such as validators."""
    # Not above: processes that a run spawns import this module, and find no other of the tests.
    from small_spec import SPEC
    from toolspec.cli import command_line
    from toolspec.cli.app import app

    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        zone = "    inputSchema: {type: object, properties: {zone: {type: string, enum: [utc]}}}\n"
        for specs, text in (("old", SPEC), ("specs", SPEC + zone)):
            Path(specs).mkdir()
            Path(specs, "demo.yaml").write_text(text, "utf-8")
        for command in ("check", "compile", "fmt"):
            command_line.run([command, "specs"])
        app(["diff", "old", "specs"], standalone_mode=False)


if __name__ == "__main__":
    _import_everything()
    _warm_up()
    Server(socket.socket(fileno=int(sys.argv[1])), sys.argv[2]).serve()
    from toolspec.cli.main import main

    try:
        main()
        _end(0)
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            _end(ended.code or 0)
        raise
