"""Many calls over HTTP: JSON-RPC of the 2026 revision, written by hand, on connections that are kept.

    python benchmarks/load.py FOLDER CALLS

serves `benchmarks/load/` from a copy in FOLDER with two workers, and prints one JSON object: seconds
by percentile, calls a second, and what the server's processes hold after a warm-up and at the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).parent
SERVE = ("serve", "--handlers", "app:Load", "--transport", "http")
REVISION = "2026-07-28"
CONNECTIONS = 16
WARM_UP = 5_000
# Seconds in which a server closes the connections that its client has closed.
SETTLING = 2
ASKED = {"title": "North gate", "amount": 12.5, "state": "open", "tags": ["a", "b"], "urgent": True}
CALLS = (("load_list", ASKED), ("load_block", ASKED))


@dataclass(frozen=True)
class Held:
    """What all processes of a server hold: resident memory in KiB, descriptors, threads."""

    memory: int
    descriptors: int
    threads: int

    @staticmethod
    def of(process: int) -> Held:
        """Return what a process and its children hold, as /proc tells it."""
        parts = [Held.of(child) for child in _children(process)]
        folder = Path(f"/proc/{process}")
        said = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
        return Held(
            int(said["VmRSS"].split()[0]) + sum(each.memory for each in parts),
            len(list((folder / "fd").iterdir())) + sum(each.descriptors for each in parts),
            int(said["Threads"]) + sum(each.threads for each in parts),
        )


def cpu(process: int) -> float:
    """Return the CPU seconds that a process and its running children have used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(cpu, _children(process)))


def _children(process: int) -> list[int]:
    return [
        int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


class Line:
    """One connection to a server, kept from call to call."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @staticmethod
    @contextlib.asynccontextmanager
    async def to(address: str) -> Any:
        """Open a connection for a while."""
        location = urlsplit(address)
        reader, writer = await asyncio.open_connection(location.hostname, location.port)
        try:
            yield Line(reader, writer)
        finally:
            writer.close()
            await writer.wait_closed()

    async def call(self, tool: str, arguments: Any) -> Any:
        """Return what a tool answers. Complains (AssertionError) of everything else."""
        self._writer.write(request(tool, arguments))
        head = await self._reader.readuntil(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        length = next(line for line in lines if line.startswith("content-length:"))
        body = await self._reader.readexactly(int(length.partition(":")[2]))
        assert " 200 " in lines[0], body
        result = json.loads(body)["result"]
        assert not result["isError"], result
        return result["structuredContent"]


def request(tool: str, arguments: Any) -> bytes:
    """Return the bytes of a call."""
    prefix = "io.modelcontextprotocol/"
    meta = {
        f"{prefix}protocolVersion": REVISION,
        f"{prefix}clientInfo": {"name": "load", "version": "1"},
        f"{prefix}clientCapabilities": {},
    }
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    head = (
        "POST /mcp HTTP/1.1\r\nHost: localhost:80\r\nAccept: application/json, text/event-stream\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"MCP-Protocol-Version: {REVISION}\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n\r\n"
    )
    return (head + body).encode()


async def loaded(
    address: str, calls: int, connections: int = CONNECTIONS, tools: Sequence[Any] = CALLS
) -> list[float]:
    """Call the tools in turn, so many times in all, and return the seconds of each call, sorted."""
    seconds: list[float] = []
    numbers = iter(range(calls))

    async def work() -> None:
        async with Line.to(address) as line:
            for number in numbers:
                start = time.perf_counter()
                answer = await line.call(*tools[number % len(tools)])
                seconds.append(time.perf_counter() - start)
                assert answer["total"] == len(answer["items"])

    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(work())
    return sorted(seconds)


async def census(address: str, connections: int = CONNECTIONS) -> dict[int, tuple[int, int]]:
    """Return tasks and descriptors by process, of those that one of some connections gets to."""
    async with contextlib.AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(Line.to(address)) for _ in range(connections)]
        answers = [await line.call("load_census", {}) for line in lines]
    return {each["process"]: (each["tasks"], each["descriptors"]) for each in answers}


@contextlib.contextmanager
def serving(folder: Path, workers: int, *options: str) -> Iterator[tuple[str, int]]:
    """Serve the load's tools from a copy in a folder; yield the address and the process."""
    program = str(Path(sys.executable).with_name("toolspec"))
    shutil.copytree(HERE / "load", folder, dirs_exist_ok=True)
    subprocess.run([program, "compile"], cwd=folder, check=True, capture_output=True)
    words = (program, *SERVE, "--workers", str(workers), *options, "--port")
    with listening(folder, *words) as served:
        yield served


@contextlib.contextmanager
def listening(folder: Path, *command: str) -> Iterator[tuple[str, int]]:
    """Run a server whose last argument is a port; yield the address and the process once it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*command, str(port)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp", process.pid
    finally:
        process.terminate()
        process.wait(30)


def measured(folder: Path, calls: int) -> dict[str, Any]:
    """Return the figures of a load with two workers."""
    with serving(folder, 2) as (address, process):
        asyncio.run(loaded(address, WARM_UP))
        time.sleep(SETTLING)
        before = Held.of(process)
        start = time.perf_counter()
        seconds = asyncio.run(loaded(address, calls))
        wall = time.perf_counter() - start
        time.sleep(SETTLING)
        after = Held.of(process)
    return {
        "calls": len(seconds),
        "a second": len(seconds) / wall,
        "p50": seconds[len(seconds) // 2],
        "p99": seconds[len(seconds) * 99 // 100],
        "memory": (before.memory, after.memory),
        "descriptors": (before.descriptors, after.descriptors),
        "threads": (before.threads, after.threads),
    }


if __name__ == "__main__":
    print(json.dumps(measured(Path(sys.argv[1]), int(sys.argv[2]))))
