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
        has_config_error = _has_config_error(diagnostics)
        reported = (*_about_documents(reported), *diagnostics) if has_config_error else diagnostics
        watcher.wait(checked.value.fingerprints, ended)
    return Exit.INTERRUPTED


def _until_interrupted() -> Event:
    ended = Event()

    def end(number: int, _: FrameType | None) -> None:
        ended.set()
        signal.signal(number, signal.default_int_handler)

    signal.signal(signal.SIGINT, end)
    return ended


def _has_config_error(diagnostics: Diagnostics) -> bool:
    """Return whether the configuration has an error, so that no document was read."""
    return has_errors(
        [diagnostic for diagnostic in diagnostics if diagnostic.code.startswith("config/")]
    )


def _about_documents(diagnostics: Diagnostics) -> Diagnostics:
    """Return the diagnostics about documents, which stay valid if no document was read."""
    return tuple(
        diagnostic for diagnostic in diagnostics if not diagnostic.code.startswith("config/")
    )


def _changes(
    reported: Diagnostics, checked: Checked[Build], report_options: ReportOptions
) -> Iterator[str]:
    """Yield the text for a compile: what changed since the previous one."""
    diagnostics, built = checked.diagnostics, checked.value
    yield report_options.text(_without(diagnostics, reported))
    for gone in _without(reported, diagnostics):
        if _has_config_error(diagnostics) and gone in _about_documents(reported):
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
