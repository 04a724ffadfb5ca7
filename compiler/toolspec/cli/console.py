"""Terminal output: diagnostics and results to stdout, progress to stderr, colors for people."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Unpack

from toolspec.cli.color import wants_color
from toolspec.cli.exit_codes import Exit
from toolspec.reports import render
from toolspec.sinks.terminal import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import TextIO

    from rich.status import Status

    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.report import ReportStyle


def say(text: str) -> None:
    """Print a line of the result."""
    print(text)


def complain(text: str) -> None:
    """Print an error about the command line."""
    print(f"toolspec: {printable(text)}", file=sys.stderr)


def usage_error(text: str) -> Exit:
    """Print an error about the command line, and return its exit status."""
    complain(text)
    return Exit.USAGE


def count(number: int, noun: str) -> str:
    """Return a number with its noun, `1 tool` or `2 tools`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def painter(stream: TextIO) -> Callable[[str, str], str]:
    """Return a function that styles text for a stream; it returns text unchanged without color."""
    if not wants_color(stream):
        return lambda _, text: text
    return lambda style, text: f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def write(text: str) -> None:
    """Print a text without adding a line ending."""
    sys.stdout.write(text)


def show_diffs(diffs: Iterable[str], *, to_stderr: bool = False) -> None:
    """Print diffs for `patch`: a CR that ends a line stays, other control characters are escaped."""
    stream = sys.stderr if to_stderr else sys.stdout
    for diff in diffs:
        for line in diff.removesuffix("\n").split("\n"):
            plain = line.removesuffix("\r")
            print(printable_lines(plain) + line[len(plain) :], file=stream)


def report_text(
    diagnostics: tuple[Diagnostic, ...], form: str, **style: Unpack[ReportStyle]
) -> str:
    """Return the report in a format for stdout; empty if there is nothing to print."""
    colored: ReportStyle = {"color": wants_color(sys.stdout), **style}
    return render(form, diagnostics, **colored)


def report(diagnostics: tuple[Diagnostic, ...], root: Path | None = None) -> None:
    """Print the diagnostics for a person; the names of files are relative to `root`."""
    from toolspec.driver.report_files import paths_from_here

    shown = paths_from_here(root) if root else str
    write(report_text(diagnostics, "text", shown=shown))


@contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """Show a progress line; yield the function that sets it.

    Only on stderr with color, and only from the `LONG_WORK`th step on: most builds end before it
    could be read.
    """
    if not wants_color(sys.stderr):
        yield lambda _: None
        return
    progress_line = _ProgressLine(title)
    try:
        yield progress_line.step
    finally:
        progress_line.end()


class _ProgressLine:
    """The progress line on stderr; rich is imported when there is something to draw."""

    def __init__(self, title: str) -> None:
        self._title, self._steps = title, 0
        self._status: Status | None = None

    def step(self, name: str) -> None:
        self._steps += 1
        if self._steps < LONG_WORK:
            return
        from rich.console import Console
        from rich.text import Text

        text = Text(f"{self._title}  {self._steps}  {printable(name)}")
        if self._status is None:
            self._status = Console(stderr=True).status(text)
            self._status.start()
        self._status.update(text)

    def end(self) -> None:
        if self._status:
            self._status.stop()


LONG_WORK = 8
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}
