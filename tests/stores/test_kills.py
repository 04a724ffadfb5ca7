"""Workers and servers that are killed or stopped in the middle of calls: each key has one ending."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from threading import Thread

import pytest
from store_servers import WORKER, Server

LEASE = 1.0
UNKNOWN = "outcome_unknown"


class Ledger:
    """What handlers have written: `before`, `ready`, `begin` and `effect`, each with its key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def counts(self) -> Counter[tuple[str, str]]:
        text = self.path.read_text() if self.path.exists() else ""
        return Counter((word, key) for word, key in map(str.split, text.splitlines()))

    def wait_for(self, word: str, key: str) -> None:
        while not self.counts()[word, key]:
            time.sleep(0.002)


@contextmanager
def worker(url: str, ledger: Ledger, lease: float = LEASE) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*WORKER, url, str(ledger.path), str(lease), "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def send(process: subprocess.Popen[str], *keys: str) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write("".join(f"{key}\n" for key in keys))
        process.stdin.flush()


def outcomes(url: str, ledger: Ledger, keys: list[str]) -> dict[str, str]:
    """Return the endings of all keys, as another worker learns them."""
    with worker(url, ledger) as process:
        send(process, *keys)
        assert process.stdout is not None
        return dict(process.stdout.readline().split() for _ in keys)


def check(ledger: Ledger, before: Counter[tuple[str, str]], endings: dict[str, str]) -> None:
    """Check all endings against the effects; `before` is the ledger before they were asked for."""
    after = ledger.counts()
    for key, ending in endings.items():
        effects = after["effect", key]
        if ending == UNKNOWN:
            assert before["ready", key], "its handler cannot have begun"
            assert effects <= 1
            assert after["begin", key] == before["begin", key], "it ran again"
        else:
            assert ending == f"done-{key}"
            assert (effects, after["begin", key]) == (1, 1)


def kill_workers(url: str, ledger: Ledger, count: int, seed: int) -> Counter[str]:
    """Kill so many workers, each at some moment of its calls; return how the calls have ended."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable choice
    keys: list[str] = []
    for number in range(count):
        own = [f"{number}-{each}" for each in range(4)]
        keys += own
        with worker(url, ledger) as process:
            send(process, *own)
            if number % 4:  # at a chosen step of the first call, else at any time
                ledger.wait_for(("before", "begin", "effect")[number % 4 - 1], own[0])
            time.sleep(chance.uniform(0, 0.04))
            process.kill()
            process.wait()
    before = ledger.counts()
    endings = outcomes(url, ledger, keys)
    check(ledger, before, endings)
    assert outcomes(url, ledger, keys) == endings, "they are final"
    return Counter("unknown" if ending == UNKNOWN else "done" for ending in endings.values())


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_killed_worker_leaves_one_ending_for_each_key(url: str, tmp_path: Path) -> None:
    endings = kill_workers(url, Ledger(tmp_path / "ledger"), 2, seed=1)
    assert sum(endings.values()) == 8


@pytest.mark.prove
def test_two_hundred_killed_workers_leave_one_ending_for_each_key(url: str, tmp_path: Path) -> None:
    endings = kill_workers(url, Ledger(tmp_path / "ledger"), 200, seed=2)
    print(endings)
    assert endings["unknown"]
    assert endings["done"]


def stop_worker(url: str, ledger: Ledger, key: str, step: str) -> None:
    """Stop a worker at a step of its call for two leases, and let it go on afterwards."""
    with worker(url, ledger) as stopped, worker(url, ledger) as other:
        assert stopped.stdout is not None
        assert other.stdout is not None
        send(stopped, key)
        ledger.wait_for(step, key)
        stopped.send_signal(signal.SIGSTOP)
        time.sleep(2 * LEASE)
        before = ledger.counts()
        send(other, key)
        if not select([other.stdout], [], [], 20)[0]:
            assert url.startswith("sqlite"), "stopped in a transaction, it holds a file for itself"
        stopped.send_signal(signal.SIGCONT)
        own, first = (dict([each.readline().split()]) for each in (stopped.stdout, other.stdout))
    assert outcomes(url, ledger, [key]) == first, "the worker that woke has settled it"
    counts = ledger.counts()
    if first[key] == UNKNOWN:
        assert before["ready", key]
        assert counts["effect", key] <= 1
        assert own[key] in (UNKNOWN, f"done-{key}")
    else:
        # It was stopped before its handler, or after the end of the call.
        assert first == own == {key: f"done-{key}"}
        assert counts["effect", key] == 1


@pytest.mark.prove
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_worker_that_wakes_after_its_lease_settles_nothing(url: str, tmp_path: Path) -> None:
    stop_worker(url, Ledger(tmp_path / "ledger"), "a", "begin")


@pytest.mark.prove
def test_twenty_workers_that_wake_after_their_leases_settle_nothing(
    url: str, tmp_path: Path
) -> None:
    steps = ("before", "ready", "begin", "effect")
    for number in range(20):
        stop_worker(url, Ledger(tmp_path / "ledger"), str(number), steps[number % 4])


@pytest.mark.prove
@pytest.mark.parametrize("kind", ["redis", "postgresql"], indirect=True)
def test_fifty_kills_of_the_server_leave_one_ending_for_each_key(
    server: Server, url: str, tmp_path: Path
) -> None:
    ledger, chance = Ledger(tmp_path / "ledger"), random.Random(3)  # noqa: S311 - a repeatable choice
    answers: dict[str, str] = {}
    keys: list[str] = []
    with worker(url, ledger) as process:
        assert process.stdout is not None
        output = process.stdout

        def read() -> None:
            answers.update(line.split() for line in output)

        reader = Thread(target=read)
        reader.start()
        for number in range(50):
            own = [f"{number}-{each}" for each in range(8)]
            keys += own
            send(process, *own)
            time.sleep(chance.uniform(0, 0.3))
            server.kill()
            server.start()
        while len(answers) < len(keys):
            time.sleep(0.05)
        process.kill()
        reader.join()
    before = ledger.counts()
    endings = outcomes(url, ledger, keys)
    check(ledger, before, endings)
    for key, answer in answers.items():
        assert ledger.counts()["effect", key] == 1 or answer == UNKNOWN
        assert endings[key] in (answer, UNKNOWN), "the first answer is the one that is kept"
    print(Counter("unknown" if each == UNKNOWN else "done" for each in endings.values()))
