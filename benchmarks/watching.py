"""CPU of `toolspec compile --watch` while nothing changes (Linux)."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from process import FailedError, environment
from workshop import TOOLSPEC

SECONDS = 20
# The first polls after a compile find the caches of the processor filled with other things.
WARM_UP = 3
SERVICE = """toolspec: 1
service: {{name: {name}, description: A service of one tool.}}
tools:
  - name: ping
    description: Answer a call.
    mutation: false
    outputSchema: {{type: string}}
"""


def make_project(folder: Path, tools: int) -> None:
    """Write a project with a document for each tool."""
    (folder / "specs").mkdir()
    for number in range(tools):
        name = f"s{number:05}"
        text = SERVICE.format(name=name)
        (folder / "specs" / f"{name}.yaml").write_text(text, encoding="utf-8")


def idle(folder: Path) -> float:
    """Return the CPU seconds that a watcher uses in 20 seconds of wall time without a change."""
    with subprocess.Popen(
        (TOOLSPEC, "compile", "--watch", "--target", "catalog"),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        if not any("written" in line for line in process.stdout):
            raise FailedError("the watcher ended before it had compiled")
        time.sleep(WARM_UP)
        before = _cpu(process.pid)
        time.sleep(SECONDS)
        used = _cpu(process.pid) - before
        process.terminate()
    return used


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process so far, all its threads added up."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9
