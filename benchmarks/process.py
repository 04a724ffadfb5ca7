"""Whole processes and what they cost: CPU seconds, wall seconds and peak memory of a command."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from statistics import median
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Command:
    """A command line, where it runs, and the statuses that count as done."""

    arguments: Sequence[str]
    folder: Path
    accepted: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Usage:
    """What a process and those it waited for used."""

    cpu: float
    wall: float
    mebibytes: float


class FailedError(Exception):
    """A command that failed: its exit status, if it had one, and the end of its output."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def environment() -> Mapping[str, str]:
    """Return the environment of every measured process.

    Bytecode is kept, as it is on a user's machine: without it each start compiles our modules anew.
    """
    hidden = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    return {key: value for key, value in os.environ.items() if key not in hidden}


def run(command: Command) -> Usage:
    """Return what a command used. Raises FailedError where it ends with another status."""
    start = time.perf_counter()
    with TemporaryFile() as output:  # in another folder: the command's own must stay as it was
        process = subprocess.Popen(
            command.arguments,
            cwd=command.folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", errors="replace")
    if process.returncode not in command.accepted:
        message = f"{' '.join(command.arguments[:4])}: {process.returncode}\n{text[-600:]}"
        raise FailedError(message, process.returncode)
    return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def alternate(makers: Sequence[Callable[[], Command]], rounds: int) -> list[list[Usage]]:
    """Return the usages of each command, run in turn: A B C A B C …, after one round to warm up.

    The warm-up is left out for what takes longer than ten seconds: start-up is nothing there.
    """
    usages: list[list[Usage]] = [[] for _ in makers]
    for maker, own in zip(makers, usages, strict=True):
        first = run(maker())
        if first.wall > WARM:
            own.append(first)
    for _ in range(rounds):
        for maker, own in zip(makers, usages, strict=True):
            if len(own) < rounds:
                own.append(run(maker()))
    return usages


WARM = 10.0


def typical(usages: Sequence[Usage]) -> Usage:
    """Return the median of each figure."""
    return Usage(
        median(each.cpu for each in usages),
        median(each.wall for each in usages),
        max(each.mebibytes for each in usages),
    )


def ratio(over: Sequence[Usage], under: Sequence[Usage]) -> float:
    """Return the median over the pairs of CPU seconds: how many times `under` fits into `over`."""
    return median(one.cpu / other.cpu for one, other in zip(over, under, strict=True))
