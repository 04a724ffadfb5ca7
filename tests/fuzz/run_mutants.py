"""Checks a range of mutants in one process with limits; prints the number of each before it is tried.

    python run_mutants.py FIRST LAST

Ends with status 0 when every one of them ended in findings or in a program. A traceback, a signal, two
seconds of CPU or 300 MiB more than at the start end it with the number of the mutant last on stdout.
"""

from __future__ import annotations

import resource
import signal
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import toolspec.targets.discovery
from mutants import mutant, seeds
from toolspec.diagnostics import Checked, has_errors
from toolspec.driver.config import Config, Project
from toolspec.driver.pipeline import analyse
from toolspec.reports import names, render
from toolspec.syntax import parse
from toolspec.targets.target import EmitContext, emit_program

SECONDS, MEMORY = 2.0, 300 << 20


class OneFile:
    """A workspace of one document, as the pipeline asks for it."""

    used: frozenset[str] = frozenset()
    project = Project(Path(), Config(), is_configured=False)

    def __init__(self, name: str, data: bytes) -> None:
        self._name, self._data = name, data

    def document(self, name: str) -> Checked[Any]:
        return parse(self._name, self._data)

    def read(self, path: str, referrer: object) -> Checked[None]:
        return Checked(None)

    def glob(self, pattern: str, referrer: object) -> Checked[tuple[str, ...]]:
        return Checked(())


def check(name: str, data: bytes) -> None:
    workspace: Any = OneFile(name, data)
    checked = analyse(workspace, [name], "_", lambda _: None)
    for form in names():
        render(form, checked.diagnostics).encode()
    if has_errors(checked.diagnostics):
        return
    for target in toolspec.targets.discovery.built_in():
        for service in checked.value.services:
            list(target.check_service(service, EmitContext()))
        emitted = emit_program(target, checked.value)
        for artifact in emitted.value:
            artifact.text.encode()
        assert not has_errors(emitted.diagnostics), emitted.diagnostics


def main(first: int, last: int) -> None:
    origins = seeds()
    check(*mutant(0, [(".yaml", b"toolspec: 1\n")]))  # everything is loaded before it is limited
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    for number in range(first, last):
        print(number, flush=True)
        signal.setitimer(
            signal.ITIMER_VIRTUAL, SECONDS
        )  # its signal ends the process, even inside C
        check(*mutant(number, origins))
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
