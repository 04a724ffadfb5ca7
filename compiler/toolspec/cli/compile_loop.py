"""Loop of `toolspec compile --watch`: compiles, prints new diagnostics, calls `driver/watch.py`."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from threading import Event
from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.summary import totals
from toolspec.diagnostics import Checked, has_errors
from toolspec.driver.build import compile_specs
from toolspec.driver.clock import today
from toolspec.driver.watch import Watcher
from toolspec.shared.records import replace
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from toolspec.cli.report_options import ReportOptions
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, CompileOptions, Request

    Diagnostics = tuple[Diagnostic, ...]


def keep_compiling(
    request: Request, compile_options: CompileOptions, report_options: ReportOptions
) -> Exit:
    """Compile now and after every change; Ctrl-C ends the loop after a running compile.

    After an error the last valid output stays. A second Ctrl-C does not wait.
    """
    ended = _until_interrupted()
    compile_options = replace(compile_options, memory={})
    watcher = Watcher()
    reported: Diagnostics = ()
    while not ended.is_set():
        checked = compile_specs(replace(request, today=today()), options=compile_options)
        diagnostics = report_options.save(checked.diagnostics, checked.value)
        diagnostics = tuple(
            diagnostic for diagnostic in diagnostics if diagnostic.suppression is None
        )
        for text in _changes(reported, Checked(checked.value, diagnostics), report_options):
            console.write(text)
        sys.stdout.flush()
        reported = (*_without(_unchecked(reported, diagnostics), diagnostics), *diagnostics)
        watcher.wait(checked.value.fingerprints, ended)
    return Exit.INTERRUPTED


def _until_interrupted() -> Event:
    ended = Event()

    def end(number: int, _: FrameType | None) -> None:
        ended.set()
        signal.signal(number, signal.default_int_handler)

    signal.signal(signal.SIGINT, end)
    return ended


def _unchecked(reported: Diagnostics, diagnostics: Diagnostics) -> Diagnostics:
    """Return what was reported about things that a compile with some diagnostics did not reach.

    After an error in the configuration it read no document, and after any other compared no output.
    """
    errors = [diagnostic for diagnostic in diagnostics if has_errors([diagnostic])]
    if any(error.code.startswith("config/") for error in errors):
        return tuple(each for each in reported if not each.code.startswith("config/"))
    if errors and not any(error.code.startswith("output/") for error in errors):
        return tuple(each for each in reported if each.code.startswith("output/"))
    return ()


def _changes(
    reported: Diagnostics, checked: Checked[Build], report_options: ReportOptions
) -> Iterator[str]:
    """Yield the text for a compile: what changed since the previous one."""
    diagnostics, built = checked.diagnostics, checked.value
    yield report_options.text(_without(diagnostics, reported), root=built.project.root)
    unchecked = _unchecked(reported, diagnostics)
    for gone in _without(reported, diagnostics):
        if gone in unchecked:
            continue
        yield f"gone: {gone.severity}[{gone.code}] {printable(gone.message)}\n"
    if not has_errors(diagnostics):
        yield f"{totals(built, console.painter(sys.stdout))}\n"
    elif diagnostics != reported:
        out = printable(os.path.relpath(built.out))
        yield f"{out}/ is unchanged; watching\n"


def _without(these: Diagnostics, others: Diagnostics) -> Diagnostics:
    """Return the diagnostics that are not among the others, ignoring moved lines."""
    left = Counter(map(_identity, others))
    kept = []
    for diagnostic in these:
        if left[_identity(diagnostic)]:
            left[_identity(diagnostic)] -= 1
        else:
            kept.append(diagnostic)
    return tuple(kept)


def _identity(diagnostic: Diagnostic) -> tuple[str, str]:
    path = diagnostic.span.source.path if diagnostic.span else ""
    return (path, diagnostic.fingerprint)
