"""`toolspec templates`: lists the built-in templates of targets, and copies one for changes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.groups import plain
from toolspec.cli.report_options import ReportOptions, status
from toolspec.diagnostics import did_you_mean, has_errors
from toolspec.sinks.terminal import printable


def register(app: typer.Typer) -> None:
    """Add the command and its subcommand to the application."""
    group = plain(
        help="List the built-in templates of targets, and the files that replace them here.",
        invoke_without_command=True,
    )
    group.callback()(templates)
    group.command("eject")(eject)
    app.add_typer(group, name="templates")


def templates(
    context: typer.Context,
    *,
    view: Annotated[
        str | None,
        typer.Option(
            "--view",
            metavar="TARGET",
            help="Print the values that templates of a target read: docs, python, render or site.",
        ),
    ] = None,
) -> None:
    """List the built-in templates of targets, and the files that replace them here."""
    if context.invoked_subcommand:
        return
    if view is not None:
        _print_view(view)
        return
    from toolspec.driver.config import find_project
    from toolspec.driver.template_files import built_in_templates, replacement, view_of

    located = find_project(Path.cwd())
    if has_errors(located.diagnostics):
        options = ReportOptions()
        options.report(located.diagnostics, root=located.value.root)
        raise typer.Exit(options.status(located.diagnostics))
    built_in = built_in_templates()
    name_width = max(len(template.name) for template in built_in)
    target_width = max(len(template.target) for template in built_in)
    for template in built_in:
        line = f"{template.target:<{target_width}}  {template.name:<{name_width}}  view {template.view}"
        if path := replacement(template, located.value):
            line += f"  replaced by {os.path.relpath(path)}"
            version = view_of(path)
            if version is not None and version != template.view:
                line += f", written for view {version}"
        console.say(printable(line))


def _print_view(target: str) -> None:
    from toolspec.driver.view_pages import PAGES, view_page

    if target not in PAGES:
        console.complain(f"no view is named `{target}`; {did_you_mean(target, PAGES)}")
        raise typer.Exit(Exit.USAGE)
    console.say(view_page(target))


def eject(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a built-in template.")],
    *,
    to: Annotated[
        Path, typer.Option("--to", metavar="DIR", help="Folder for the copy; created if missing.")
    ],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a copy that was changed.")
    ] = False,
) -> None:
    """Copy a built-in template to a folder, with a comment on the values that it reads."""
    from toolspec.driver.config import find_project
    from toolspec.driver.template_files import built_in_templates, eject

    by_name = {template.name: template for template in built_in_templates()}
    template = by_name.get(name)
    if template is None:
        console.complain(f"no template is named `{name}`; {did_you_mean(name, by_name)}")
        raise typer.Exit(Exit.USAGE)
    diagnostics = eject(template, Path.cwd() / to, Path.cwd(), is_overwriting=overwrite)
    console.report(diagnostics)
    if not diagnostics:
        console.say(printable(f"wrote {(to / name).as_posix()}"))
        root = find_project(Path.cwd()).value.root
        folder = Path(os.path.relpath(Path.cwd() / to, root)).as_posix()
        use = f'[target.{template.target}] templates = "{folder}"'
        if folder.startswith(".."):  # a configured folder lies in the project
            use = f"toolspec compile --templates {to.as_posix()}"
        console.say(printable(f"to use it: {use}"))
    raise typer.Exit(status(diagnostics))
