"""P18: a server over HTTP under load, with one worker and with two, beside servers of others."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from load import ASKED, CONNECTIONS, cpu, listening, loaded, serving
from peers import PEERS, version
from row import MILLI, Row
from workshop import HERE, PYTHON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from workshop import Workshop

_EMPTY, _COMPUTE = ("load_list", ASKED), ("load_compute", ASKED)
_RECORDS = ("--log-level", "info")


@dataclass(frozen=True)
class Load:
    """The figures of many calls: CPU seconds of the server a call, median seconds, calls a second."""

    cpu: float
    p50: float
    speed: float


def serve(bench: Workshop) -> Iterator[Row]:
    """All servers run from the start, and are loaded in turn; records of calls are on."""
    folder, peer = bench.fresh(), str(HERE / "mcp_server.py")
    pythons = {"mcp": PYTHON, "fastmcp": bench.peers_python("fastmcp")}
    rounds: list[dict[str, Load]] = []
    with contextlib.ExitStack() as stack:
        servers = {
            name: stack.enter_context(serving(folder / name, workers, *_RECORDS))
            for name, workers in (("one", 1), ("two", 2))
        } | {
            name: stack.enter_context(listening(HERE, python, peer, name))
            for name, python in pythons.items()
            if python
        }
        for _ in range(1 + bench.rounds):
            found = {name: _load(*served, _EMPTY, 2_000) for name, served in servers.items()}
            for name in ("one", "two"):
                found[f"{name}, quiet"] = _load(*servers[name], _EMPTY, 500, connections=1)
                found[f"{name}, computing"] = _load(*servers[name], _COMPUTE, 600)
            rounds.append(found)
    yield from _rows(rounds[1:])


def _rows(rounds: list[dict[str, Load]]) -> Iterator[Row]:
    def both(figure: str, ours: str, theirs: str) -> tuple[float, float, float]:
        """Return the median of the ratios, and of both figures."""
        pairs = [(getattr(each[ours], figure), getattr(each[theirs], figure)) for each in rounds]
        firsts, seconds = zip(*pairs, strict=True)
        return median(one / other for one, other in pairs), median(firsts), median(seconds)

    def row(what: str, goal: str, against: str, figures: tuple[float, float, float]) -> Row:
        times, ours, theirs = figures
        shown = (f"{1000 * each:.2f} {MILLI}" for each in (ours, theirs))
        return Row("P18", what, goal, against, times, "×", *shown)

    calls = f"a call over HTTP, {CONNECTIONS} connections"
    fastmcp = f"FastMCP {version(PEERS['fastmcp'])}"
    yield row(calls, "≤ 1.0×", "SDK `MCPServer`", both("cpu", "one", "mcp"))
    if "fastmcp" in rounds[0]:
        yield row(calls, "≤ 1.0×", fastmcp, both("cpu", "one", "fastmcp"))
    else:
        note = "not installed: `make bench-peers` says why"
        yield Row("P18", calls, "≤ 1.0×", fastmcp, note=note)
    yield row(f"{calls}, 2 workers", "≤ 1.1×", "one worker", both("cpu", "two", "one"))
    what = "p50 on one connection, 2 workers"
    times, ours, theirs = both("p50", "two, quiet", "one, quiet")
    shown = (f"{1000 * each:.2f} ms wall" for each in (ours, theirs))
    yield Row("P18", what, "≤ 1.2×", "one worker", times, "×", *shown)
    what = "calls that compute 5 ms, 2 workers"
    times, ours, theirs = both("speed", "two, computing", "one, computing")
    shown = (f"{each:.0f} a second" for each in (ours, theirs))
    yield Row("P18", what, "≥ 1.7×", "one worker", times, "×", *shown)


def _load(
    address: str, process: int, call: object, calls: int, connections: int = CONNECTIONS
) -> Load:
    before, start = cpu(process), time.perf_counter()
    seconds = asyncio.run(loaded(address, calls, connections, (call,)))
    wall = time.perf_counter() - start
    return Load((cpu(process) - before) / calls, seconds[len(seconds) // 2], calls / wall)


ROWS: dict[str, Callable[[Workshop], Iterator[Row]]] = {"P18": serve}
