"""`--reload` on stdio: a parent that keeps the client's pipe, while servers behind it are replaced."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import threading
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.log import notice
from toolspec.serving.shutdown import CANCELLED_SECONDS
from toolspec.serving.workers import Supervisor, Worker, ending, together

if TYPE_CHECKING:
    from typing import Any

    from toolspec.serving.options import Options

_STDIN, _STDOUT = 0, 1
_LONGEST_LINE = 1 << 28
_REPLAYED = "toolspec-initialize"
"""The id of the request that repeats the client's handshake."""
_LIST_CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'


class StdioRelay(Supervisor):
    """Passes messages of one client to the newest server; older ones finish what they have begun.

    Answers of the client reach the server that asked. A client of 2025 sends its handshake once:
    it is repeated to each further server.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(options, socket.socket(), "")
        self._pending: dict[str, Worker] = {}
        self._asked: dict[str, tuple[Worker, Any]] = {}
        self._questions = 0
        self._handshake: dict[str, bytes] = {}
        self._output = asyncio.Lock()
        self._streams: dict[str, asyncio.StreamWriter] = {}
        self._is_initialized: dict[str, asyncio.Event] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._client: asyncio.Task[None] | None = None

    async def _serve(self) -> None:
        self._workers = await self._started_workers(self._options)
        for line in self._workers[0].notices:
            notice(line)
        async with together() as self._running:
            self._running.create_task(self._keep(self._workers[0]))
            reloading = self._running.create_task(self._reload())
            # After SIGTERM the client is still heard, until the servers have ended.
            self._client = asyncio.ensure_future(self._read_client())
            await asyncio.shield(self._client)
            reloading.cancel()
            self._end_input()

    def _end_input(self) -> None:
        """Tell all servers that the client is gone."""
        self._retired += self._workers
        for stream in self._streams.values():
            stream.close()

    async def _stop(self) -> None:
        """End all servers: at once, as if their client had left, or after SIGTERM once calls have ended."""
        if signal.SIGTERM not in self._signals:
            await self._end_calls()
        elif self._client is not None:
            self._client.add_done_callback(lambda _: self._end_input())
        await super()._stop()
        if self._reading:  # the last answers
            await asyncio.wait(self._reading.values(), timeout=CANCELLED_SECONDS)

    async def _end_calls(self) -> None:
        """End the input of all servers, and wait for their end."""
        self._end_input()
        for worker in self._children:
            if worker.name not in self._streams:  # it still starts, and reads no input
                worker.end(signal.SIGTERM)
        if waiting := self._ends():
            await asyncio.wait(waiting, timeout=self._options.shutdown_timeout + CANCELLED_SECONDS)

    async def _connect(self, worker: Worker) -> None:
        """Read what a server sends from now on."""
        reader, writer = await asyncio.open_connection(sock=worker.passing, limit=_LONGEST_LINE)
        self._streams[worker.name] = writer
        self._is_initialized[worker.name] = asyncio.Event()
        self._reading[worker.name] = asyncio.ensure_future(self._read_server(worker, reader))

    async def _keep(self, worker: Worker) -> None:
        """Wait for the end of a server. Raises ServeError if it has no successor."""
        status = await worker.process.wait()
        await asyncio.shield(self._reading[worker.name])  # goes on if this is cancelled
        if worker not in self._retired:
            text = f"the server ended: {ending(status)}"
            raise ServeError(text)
        self._retired.remove(worker)

    async def _switch(self, workers: list[Worker], *, is_changed: bool) -> None:
        if "initialize" in self._handshake:
            await self._repeat_handshake(workers[0])
        await super()._switch(workers, is_changed=is_changed)
        if is_changed and self._handshake:
            await self._answer(_LIST_CHANGED)
        self._end_if_idle(*self._retired)

    async def _repeat_handshake(self, worker: Worker) -> None:
        """Repeat the client's handshake."""
        handshake = {**json.loads(self._handshake["initialize"]), "id": _REPLAYED}
        await self._send(worker, json.dumps(handshake).encode() + b"\n")
        answered = asyncio.ensure_future(self._is_initialized[worker.name].wait())
        ended = asyncio.ensure_future(worker.process.wait())
        await asyncio.wait((answered, ended), return_when=asyncio.FIRST_COMPLETED)
        for task in (answered, ended):
            task.cancel()
        if initialized := self._handshake.get("notifications/initialized"):
            await self._send(worker, initialized)

    async def _read_client(self) -> None:
        """Pass on the client's messages until it disconnects."""
        parts: asyncio.Queue[bytes] = asyncio.Queue()
        # A daemon, since a read that waits for the client must not keep the process.
        reading = threading.Thread(
            target=_read, args=(asyncio.get_running_loop(), parts), daemon=True
        )
        reading.start()
        rest = b""
        while data := await parts.get():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                await self._pass_on(line + b"\n")

    async def _pass_on(self, line: bytes) -> None:
        worker = self._workers[0]
        message = _parsed(line)
        method, number = message.get("method"), message.get("id")
        if method in ("initialize", "notifications/initialized"):
            self._handshake[method] = line
        if method == "notifications/cancelled":
            params = message.get("params")
            request = params.get("requestId") if isinstance(params, dict) else None
            worker = self._pending.get(json.dumps(request), worker)
        elif method is not None and type(number) in (int, str):  # any other is answered as null
            self._pending[json.dumps(number)] = worker
        elif isinstance(number, str) and number in self._asked:
            worker, number = self._asked.pop(number)
            line = json.dumps({**message, "id": number}).encode() + b"\n"
        await self._send(worker, line)
        self._end_if_idle(worker)

    async def _send(self, worker: Worker, line: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended, which is noticed elsewhere
            stream = self._streams[worker.name]
            stream.write(line)
            await stream.drain()

    async def _read_server(self, worker: Worker, reader: asyncio.StreamReader) -> None:
        """Pass on a server's messages until it ends."""
        while line := await reader.readline():
            message = _parsed(line)
            number = message.get("id")
            if number == _REPLAYED:
                self._is_initialized[worker.name].set()
                continue
            if "method" not in message:
                self._pending.pop(json.dumps(number), None)
            elif number is not None:
                self._questions += 1
                name = f"toolspec-{self._questions}"  # two servers may use the same number
                self._asked[name] = worker, number
                line = json.dumps({**message, "id": name}).encode() + b"\n"
            await self._answer(line)
            self._end_if_idle(worker)

    async def _answer(self, line: bytes) -> None:
        async with self._output:
            await asyncio.to_thread(_write, line)

    def _end_if_idle(self, *workers: Worker) -> None:
        """End the input of replaced servers that have answered all."""
        used = {*self._pending.values(), *(worker for worker, _ in self._asked.values())}
        for worker in workers:
            if worker in self._retired and worker not in used:
                self._streams[worker.name].close()


def _read(loop: asyncio.AbstractEventLoop, parts: asyncio.Queue[bytes]) -> None:
    """Read from the client until it disconnects."""
    data = b"-"
    with contextlib.suppress(RuntimeError):  # the loop has ended
        while data:
            try:
                data = os.read(_STDIN, 1 << 16)
            except OSError:
                data = b""
            loop.call_soon_threadsafe(parts.put_nowait, data)


def _parsed(line: bytes) -> dict[str, Any]:
    """Return a message; empty for anything that is none, which the server refuses."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _write(line: bytes) -> None:
    """Write to the client, which may be slow or gone."""
    rest = memoryview(line)
    with contextlib.suppress(OSError):
        while rest:
            rest = rest[os.write(_STDOUT, rest) :]
