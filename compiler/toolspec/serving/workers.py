"""Worker processes of an HTTP server, as their supervisor sees them.

The supervisor accepts connections and passes each to the worker with the fewest. It imports neither
generated code nor handlers, and no web server: what it knows of a build is the digest of its lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import shutil
import signal
import socket
import sys
import tempfile
from typing import TYPE_CHECKING

from toolspec.serving.connections import CLOSED, TAKEN, listening_socket
from toolspec.serving.errors import ServeError
from toolspec.serving.log import notice
from toolspec.serving.shutdown import CANCELLED_SECONDS, LAST_SECONDS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from typing import Any

    from toolspec.serving.options import Options

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further attempt to start a worker."""

_BACKLOG = 2048
_NO_DESCRIPTORS_SECONDS = 0.1
_KILLED_SECONDS = 2


def serve_with_workers(options: Options) -> None:
    """Serve over HTTP from several processes until stopped.

    Raises ServeError if workers cannot start, KeyboardInterrupt if stopped by Ctrl-C.
    """
    options = replace(options, key=secrets.token_hex(32))
    folder = tempfile.mkdtemp(prefix="toolspec-")  # readable by this user only
    try:
        with listening_socket(options) as listening:
            asyncio.run(Supervisor(options, listening, folder).run())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Worker:
    """A worker process: `refused` says why it could not start, `name` is for sessions."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        self.connections = 0
        self.untaken: socket.socket | None = None
        self.is_ready = False
        self.is_stopping = False
        self.refused: tuple[str, ...] = ()
        self.notices: tuple[str, ...] = ()

    async def start(self, message: dict[str, Any]) -> None:
        """Start the process with its options, and return once it is ready or has ended."""
        control, own_control = socket.socketpair()
        passing, own_passing = socket.socketpair()
        own_passing.setblocking(False)  # noqa: FBT003 - its only argument
        self.passing = own_passing
        with control, passing:
            descriptors = (control.fileno(), passing.fileno())
            command = (sys.executable, "-P", "-m", "toolspec.serving.worker")
            self.process = await asyncio.create_subprocess_exec(
                *command,
                *map(str, descriptors),
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=descriptors,
            )
        reader, self._control = await asyncio.open_connection(sock=own_control)
        self.tell(message)
        line = b""
        with contextlib.suppress(OSError):
            line = await reader.readline()
        if line:
            report = json.loads(line)
            self.refused = tuple(report.get("refused", ()))
            self.notices = tuple(report.get("notices", ()))
            self.is_ready = not self.refused
        if not self.is_ready:
            self._control.close()
            status = await self.process.wait()
            self.refused = self.refused or (f"a worker ended at its start: {_ending(status)}",)

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message to the process, whose end is noticed elsewhere."""
        with contextlib.suppress(OSError):
            self._control.write(json.dumps(message).encode() + b"\n")

    def give(self, connection: socket.socket) -> None:
        """Pass a connection, which stays open here until the worker has taken it."""
        self.connections += 1
        self.untaken = connection
        with contextlib.suppress(OSError):
            socket.send_fds(self.passing, [TAKEN], [connection.fileno()])

    def read_reports(self) -> None:
        """Count the connections that the worker has taken and closed since the last call."""
        try:
            reports = self.passing.recv(4096)
        except OSError:
            return
        self.connections -= reports.count(CLOSED)
        if TAKEN in reports and self.untaken is not None:
            self.untaken.close()
            self.untaken = None

    def end(self, number: signal.Signals) -> None:
        """Send a signal that ends the process."""
        self.is_stopping = True
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)


class Supervisor:
    """Starts workers, passes connections to them, and replaces those that end."""

    def __init__(self, options: Options, listening: socket.socket, folder: str) -> None:
        self._options = options
        self._listening = listening
        self._folder = folder
        self._workers: list[Worker] = []
        self._signals: list[int] = []
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Serve until a signal. Raises ServeError if no worker can be started."""
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()

        def stop(number: signal.Signals) -> None:
            self._signals.append(number)
            if not ended.done():
                ended.set_result(None)
            elif number == signal.SIGINT and len(self._signals) > 1:
                self._end_all(signal.SIGKILL)

        def finish(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (problem := task.exception()) and not ended.done():
                ended.set_exception(problem)

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop, number)
        task = loop.create_task(self._serve())
        task.add_done_callback(finish)
        try:
            await ended
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ServeError):
                await task
            self._listening.close()
            await self._stop()
        if signal.SIGINT in self._signals:
            raise KeyboardInterrupt

    async def _serve(self) -> None:
        self._workers = [Worker() for _ in range(self._options.workers)]
        async with _tasks() as starting:
            for worker in self._workers:
                starting.create_task(self._start(worker))
        for line in self._workers[0].notices:
            notice(line)
        self._listening.listen(_BACKLOG)
        notice(f"serving {self._options.url}")
        async with _tasks() as running:
            for slot in range(self._options.workers):
                running.create_task(self._keep(slot))
            running.create_task(self._accept())

    async def _start(self, worker: Worker) -> None:
        """Start a worker. Raises ServeError with its reasons if it is not ready."""
        message = {"options": self._options.to_text(), "folder": self._folder, "name": worker.name}
        await worker.start(message)
        if not worker.is_ready:
            heading, *details = worker.refused
            raise ServeError(heading, [line.strip() for line in details])
        loop = asyncio.get_running_loop()

        def read() -> None:
            worker.read_reports()
            self._changed.set()

        loop.add_reader(worker.passing, read)
        self._changed.set()

    async def _keep(self, slot: int) -> None:
        """Replace the worker of a slot whenever it ends. Raises ServeError if that fails."""
        while True:
            worker = self._workers[slot]
            status = await worker.process.wait()
            self._forget(worker)
            notice(f"worker {worker.process.pid} ended: {_ending(status)}; another is started")
            self._workers[slot] = await self._started_again(slot)

    async def _started_again(self, slot: int) -> Worker:
        pauses = iter(PAUSES)
        while True:
            worker = self._workers[slot] = Worker()
            try:
                await self._start(worker)
            except ServeError as fault:
                pause = next(pauses, None)
                if pause is None:
                    heading = "the server ends, since a worker cannot start:"
                    raise ServeError(heading, [line.strip() for line in fault.lines]) from None
                if pause == PAUSES[0]:
                    notice(f"a worker cannot start: {fault.lines[0]}", *fault.lines[1:])
                await asyncio.sleep(pause)
            else:
                return worker

    def _forget(self, worker: Worker) -> None:
        """Close the channels of an ended worker, and pass on the connection that it has not taken."""
        worker.is_ready = False
        asyncio.get_running_loop().remove_reader(worker.passing)
        worker.read_reports()
        worker.passing.close()
        if worker.untaken is not None:
            asyncio.get_running_loop().create_task(self._pass(worker.untaken))

    async def _accept(self) -> None:
        self._listening.setblocking(False)  # noqa: FBT003 - its only argument
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._listening)
            except OSError:  # none of this process's descriptors is free, or the client is gone
                await asyncio.sleep(_NO_DESCRIPTORS_SECONDS)
            else:
                await self._pass(connection)

    async def _pass(self, connection: socket.socket) -> None:
        """Pass a connection to the worker with the fewest that takes connections at once.

        A worker whose loop is blocked, or whose process is stopped, gets one and no more.
        """
        while True:
            free = [item for item in self._workers if item.is_ready and item.untaken is None]
            if free:
                min(free, key=lambda item: item.connections).give(connection)
                return
            self._changed.clear()
            await self._changed.wait()

    def _end_all(self, number: signal.Signals) -> None:
        for worker in self._started():
            worker.end(number)

    def _started(self) -> Sequence[Worker]:
        return [worker for worker in self._workers if hasattr(worker, "process")]

    async def _stop(self) -> None:
        """End all workers: in time by themselves, else by force."""
        self._end_all(signal.SIGTERM)
        ending = [asyncio.ensure_future(worker.process.wait()) for worker in self._started()]
        if ending:
            await asyncio.wait(ending, timeout=LAST_SECONDS + CANCELLED_SECONDS + 1)
            self._end_all(signal.SIGKILL)
            await asyncio.wait(ending, timeout=_KILLED_SECONDS)


@contextlib.asynccontextmanager
async def _tasks() -> AsyncIterator[asyncio.TaskGroup]:
    """Run tasks together. Raises the first ServeError of one, without a group."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as problems:  # `except*` would raise a group again
        refused = problems.subgroup(ServeError)
        raise refused.exceptions[0] if refused is not None else problems from None


def _ending(status: int) -> str:
    """Return how a process ended, in words."""
    if status >= 0:
        return f"exit code {status}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-status).name}"
    return f"killed by signal {-status}"
