"""Runs the real command many times, each in a forked process with limits of its own.

Read by this module as a script: a list of jobs as JSON on stdin, their results as JSON on stdout. Forking
a process that has the compiler loaded costs a tenth of starting one.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

MEMORY = 600 << 20
SECONDS = 20
# The configuration and the last answer are looked for in the folders above, too.
_LOOKED_FOR = re.compile(r"/(toolspec\.toml|pyproject\.toml|\.toolspec-cache/last-compile)\Z")


@dataclass(frozen=True)
class Run:
    """What one run left behind: status (negative for a signal), streams, and what it touched."""

    status: int
    stdout: str
    stderr: str
    events: tuple[str, ...]


def run_all(jobs: list[tuple[Path, list[str]]]) -> list[Run]:
    """Return the outcome of each job: arguments of the command, run in a folder."""
    request = json.dumps([(str(folder), arguments) for folder, arguments in jobs])
    done = subprocess.run(
        [sys.executable, __file__], input=request, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [Run(**{**each, "events": tuple(each["events"])}) for each in json.loads(done.stdout)]


def _watch(events: list[str], folder: str) -> None:
    """Note every socket, every process, and every file that is written or lies elsewhere."""
    own = (folder, sys.prefix, sys.base_prefix, str(Path(__file__).parents[2]), "/proc", "/dev")
    own += tuple(path for path in sys.path if path)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith(("socket.", "subprocess.", "os.exec", "os.system", "os.posix_spawn")):
            events.append(event)
        if event == "open" and isinstance(arguments[0], str):
            path = str(Path.cwd() / arguments[0])
            writes = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
            # A file without a name is opened by its folder.
            inside = path.startswith(folder + os.sep) or path == folder
            if (writes and not inside) or (
                not path.startswith(own) and not _LOOKED_FOR.search(path)
            ):
                events.append(f"open {path}")

    sys.addaudithook(hook)


def _child(folder: str, arguments: list[str], streams: tuple[int, int], report: int) -> None:
    """Become the command; never returns."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(folder)
    os.dup2(streams[0], 1)
    os.dup2(streams[1], 2)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - the same
    from toolspec.cli.main import main

    events: list[str] = []
    _watch(events, folder)
    sys.argv = ["toolspec", *arguments]
    status = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(report, json.dumps(events[:20]).encode())
    os._exit(status)


def _run(folder: str, arguments: list[str]) -> dict[str, object]:
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as seen,
    ):
        child = os.fork()
        if child == 0:
            try:
                _child(folder, arguments, (out.fileno(), err.fileno()), seen.fileno())
            finally:
                os._exit(70)
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.alarm(SECONDS)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        signal.alarm(0)
        texts = []
        for stream in (out, err, seen):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "backslashreplace"))
    return {
        "status": status,
        "stdout": texts[0],
        "stderr": texts[1],
        "events": json.loads(texts[2] or "[]"),
    }


def _preload() -> None:
    """Load what a run needs, by running once over documents with faults and once over one without."""
    spec = (
        '{"toolspec": 1, "service": {"name": "a", "description": "A."}, "tools": [{"name": "b",'
        ' "description": "B.", "mutation": false, "outputSchema": {"type": "string"}}]}'
    )
    from toolspec.cli.app import app
    from typer.testing import CliRunner

    home = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("specs").mkdir()
        Path("specs/a.json").write_text(spec)
        Path("specs/b.yaml").write_text("tools:\n  - nam: b\n    inputSchema: {type: 1}\n")
        for form in ("text", "short", "json", "github"):
            CliRunner().invoke(app, ["compile", "--format", form])
        Path("specs/b.yaml").unlink()
        CliRunner().invoke(app, ["compile"])
        os.chdir(home)


if __name__ == "__main__":
    _preload()
    print(json.dumps([_run(folder, arguments) for folder, arguments in json.load(sys.stdin)]))
