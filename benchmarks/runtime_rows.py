"""The rows of the runtime: a call, a generated package, a server's start, and a server under load."""

from __future__ import annotations

import json
import os
import subprocess
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from peers import PEERS, version
from process import Command, FailedError, Usage, alternate, environment, ratio, run, typical
from row import MILLI, Row
from workshop import HERE, PYTHON, TOOLSPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from workshop import Workshop

LOAD = 50_000
_FASTMCP = f"FastMCP {version(PEERS['fastmcp'])}"


def calls(bench: Workshop) -> Iterator[Row]:
    """P14: a call in process, its values copied or handed on."""
    goals = {
        "fastmcp": (50, f"{_FASTMCP} `call_tool`"),
        "mcp": (8, "SDK `MCPServer.call_tool`"),
        "jsonschema": (35, "kept `jsonschema` validators"),
    }
    whats = {
        "toolspec": ("a call, over its handler", 2.5),
        "shared": ("the same with `copies=False`", 1.6),
    }
    pythons = dict.fromkeys((*whats, "mcp", "jsonschema"), PYTHON)
    if fastmcp := bench.peers_python("fastmcp"):
        pythons["fastmcp"] = fastmcp
    rounds = [
        {side: _microseconds(python, side) for side, python in pythons.items()}
        for _ in range(bench.rounds)
    ]
    for way, (what, limit) in whats.items():
        ours = median(each[way] for each in rounds)
        yield Row("P14", what, f"≤ {limit} µs", "–", ours, " µs CPU")
        for side, (goal, against) in goals.items():
            row = partial(Row, "P14", what, f"≥ {goal}×", against)
            if side not in pythons:
                yield row(note="not installed: `make bench-peers` says why")
                continue
            theirs = median(each[side] for each in rounds)
            times = median(each[side] / each[way] for each in rounds)
            yield row(times, "×", f"{ours:.1f} µs CPU", f"{theirs:.1f} µs CPU")


def package(bench: Workshop) -> Iterator[Row]:
    """P15: a generated package, from its import to its list."""
    project = bench.project(bench.tools)
    run(Command((TOOLSPEC, "compile"), project, accepted=(0, 1)))
    ours = partial(_listed, PYTHON, "toolspec", project)
    usages = alternate([ours, bench.python("pass")], 10)
    least, whole = typical(usages[1]).cpu, typical(usages[0]).cpu
    what = f"generated package of {bench.tools:,} tools: import, registry, list"
    over = 1000 * (whole - least)
    yield Row("P15", what, "≤ 17 ms", "`python -c pass`", over, f" {MILLI}")
    row = partial(Row, "P15", what, "≥ 250×", f"{_FASTMCP} `from_openapi`")
    python = bench.peers_python("fastmcp")
    if not python:
        yield row(note="not installed: `make bench-peers` says why")
        return
    document = bench.corpus(bench.tools) / "openapi" / "openapi.json"
    # One run of minutes: nothing else takes a part in it that could be seen.
    theirs = 1000 * (run(_listed(python, "fastmcp", document)).cpu - least)
    yield row(theirs / over, "×", f"{over:.0f} {MILLI}", f"{theirs:.0f} {MILLI}")


def stdio(bench: Workshop) -> Iterator[Row]:
    """P17: a server on stdio, from its start to its first list."""
    project = bench.project(20)
    run(Command((TOOLSPEC, "compile"), project, accepted=(0, 1)))
    [manifest] = (project / "generated").glob("*/mcp-2025-11-25.json")
    sides = ((TOOLSPEC, "serve"), (PYTHON, str(HERE / "bare.py"), str(manifest)))
    pairs = [[answered(each, project) for each in sides] for _ in range(2 * bench.rounds + 1)][1:]
    ours, theirs = ([pair[side] for pair in pairs] for side in (0, 1))
    shown = [f"{1000 * typical(each).cpu:.0f} {MILLI}" for each in (ours, theirs)]
    what = "server on stdio, spawn to `tools/list` answered, 20 tools"
    yield Row("P17", what, "≤ 1.0×", "bare server on the SDK", ratio(ours, theirs), "×", *shown)


def load(bench: Workshop) -> Iterator[Row]:
    """A server over HTTP under load."""
    command = [PYTHON, str(HERE / "load.py"), str(bench.fresh() / "project"), str(LOAD)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise FailedError(done.stderr[-600:])
    found = json.loads(done.stdout)
    what = f"{LOAD:,} calls over HTTP, 2 workers"
    speed = f"{found['a second']:.0f} calls a second, p50 {1000 * found['p50']:.0f} ms, "
    note = f"{speed}p99 {1000 * found['p99']:.0f} ms, no error"
    (small, large), (few, many) = found["memory"], found["descriptors"]
    growth = 100 * (large / small - 1)
    now, before = (f"{each / 1024:.0f} MiB" for each in (large, small))
    against = "itself after 5,000 calls"
    yield Row("load", f"{what}: memory", "≤ 5 %", against, growth, " %", now, before, note)
    yield Row("load", f"{what}: descriptors", "≤ 0 more", against, many - few, " more")


def answered(command: Sequence[str], folder: Path) -> Usage:
    """Return what a server used until it had listed its tools and its client had gone."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(),
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    client = {"name": "bench", "version": "1"}
    opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    for message in (
        {"id": 1, "method": "initialize", "params": opening},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ):
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()
        if "id" in message:
            answer = json.loads(process.stdout.readline())
            assert answer["id"] == message["id"]
    wall = time.perf_counter() - start
    process.stdin.close()
    process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def _listed(python: str, side: str, location: Path) -> Command:
    return Command((python, str(HERE / "package.py"), side, str(location)), HERE)


def _microseconds(python: str, side: str) -> float:
    command = [python, str(HERE / "calls.py"), side]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise FailedError(f"{side}: {done.stderr[-600:]}")
    return float(done.stdout.split()[-1])


ROWS: dict[str, Callable[[Workshop], Iterator[Row]]] = {
    "P14": calls,
    "P15": package,
    "P17": stdio,
    "load": load,
}
