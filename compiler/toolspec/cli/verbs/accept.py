"""`toolspec accept`: records the present tools in the contract, with the reason of their changes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.driver.build import Request, locate
from toolspec.sinks.terminal import printable


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("accept")(accept)


def accept(
    *,
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            metavar="TEXT",
            help="Why the changes are accepted; risks and breaks need one.",
            show_default=False,
        ),
    ] = "",
    tool: Annotated[
        list[str] | None,
        typer.Option(
            "--tool", metavar="NAME", help="A tool, or a pattern such as `crm_*`; default: all."
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            "--until",
            formats=["%Y-%m-%d"],
            metavar="DATE",
            help="The last day of the acceptance; after it `toolspec ci` fails.",
            show_default=False,
        ),
    ] = None,
    today: options.TodayOption = None,
) -> None:
    """Record the present tools in toolspec.contract.json, with the changes and their reason.

    Exits 0 if the contract is written, 1 if the project does not compile or a change needs a reason.
    """
    from toolspec.changes.contract import FILE
    from toolspec.driver.contract.contract_file import AcceptRequest, accept_project

    day = options.day_of(today)
    last = until.date().isoformat() if until else ""
    if last and last < day:
        raise typer.Exit(console.usage_error(f"--until {last} is over"))
    request = AcceptRequest(reason.strip(), tuple(tool or ()), last, day)
    accepted = accept_project(Request(today=day), request)
    reporting = ReportOptions()
    reporting.report(accepted.diagnostics, root=locate(Request()).value.root)
    if not accepted.ok:
        raise typer.Exit(reporting.status(accepted.diagnostics) or Exit.DIAGNOSTICS)
    result = accepted.value
    if result.is_new:
        tools = console.count(len(result.contract.tools), "tool")
        console.say(f"{FILE}: new, with {tools}")
        return
    recorded = result.changes.changes
    for change in recorded:
        console.say(printable(f"{change.level()}[{change.code}] {change.message}"))
    for name, last_day in result.renewed:
        end = f"until {last_day}" if last_day else "for good"
        console.say(printable(f"{name}: accepted again, {end}"))
    rest = f"; {console.count(result.left, 'change')} not accepted" if result.left else ""
    console.say(f"{FILE}: {console.count(len(recorded), 'change')} accepted{rest}")
