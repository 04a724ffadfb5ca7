"""Report options: formats, verbosity, and the severity that fails the command."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.diagnostics import Severity
from toolspec.driver.report_files import (
    append_step_summary,
    path_in_workspace,
    paths_from_here,
    paths_in_workspace,
)
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build
    from toolspec.reports.report import ReportStyle


class Format(StrEnum):
    """Report format."""

    TEXT = "text"
    SHORT = "short"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


class FailOn(StrEnum):
    """Minimum severity that fails the command."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Values of `--format`, `--fail-on` and `--verbose`, with defaults.

    `form` is for the standard output; `files` are other reports, each a format and a path.
    """

    form: Format = Format.TEXT
    fail_on: FailOn = FailOn.ERROR
    verbose: bool = False
    files: tuple[tuple[Format, str], ...] = ()

    @property
    def is_text(self) -> bool:
        """Return whether stdout is for a person; other formats contain only diagnostics."""
        return self.form is Format.TEXT

    @property
    def is_open(self) -> bool:
        """Return whether text may follow the diagnostics, which would break a JSON document."""
        return self.form not in (Format.JSON, Format.SARIF, Format.JUNIT)

    def text(
        self,
        diagnostics: tuple[Diagnostic, ...],
        build: Build | None = None,
        root: Path | None = None,
    ) -> str:
        """Return the report for the standard output; `root` as in `report`."""
        style = self._style(self.form, build, root)
        return console.report_text(diagnostics, self.form, **style)

    def report(
        self,
        diagnostics: tuple[Diagnostic, ...],
        build: Build | None = None,
        root: Path | None = None,
    ) -> tuple[Diagnostic, ...]:
        """Write the report files, print the diagnostics, and return them with any write errors.

        `root` is the folder that the names of files are relative to, if there is no build. In a
        GitHub workflow, `--format github` fills the step's summary too.
        """
        diagnostics = self.save(diagnostics, build, root)
        if self.form is Format.GITHUB:
            shown = self._style(self.form, build, root).get("shown", str)
            diagnostics += append_step_summary(diagnostics, shown)
        console.write(self.text(diagnostics, build, root))
        return diagnostics

    def show_diffs(
        self,
        diffs: Iterable[str],
        diagnostics: tuple[Diagnostic, ...],
        build: Build | None = None,
        root: Path | None = None,
    ) -> tuple[Diagnostic, ...]:
        """Print diffs in place of the report, and return the diagnostics as `report` does.

        A document for machines has the standard output alone: then the diffs go to stderr.
        """
        console.show_diffs(diffs, to_stderr=not self.is_open)
        if self.is_open:
            return self.save(diagnostics, build, root)
        return self.report(diagnostics, build, root)

    def save(
        self,
        diagnostics: tuple[Diagnostic, ...],
        build: Build | None = None,
        root: Path | None = None,
    ) -> tuple[Diagnostic, ...]:
        """Write the report files; return the diagnostics with any write errors."""
        if not self.files:
            return diagnostics
        from toolspec.driver.report_files import write_report
        from toolspec.reports import render

        problems: tuple[Diagnostic, ...] = ()
        for form, path in self.files:
            text = render(form, diagnostics, **self._style(form, build, root))
            problems += write_report(path, text)
        return diagnostics + problems

    def _style(self, form: Format, build: Build | None, root: Path | None) -> ReportStyle:
        style: ReportStyle = {"verbose": self.verbose, "limit": self.limit}
        root = build.project.root if build else root
        if root is not None:
            of_reader = paths_in_workspace if form is Format.GITHUB else paths_from_here
            style["shown"] = of_reader(root)
        if build is not None:
            style["documents"] = build.documents
            style["base"] = path_in_workspace(build.project.root)
        return style

    @property
    def limit(self) -> Severity:
        """Minimum severity that fails the command."""
        return Severity(self.fail_on.value)

    def status(self, diagnostics: tuple[Diagnostic, ...]) -> Exit:
        """Return the exit status for some diagnostics."""
        return status(diagnostics, self.fail_on)


def status(diagnostics: Iterable[Diagnostic], fail_on: FailOn = FailOn.ERROR) -> Exit:
    """Return the exit status for diagnostics, ignoring suppressed ones and those about the run.

    Usage and configuration (`config/…`, missing or unwritable paths, a folder in use) are the
    caller's mistakes: 2.
    """
    counted = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.suppression is None and not diagnostic.kind.is_about_run
    ]
    if any(
        diagnostic.severity is Severity.ERROR and diagnostic.code.startswith(_USAGE)
        for diagnostic in counted
    ):
        return Exit.USAGE
    limit = Severity(fail_on.value).rank
    return Exit.DIAGNOSTICS if any(d.severity.rank <= limit for d in counted) else Exit.CLEAN


_USAGE = ("config/", "project/no-specs", "project/missing-", "output/busy", "output/report")


class FormatError(Exception):
    """An invalid `--format`, with the reason as message."""


def report_options(
    formats: Iterable[str] | None, fail_on: FailOn = FailOn.ERROR, *, verbose: bool = False
) -> ReportOptions:
    """Return the report options of some `--format FORMAT` and `--format FORMAT=PATH`.

    Text for a person is the default on stdout. Raises FormatError for an unknown format, two of
    them on the standard output, and a path that cannot be written or appears twice.
    """
    options = ReportOptions(fail_on=fail_on, verbose=verbose)
    printed: Format | None = None
    for word in formats or ():
        name, equals, path = word.partition("=")
        form = _format(name)
        if equals:
            _check_path(word, path, options)
            options = replace(options, files=(*options.files, (form, path)))
        elif printed is None:
            printed = form
        else:
            both = f"`{printed}` and `{form}`"
            message = f"{both} are both for the standard output; write one to a file: `{form}=PATH`"
            raise FormatError(message)
    return replace(options, form=printed or Format.TEXT)


def _format(name: str) -> Format:
    from toolspec.diagnostics import did_you_mean

    try:
        return Format(name)
    except ValueError:
        message = f"unknown format `{name}`; {did_you_mean(name, list(Format))}"
        raise FormatError(message) from None


def _check_path(word: str, path: str, options: ReportOptions) -> None:
    from toolspec.driver.report_files import obstacle, same_file

    reason = obstacle(path)
    if any(same_file(path, other) for _, other in options.files):
        reason = "another report has this path"
    if reason:
        message = f"`--format {word}` cannot be written: {reason}"
        raise FormatError(message)
