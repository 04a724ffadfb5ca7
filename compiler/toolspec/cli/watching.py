"""`toolspec compile --watch`: compiles on every change and prints only new diagnostics."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.summary import totals
from toolspec.diagnostics import Checked, has_errors
from toolspec.driver.build import compile_specs
from toolspec.driver.clock import today
from toolspec.driver.watch import Watcher
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from toolspec.cli.report_options import ReportOptions
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, CompileOptions, Request

    Findings = tuple[Diagnostic, ...]


def keep_compiling(
    request: Request, compile_options: CompileOptions, telling: ReportOptions
) -> Exit:
    """Compile now and after every change; Ctrl-C lets a running compile finish.

    After an error the last good output stays as it is. A second Ctrl-C does not wait.
    """
    ended = _until_interrupted()
    watcher = Watcher()
    told: Findings = ()
    while not ended.is_set():
        checked = compile_specs(replace(request, today=today()), options=compile_options)
        found = telling.save(checked.diagnostics, checked.value)
        standing = tuple(each for each in found if each.suppression is None)
        for text in _news(told, Checked(checked.value, standing), telling):
            console.write(text)
        sys.stdout.flush()
        told = (*_unread(told), *standing) if _is_blind(standing) else standing
        watcher.wait(checked.value.stamps, ended)
    return Exit.INTERRUPTED


def _until_interrupted() -> Event:
    ended = Event()

    def end(number: int, _: FrameType | None) -> None:
        ended.set()
        signal.signal(number, signal.default_int_handler)

    signal.signal(signal.SIGINT, end)
    return ended


def _is_blind(found: Findings) -> bool:
    """Return whether the configuration has an error, so that no document was read."""
    return has_errors([each for each in found if each.code.startswith("config/")])


def _unread(told: Findings) -> Findings:
    """Return the diagnostics that stay valid if no document was read: those about documents."""
    return tuple(each for each in told if not each.code.startswith("config/"))


def _news(told: Findings, checked: Checked[Build], telling: ReportOptions) -> Iterator[str]:
    """Yield the text for a compile: what changed since the previous one."""
    found, done = checked.diagnostics, checked.value
    yield telling.text(_without(found, told))
    for gone in _without(told, found):
        if _is_blind(found) and gone in _unread(told):
            continue
        yield f"gone: {gone.severity}[{gone.code}] {printable(gone.message)}\n"
    if not has_errors(found):
        yield f"{totals(done, console.painter(sys.stdout))}\n"
    elif found != told:
        out = printable(os.path.relpath(done.out))
        yield f"{out}/ stays as it is; watching\n"


def _without(these: Findings, others: Findings) -> Findings:
    """Return the diagnostics that are not among the others, ignoring moved lines."""
    left = Counter(map(_identity, others))
    kept = []
    for each in these:
        if left[_identity(each)]:
            left[_identity(each)] -= 1
        else:
            kept.append(each)
    return tuple(kept)


def _identity(finding: Diagnostic) -> tuple[str, str]:
    return (finding.span.source.path if finding.span else "", finding.fingerprint)
