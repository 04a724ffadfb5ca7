"""CPU of `toolspec compile --watch`: while nothing changes, and for an edit (Linux)."""

from __future__ import annotations

import contextlib
import re
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from process import FailedError, environment
from workshop import TOOLSPEC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

SECONDS = 20
# The first polls after a compile find the caches of the processor filled with other things.
WARM_UP = 3
_SUMMARY = re.compile(r"\d+ written, \d+ unchanged")
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
    with _watcher(folder, "--target", "catalog") as (pid, _):
        time.sleep(WARM_UP)
        before = _cpu(pid)
        time.sleep(SECONDS)
        return _cpu(pid) - before


def edits(folder: Path, source: Path, texts: Iterable[str]) -> Iterator[float]:
    """Yield the CPU seconds that a watcher uses for each new text of a source.

    The first edit is left out: it fills the watcher's memory.
    """
    with _watcher(folder) as (pid, output):
        for number, text in enumerate(texts):
            time.sleep(WARM_UP)
            before = _cpu(pid)
            source.write_text(text, encoding="utf-8")
            _wait(output)
            time.sleep(0.5)  # what follows the summary
            if number:
                yield _cpu(pid) - before


@contextlib.contextmanager
def _watcher(folder: Path, *options: str) -> Iterator[tuple[int, IO[str]]]:
    """Run a watcher, and yield its process and its output after the first compile."""
    with subprocess.Popen(
        (TOOLSPEC, "compile", "--watch", *options),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        try:
            _wait(process.stdout)
            yield process.pid, process.stdout
        finally:
            process.terminate()


def _wait(output: IO[str]) -> None:
    """Return after the summary of the next compile. Raises FailedError at the end of the output."""
    if not any(_SUMMARY.search(line) for line in output):
        message = "the watcher ended before it had compiled"
        raise FailedError(message)


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process so far, all its threads added up."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9
