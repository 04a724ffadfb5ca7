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
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.build import LOCK
from toolspec.serving.connections import (
    CLOSED,
    LONGEST_MESSAGE,
    OPENED,
    TAKEN,
    listening_socket,
)
from toolspec.serving.errors import ServeError
from toolspec.serving.fresh_code import Fingerprint, fingerprint
from toolspec.serving.log import notice
from toolspec.serving.shutdown import CANCELLED_SECONDS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from toolspec.serving.options import Options

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further attempt to start a worker."""

_BACKLOG = 2048
_INTERVAL, _REST = 0.2, 0.1
"""Seconds between two checks of files, and without a change until they are read."""
_MOST_DESCRIPTORS = 64
_NO_DESCRIPTORS_SECONDS = 0.1
_KILLED_SECONDS = 2


def serve_with_workers(options: Options) -> None:
    """Serve over HTTP from several processes until stopped.

    Raises ServeError if workers cannot start, KeyboardInterrupt if stopped by Ctrl-C, and SystemExit
    if stopped by SIGTERM.
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

    process: asyncio.subprocess.Process

    def __init__(self, replica: str) -> None:
        self.name = f"{replica}.{secrets.token_hex(8)}".lstrip(".")
        self.connections = 0
        self.untaken: socket.socket | None = None
        self.is_ready = False
        self.refused: tuple[str, ...] = ()
        self.notices: tuple[str, ...] = ()
        self.files: dict[str, Fingerprint] = {}

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
        self._reader, self._control = await asyncio.open_connection(
            sock=own_control, limit=LONGEST_MESSAGE
        )
        self.send(message)
        if report := await self.message():
            self.files = report["files"]
            self.refused = tuple(report.get("refused", ()))
            self.notices = tuple(report.get("notices", ()))
            self.is_ready = not self.refused
        if not self.is_ready:
            self._control.close()
            status = await self.process.wait()
            self.refused = self.refused or (f"a worker ended at its start: {ending(status)}",)

    @property
    def is_started(self) -> bool:
        """Return whether there has been a process, which may have ended."""
        return hasattr(self, "process")

    @property
    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self.is_started and self.process.returncode is not None

    async def message(self) -> dict[str, Any]:
        """Return the next message of the process; empty once it has ended."""
        with contextlib.suppress(OSError, ValueError):
            if line := await self._reader.readline():
                message: dict[str, Any] = json.loads(line)
                return message
        return {}

    def send(self, message: dict[str, Any]) -> None:
        """Send a message to the process, whose end is noticed elsewhere."""
        with contextlib.suppress(OSError):
            self._control.write(json.dumps(message).encode() + b"\n")

    def give(self, connection: socket.socket) -> None:
        """Pass a connection, which stays open here until the worker has taken it."""
        self.connections += 1
        self.untaken = connection
        with contextlib.suppress(OSError):
            socket.send_fds(self.passing, [TAKEN], [connection.fileno()])

    def read_reports(self) -> list[socket.socket]:
        """Count the connections that the worker has taken and closed; return those that come back."""
        try:
            reports, descriptors, *_ = socket.recv_fds(self.passing, 4096, _MOST_DESCRIPTORS)
        except OSError:
            return []
        self.connections += reports.count(OPENED) - reports.count(CLOSED)
        if TAKEN in reports and self.untaken is not None:
            self.untaken.close()
            self.untaken = None
        return [socket.socket(fileno=descriptor) for descriptor in descriptors]

    def end(self, number: signal.Signals) -> None:
        """Send a signal that ends the process, if it runs."""
        with contextlib.suppress(ProcessLookupError, AttributeError):
            self.process.send_signal(number)


class Supervisor:
    """Starts workers, passes connections to them, and replaces those that end."""

    def __init__(self, options: Options, listening: socket.socket, folder: str) -> None:
        self._options = options
        self._listening = listening
        self._folder = folder
        self._workers: list[Worker] = []
        self._children: list[Worker] = []
        """All workers from their start until their process has ended."""
        self._retired: list[Worker] = []
        self._slots: dict[str, int] = {}
        self._successors: dict[str, list[str]] = {}
        self._files: dict[str, Fingerprint] = {}
        self._signals: list[int] = []
        self._turn = 0
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Serve until stopped.

        Raises ServeError if no worker can be started, KeyboardInterrupt after Ctrl-C, and SystemExit
        after SIGTERM: the caller has to clean up, which the signal itself would prevent.
        """
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()

        def stop(number: signal.Signals) -> None:
            self._signals.append(number)
            if not ended.done():
                ended.set_result(None)
            elif number == signal.SIGINT and len(self._signals) > 1:
                self._end_all(signal.SIGKILL)

        def finish(task: asyncio.Task[None]) -> None:
            if task.cancelled() or ended.done():
                return
            if problem := task.exception():
                ended.set_exception(problem)
            else:
                ended.set_result(None)

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
        if signal.SIGTERM in self._signals:
            raise SystemExit(128 + signal.SIGTERM)

    async def _serve(self) -> None:
        self._workers = await self._started_workers(self._options)
        for line in self._workers[0].notices:
            notice(line)
        self._listening.listen(_BACKLOG)
        notice(f"serving {self._options.address}")
        async with together() as self._running:
            for worker in self._workers:
                self._running.create_task(self._keep(worker))
            self._running.create_task(self._accept())
            if self._options.reload:
                self._running.create_task(self._reload())

    async def _started_workers(self, options: Options) -> list[Worker]:
        """Return ready workers, all of one build. Raises ServeError if one refuses, after all have ended."""
        workers = [Worker(options.replica) for _ in range(options.workers)]
        try:
            async with together() as starting:
                for worker in workers:
                    starting.create_task(self._start(worker, options))
        except ServeError:
            for worker in workers:
                worker.end(signal.SIGKILL)
                self._files |= worker.files
            raise
        return workers

    async def _start(self, worker: Worker, options: Options) -> None:
        """Start a worker. Raises ServeError with its reasons if it is not ready."""
        self._children = [child for child in self._children if not child.has_ended]
        self._children.append(worker)
        message = {"options": options.to_text(), "folder": self._folder, "name": worker.name}
        await worker.start(message)
        if not worker.is_ready:
            heading, *details = worker.refused
            raise ServeError(heading, [line.strip() for line in details])
        worker.send({"successors": self._successors})
        await self._connect(worker)
        self._changed.set()

    async def _connect(self, worker: Worker) -> None:
        """Count connections from now on, and pass on those that come back."""

        def read() -> None:
            for connection in worker.read_reports():
                self._running.create_task(self._pass(connection))
            self._changed.set()

        asyncio.get_running_loop().add_reader(worker.passing, read)

    async def _keep(self, worker: Worker) -> None:
        """Replace a worker that ends, unless it has a successor. Raises ServeError if that fails."""
        while message := await worker.message():
            successor = self._workers[self._slots[worker.name]]
            successor.send({"adopt": message["session"]})
        status = await worker.process.wait()
        self._forget(worker)
        if worker in self._retired:
            self._retired.remove(worker)
            return
        notice(f"worker {worker.process.pid} ended: {ending(status)}; another is started")
        await self._replace(worker)

    async def _replace(self, worker: Worker) -> None:
        """Start a worker in place of another one."""
        pauses = iter(PAUSES)
        reasons: tuple[str, ...] = ()
        while worker in self._workers:
            successor = Worker(self._options.replica)
            try:
                await self._start(successor, self._options)
            except ServeError as fault:
                if fault.lines != reasons:
                    notice(f"a worker cannot start: {fault.lines[0]}", *fault.lines[1:])
                reasons = fault.lines
                pause = next(pauses, PAUSES[-1] if self._options.reload else None)
                if pause is None:
                    heading = "the server ends, since a worker cannot start:"
                    raise ServeError(heading, [line.strip() for line in fault.lines]) from None
                await asyncio.sleep(pause)
            else:
                self._running.create_task(self._keep(successor))
                if worker in self._workers:
                    self._workers[self._workers.index(worker)] = successor
                else:  # of the build before
                    self._retire(successor, is_changed=False)
                return

    async def _reload(self) -> None:
        """Serve each change from new workers, all or none of them."""
        lock = str(Path(self._options.folder, LOCK))
        self._files = self._workers[0].files | {lock: fingerprint(lock)}
        for path in filter(None, (self._options.settings, self._options.contract)):
            self._files[path] = fingerprint(path)
        while True:
            await _changed(self._files)
            seen = {path: fingerprint(path) for path in self._files}
            options = self._options.of_this_build()
            try:
                workers = await self._started_workers(options)
            except ServeError as fault:
                self._files |= seen
                if options.of_this_build().build != options.build:  # a compile has ended since
                    continue
                heading = "the change is not served, and the last good version stays:"
                notice(heading, *(f"  {line}" for line in fault.lines))
                continue
            self._files = workers[0].files | {
                path: found for path, found in seen.items() if path not in workers[0].files
            }
            shown = self._workers[0].notices
            await self._switch(workers, is_changed=options.build != self._options.build)
            self._options = options
            notice("the change is served")
            for line in workers[0].notices:
                if line not in shown:
                    notice(line)

    async def _switch(self, workers: list[Worker], *, is_changed: bool) -> None:
        """Give connections and sessions to other workers from now on."""
        old, self._workers = self._workers, workers
        for group in (old, workers):  # in the order in which they serve
            for slot, worker in enumerate(group):
                self._slots[worker.name] = slot
        for worker in workers:
            self._running.create_task(self._keep(worker))
        self._successors = self._find_successors()
        for worker in (*workers, *old, *self._retired):
            worker.send({"successors": self._successors})
        for worker in old:
            self._retire(worker, is_changed=is_changed)

    def _find_successors(self) -> dict[str, list[str]]:
        """Return for each worker there was the later ones in its place that still run, oldest first."""
        running = {worker.name for worker in self._children if not worker.has_ended}
        later: dict[int, list[str]] = {}
        successors = {}
        for name, slot in reversed(self._slots.items()):
            successors[name] = later.get(slot, [])
            if name in running:
                later[slot] = [name, *successors[name]]
        return successors

    def _retire(self, worker: Worker, *, is_changed: bool) -> None:
        """Have a worker finish what it has begun."""
        self._retired.append(worker)
        worker.send({"retire": "changed" if is_changed else "same"})

    def _forget(self, worker: Worker) -> None:
        """Close the channels of an ended worker, and pass on the connection that it has not taken."""
        worker.is_ready = False
        asyncio.get_running_loop().remove_reader(worker.passing)
        returned = worker.read_reports()
        worker.passing.close()
        for connection in (*returned, worker.untaken):
            if connection is not None:
                self._running.create_task(self._pass(connection))

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
                self._turn += 1  # those with equally many take turns
                first = self._turn % len(free)
                rotated = free[first:] + free[:first]
                min(rotated, key=lambda item: item.connections).give(connection)
                return
            self._changed.clear()
            await self._changed.wait()

    def _end_all(self, number: signal.Signals) -> None:
        for worker in self._children:
            worker.end(number)

    def _ends(self) -> list[asyncio.Future[int]]:
        """Return futures that are done once the processes of all workers have ended."""
        started = [worker for worker in self._children if worker.is_started]
        return [asyncio.ensure_future(worker.process.wait()) for worker in started]

    async def _stop(self) -> None:
        """End all workers: in time by themselves, else by force."""
        self._end_all(signal.SIGTERM)
        if waiting := self._ends():
            seconds = self._options.shutdown_timeout + CANCELLED_SECONDS + 2
            await asyncio.wait(waiting, timeout=seconds)
            self._end_all(signal.SIGKILL)
            await asyncio.wait(waiting, timeout=_KILLED_SECONDS)


async def _changed(files: dict[str, Fingerprint]) -> None:
    """Return once a file differs from its fingerprint, and no file changes any more."""
    while all(fingerprint(path) == before for path, before in files.items()):  # noqa: ASYNC110 - of files
        await asyncio.sleep(_INTERVAL)
    before: dict[str, Fingerprint] = {}
    while (now := {path: fingerprint(path) for path in files}) != before:
        before = now
        await asyncio.sleep(_REST)


@contextlib.asynccontextmanager
async def together() -> AsyncIterator[asyncio.TaskGroup]:
    """Run tasks together. Raises the first ServeError of one, without a group."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as problems:  # `except*` would raise a group again
        refused = problems.subgroup(ServeError)
        raise refused.exceptions[0] if refused is not None else problems from None


def ending(status: int) -> str:
    """Return how a process ended, in words."""
    if status >= 0:
        return f"exit code {status}"
    with contextlib.suppress(ValueError):
        return f"killed by {signal.Signals(-status).name}"
    return f"killed by signal {-status}"
