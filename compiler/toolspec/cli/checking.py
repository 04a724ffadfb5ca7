"""Implementation of `toolspec check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FailOn, FormatError, report_options
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.providers.tool_sizes import shown, total

if TYPE_CHECKING:
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.fixing import FixResult


def run(  # noqa: PLR0913 - the options of the command
    paths: list[str] | None = None,
    *,
    target: list[str] | None = None,
    form: list[str] | None = None,
    fail_on: FailOn = FailOn.ERROR,
    verbose: bool = False,
    fix: bool = False,
    unsafe_fixes: bool = False,
    diff: bool = False,
) -> Exit:
    """Run the command with its options, and return the exit status."""
    request = Request(tuple(paths or ()), targets=tuple(target or ()))
    try:
        reporting = report_options(form, fail_on, verbose=verbose)
    except FormatError as error:
        return console.usage_error(str(error))
    if fix or diff:
        return _fix(request, reporting, unsafe=unsafe_fixes, writes=not diff)
    if unsafe_fixes:
        return console.usage_error("--unsafe-fixes requires --fix or --diff")
    return check(request, reporting)


def check(request: Request, report_options: ReportOptions) -> Exit:
    """Check the documents of a request, print the report, and return the exit status."""
    with console.progress("checking") as step:
        checked = build.check(request, step)
    diagnostics = report_options.report(checked.diagnostics, checked.value)
    if report_options.is_text and all(diagnostic.suppression for diagnostic in diagnostics):
        tools = sum(1 for _ in checked.value.program.tools)
        services = len(checked.value.program.services)
        hidden = f", {len(diagnostics)} suppressed" if diagnostics else ""
        size = shown(total(service.sizes for service in checked.value.summaries))
        console.say(
            f"{console.count(tools, 'tool')} of {console.count(services, 'service')}, "
            f"about {size} tokens: clean{hidden}"
        )
    return report_options.status(diagnostics)


def _fix(request: Request, report_options: ReportOptions, *, unsafe: bool, writes: bool) -> Exit:
    """Apply the fixes, or print them as a diff; report the remaining diagnostics."""
    from toolspec.driver import fixing

    with console.progress("fixing") as step:
        result = fixing.fix(request, unsafe=unsafe, write=writes, progress=step)
    diagnostics = result.checked.diagnostics
    if result.files and not writes:
        diffs = (file.diff for file in result.files)
        diagnostics = report_options.show_diffs(diffs, diagnostics, result.checked.value)
        return report_options.status(diagnostics) or Exit.DIAGNOSTICS
    diagnostics = report_options.report(diagnostics, result.checked.value)
    if writes and report_options.is_text:
        console.say(_summary(result))
    return report_options.status(diagnostics)


def _summary(result: FixResult) -> str:
    """Return one line about the applied fixes and those that remain."""
    text = "fixed nothing"
    if result.fixed:
        files = console.count(len(result.files), "file")
        text = f"fixed {console.count(result.fixed, 'diagnostic')} in {files}"
    return f"{text}; {result.unsafe} more with --unsafe-fixes" if result.unsafe else text
