"""Implementation of `toolspec fmt`."""

from __future__ import annotations

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import FormatError, report_options
from toolspec.driver import formatting
from toolspec.driver.build import Request


def run(
    paths: list[str] | None = None,
    *,
    check: bool = False,
    diff: bool = False,
    form: list[str] | None = None,
    verbose: bool = False,
) -> Exit:
    """Run the command with its options, and return the exit status."""
    try:
        reporting = report_options(form, verbose=verbose)
    except FormatError as error:
        return console.usage_error(str(error))
    with console.progress("formatting") as step:
        formatted = formatting.format_documents(
            Request(tuple(paths or ())), write=not (check or diff), progress=step
        )
    diagnostics = formatted.diagnostics
    if diff and formatted.files:
        diffs = (file.diff for file in formatted.files)
        diagnostics = reporting.show_diffs(diffs, diagnostics, root=formatted.root)
        return reporting.status(diagnostics) or Exit.DIAGNOSTICS
    if check:
        diagnostics = (*diagnostics, *map(formatting.unformatted, formatted.files))
    diagnostics = reporting.report(diagnostics, root=formatted.root)
    if reporting.is_text and not check and formatted.files:
        console.say(f"{console.count(len(formatted.files), 'file')} formatted")
    elif reporting.is_text and not diagnostics:
        console.say(f"{console.count(formatted.count, 'file')} checked, nothing to format")
    return reporting.status(diagnostics)
