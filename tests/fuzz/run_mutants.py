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

sys.path.insert(0, str(Path(__file__).parent))

import toolspec.targets.discovery
from mutants import ROOT, mutant, seeds
from toolspec.diagnostics import has_errors
from toolspec.driver.analysis import AnalysisTask, analyse, in_order
from toolspec.driver.config import Config, Project
from toolspec.driver.workspace import FileSnapshot
from toolspec.ir import Program
from toolspec.reports import names, render
from toolspec.targets.target import EmitContext, emit_program

SECONDS, MEMORY = 2.0, 300 << 20


# Nothing of the disk is read: includes and references of a mutant lead nowhere. Tools with errors are
# lowered for a provider as well, as far as they can be.
PROJECT = Project(
    Path("/nonexistent"),
    Config(targets=("python", "anthropic", "gemini", "openai-chat")),
    is_configured=False,
)


def check(name: str, data: bytes) -> None:
    task = AnalysisTask(PROJECT, name, {name: FileSnapshot("", data)}, has_service=True)
    analysis = analyse(task)
    for form in names():
        render(form, in_order(analysis.diagnostics)).encode()
    if has_errors(analysis.diagnostics) or analysis.service is None:
        return
    shared = EmitContext()
    for target in toolspec.targets.discovery.built_in():
        list(target.check_service(analysis.service, shared))
        emitted = emit_program(target, Program((analysis.service,)), shared=shared)
        for artifact in emitted.value:
            artifact.text.encode()
        assert not has_errors(emitted.diagnostics), emitted.diagnostics


def main(first: int, last: int) -> None:
    origins = seeds()
    # Everything is loaded before it is limited: what makes artifacts, and what reports findings.
    check("notes.yaml", (ROOT / "specs" / "notes.yaml").read_bytes())
    check("broken.yaml", b"toolspec: 1\n")
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    for number in range(first, last):
        print(number, flush=True)
        # Its signal ends the process, even inside C.
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        check(*mutant(number, origins))
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
