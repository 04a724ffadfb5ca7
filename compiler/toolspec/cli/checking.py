"""Implementation of `toolspec check`, shared by the application and the fast path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.cli import console
from toolspec.driver import build
from toolspec.providers.tokens import shown, total

if TYPE_CHECKING:
    from toolspec.cli.exit_codes import Exit
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.build import Request


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
