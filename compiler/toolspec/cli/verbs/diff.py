"""`toolspec diff OLD NEW`: compares two versions of services, or of a server's list of tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import comparing, console, options
from toolspec.cli.change_selection import IgnoreOption, SelectOption, ToolOption, selection_of
from toolspec.cli.comparing import read_or_exit
from toolspec.cli.exit_codes import Exit
from toolspec.reports.changes import Form

if TYPE_CHECKING:
    from toolspec.driver.contract.sides import Reading


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("diff")(diff)


def diff(
    old: Annotated[
        str | None,
        typer.Argument(
            metavar="OLD",
            help="A project, a folder of specs, a tools/list dump, or a git revision.",
            show_default=False,
        ),
    ] = None,
    new: Annotated[
        str | None,
        typer.Argument(metavar="NEW", help="The version to compare with it.", show_default=False),
    ] = None,
    *,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="REF",
            help="Compare a git revision with the current folder, or the folder that is named.",
            callback=options.not_empty,
        ),
    ] = None,
    fail_on: comparing.FailOnOption = None,
    audience: comparing.AudienceOption = None,
    readers: comparing.ReadersOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    tool: ToolOption = None,
    today: options.TodayOption = None,
    form: comparing.FormOption = Form.TEXT,
) -> None:
    """Compare two versions: whom each change affects, and a value that proves a break.

    Settings of [contract] in the configuration hold where no option is given. Exits 0 without a
    change at or above --fail-on, 1 with one or if a part of NEW does not compile, 2 if a version
    cannot be read.
    """
    from toolspec.driver.contract.policy import judge
    from toolspec.driver.contract.sides import paired

    selection = selection_of(select, ignore, tool)
    one, other = _readings(old, new, against)
    versions = paired(one, other)
    policy = comparing.stated_policy(other, fail_on, audience, readers)
    judgement = judge(versions, policy, options.day_of(today), selection)
    comparing.report_judgement(judgement, policy, one, other, form)
    if versions.new.unresolved:  # nothing is known of what does not compile now
        raise typer.Exit(Exit.DIAGNOSTICS)


def _readings(old: str | None, new: str | None, against: str | None) -> tuple[Reading, Reading]:
    """Return both versions; reports why and exits if one cannot be read."""
    from toolspec.driver.contract.sides import read_changed, read_version

    if against is not None:
        if new is not None:
            problem = "--against takes one version: `toolspec diff --against REF [NEW]`"
            raise typer.Exit(console.usage_error(problem))
        folder = Path(old or ".")
        if not folder.is_dir():
            problem = f"--against compares a folder, and `{folder}` is none"
            raise typer.Exit(console.usage_error(problem))
        before, after = read_changed(against, folder)
        return read_or_exit(against, before), read_or_exit(str(folder), after)
    if old is None or new is None:
        problem = "name two versions, or one revision: `toolspec diff --against REF`"
        raise typer.Exit(console.usage_error(problem))
    return read_or_exit(old, read_version(old)), read_or_exit(new, read_version(new))
