"""A compile that is told to stop at any moment: the old output or the new one, and nobody left behind."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sampling import sampled

SERVICE = """toolspec: 1
service: {{name: {name}, description: About {name}.}}
tools:
"""
TOOL = """  - name: {tool}
    description: {text}
    mutation: false
    inputSchema: {{type: object, properties: {{text: {{type: string, description: {text}}}}}}}
    outputSchema: {{type: string}}
"""
NAMES = ("alpha", "beta", "gamma", "delta")
COMMAND = [
    sys.executable,
    "-c",
    "import sys; sys.argv[0] = 'toolspec'; from toolspec.cli.main import main; main()",
    "compile",
    "--no-cache",
]
MINE = b"mine\n"


def write(folder: Path, text: str) -> None:
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        tools = (TOOL.format(tool=f"read{each}", text=text) for each in range(5))
        (folder / "specs" / f"{name}.yaml").write_text(SERVICE.format(name=name) + "".join(tools))


def snapshot(out: Path) -> dict[str, bytes]:
    found = (path for path in out.rglob("*") if path.is_file())
    paths = {path.relative_to(out).as_posix(): path for path in found}
    return {name: path.read_bytes() for name, path in paths.items() if name[:10] != ".toolspec/"}


def started(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(folder: Path) -> float:
    """Compile to the end; return the seconds that it took."""
    start = time.monotonic()
    with started(folder) as process:
        said = process.communicate()
    assert process.returncode == 0, said
    return time.monotonic() - start


def stop_at_random(folder: Path, rounds: int, options: tuple[str, ...]) -> int:
    """Stop compiles of an edited project; return how many of them had not come to their end."""
    chance = random.Random(7)  # noqa: S311 - moments, not secrets
    write(folder, "An old text.")
    finished(folder)
    out, kept = folder / "generated", folder.parent / "kept"
    (out / "mine.txt").write_bytes(MINE)
    old = snapshot(out)
    shutil.copytree(out, kept)
    write(folder, "Another text.")
    seconds = finished(folder)
    new = snapshot(out)
    stopped = 0
    for number in range(rounds):
        shutil.rmtree(out)
        shutil.copytree(kept, out)
        with started(folder, *options) as process:
            if number:  # the first is stopped before it can have come to its end
                time.sleep(chance.uniform(0.2, 1.1) * seconds)
            process.send_signal(chance.choice([signal.SIGINT, signal.SIGTERM]))
            said = process.communicate()
        now = snapshot(out)
        is_between = (out / ".toolspec" / "moves.json").exists()
        assert is_between or now in (old, new), said
        assert now["mine.txt"] == MINE
        assert all(data in (old.get(path), new.get(path)) for path, data in now.items()), said
        assert process.returncode != 0 or now == new, said
        assert sorted(path.name for path in folder.iterdir()) == ["generated", "specs"]
        stopped += process.returncode != 0
        seconds = finished(folder)
        assert snapshot(out) == new
        assert not (out / ".toolspec").exists()
    return stopped


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--jobs", "1"), id="one", marks=pytest.mark.prove),
        pytest.param(("--jobs", "2"), id="two"),
    ],
)
def test_a_few_moments(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert stop_at_random(tmp_path / "project", 1, options)


@pytest.mark.prove
@pytest.mark.parametrize("options", [("--jobs", "1"), ("--jobs", "2")], ids=["one", "two"])
def test_a_hundred_moments(tmp_path: Path, options: tuple[str, ...]) -> None:
    print(stop_at_random(tmp_path / "project", 100, options), "of 100 were stopped")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes by /proc")
def test_processes_end_with_the_one_that_was_killed(tmp_path: Path) -> None:
    write(tmp_path, "A text.")
    with started(tmp_path, "--jobs", "2") as process:
        at = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        children: list[int] = []
        while len(children) < 2 and process.poll() is None:
            children = [int(each) for each in at.read_text().split()]
        assert len(children) == 2
        process.kill()
        process.communicate()
    end = time.monotonic() + 30
    while any(map(is_running, children)):
        assert time.monotonic() < end, "a process is left"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


INTERRUPTED_START = """
import sys
from concurrent.futures import process

def interrupt(executor):
    executor._launch_processes()
    raise KeyboardInterrupt

process.ProcessPoolExecutor._start_executor_manager_thread = interrupt
sys.argv[0] = "toolspec"
from toolspec.cli.main import main
main()
"""


def test_an_interrupt_while_workers_start_ends_them(tmp_path: Path) -> None:
    write(tmp_path, "A text.")
    command = [sys.executable, "-c", INTERRUPTED_START, *COMMAND[3:], "--jobs", "2"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=60)
    assert done.returncode == 130


INTERRUPTED_TASK = """
import queue
import sys

put = queue.Queue.put
left = 2

def interrupt(tasks, *task, **options):
    global left
    left -= 1
    if not left:
        raise KeyboardInterrupt
    put(tasks, *task, **options)

queue.Queue.put = interrupt
sys.argv[0] = "toolspec"
from toolspec.cli.main import main
main()
"""


def test_an_interrupt_while_a_task_is_handed_over_ends_a_compile(tmp_path: Path) -> None:
    write(tmp_path, "A text.")
    command = [sys.executable, "-c", INTERRUPTED_TASK, *COMMAND[3:], "--jobs", "2"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")


INTERRUPTED_LOCK = """
import sys
import threading

enter = threading.Condition.__enter__
left = int(sys.argv.pop(1))

def interrupt(condition):
    global left
    taken = enter(condition)
    if threading.get_ident() == threading.main_thread().ident:
        left -= 1
        if not left:
            raise KeyboardInterrupt
    return taken

threading.Condition.__enter__ = interrupt
sys.argv[0] = "toolspec"
from toolspec.cli.main import main
main()
"""


@pytest.mark.parametrize("number", sampled([1, 2, 3, 4], 1))
def test_an_interrupt_that_leaves_a_lock_taken_ends_a_commit(tmp_path: Path, number: int) -> None:
    write(tmp_path, "A text.")
    command = [sys.executable, "-c", INTERRUPTED_LOCK, str(number), *COMMAND[3:], "--jobs", "1"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")
    assert snapshot(tmp_path / "generated") == {}
    finished(tmp_path)
