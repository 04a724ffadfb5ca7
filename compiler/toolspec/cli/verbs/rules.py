"""`toolspec rules`: lists lint rules with their status in the project and its origin."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.diagnostics import did_you_mean, has_errors
from toolspec.driver.config import find_project
from toolspec.driver.lint import codes as lint_codes
from toolspec.rules import engine, presets
from toolspec.sinks.terminal import printable, printable_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.lint.lint import Lint
    from toolspec.driver.lint.rule_status import RuleStatus


class Form(StrEnum):
    """Output format of the rules."""

    TEXT = "text"
    JSON = "json"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("rules")(rules)


def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="CODE|FAMILY", help="Rules or families; default: all."),
    ] = None,
    *,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = Form.TEXT,
) -> None:
    """List the lint rules with their severity in this project, who set it, and their options."""
    from toolspec.driver.lint.rule_status import rule_statuses

    located = find_project(Path.cwd())
    if has_errors(located.diagnostics):
        report_options = ReportOptions()
        report_options.report(located.diagnostics, root=located.value.root)
        raise typer.Exit(report_options.status(located.diagnostics))
    lint = located.value.config.lint
    statuses = tuple(rule_statuses(lint, _codes(words or (), lint.plan.installed)))
    if form is Form.JSON:
        content = {
            "version": 1,
            "preset": lint.preset,
            "rules": [status.as_json for status in statuses],
        }
        console.say(printable_json(content))
    else:
        _table(statuses, lint)


def _codes(words: Iterable[str], installed: Iterable[str]) -> tuple[str, ...]:
    """Return the codes that some words select; exits with an error for an unknown word.

    Without words these are all built-in rules, and the installed families that the configuration
    names.
    """
    installed_codes = {
        *installed,
        *lint_codes.installed_rules_of(word.removesuffix("/*") for word in words),
    }
    codes = tuple(sorted({*engine.codes(), *installed_codes}))
    families = tuple(dict.fromkeys(code.partition("/")[0] for code in codes))
    wanted: set[str] = set()
    for word in words:
        named = word.removesuffix("/*")
        selected = {code for code in codes if named in (code, code.partition("/")[0])}
        if not selected:
            hint = lint_codes.load_problem(named)
            hint = hint or did_you_mean(named, codes if "/" in named else families)
            console.complain(f"no rule or family `{word}`; {hint}")
            raise typer.Exit(Exit.USAGE)
        wanted |= selected
    return tuple(code for code in codes if code in wanted) if words else codes


def _table(lines: tuple[RuleStatus, ...], lint: Lint) -> None:
    widths = [max(map(len, column)) for column in zip(*map(_cells, lines), strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(_cells(line), widths, strict=True))
        console.say(printable("  ".join((*cells, line.summary))))
        for name, value in line.options.items():
            console.say(f"    {name} = {printable_json(value).strip()}")
        for other in line.overrides:
            paths = ", ".join(other.paths)
            console.say(printable(f"    {other.severity} in {paths}: {other.set_by}"))
    on = sum(line.severity != presets.OFF for line in lines)
    console.say(f"\n{console.count(len(lines), 'rule')}, {on} on; preset {lint.preset}")


def _cells(line: RuleStatus) -> tuple[str, ...]:
    fix = f"{line.fix} fix" if line.fix else ""
    return (line.code, line.severity, line.set_by, fix)
