"""Options and report of the commands that compare versions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.changes.kind import Audience, Level
from toolspec.changes.schemas import Readers
from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import ReportOptions
from toolspec.reports.changes import Form
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from typing import TypeVar

    from toolspec.diagnostics import Checked
    from toolspec.driver.contract.policy import ContractPolicy, Judgement
    from toolspec.driver.contract.sides import Reading

    T = TypeVar("T")


class FailOn(StrEnum):
    """The level from which a change fails the command."""

    BREAK = "break"
    RISK = "risk"
    NOTE = "note"


FailOnOption = Annotated[
    FailOn | None,
    typer.Option(
        "--fail-on",
        help="Fail for changes of this level and graver ones; default: break.",
        show_default=False,
    ),
]
AudienceOption = Annotated[
    list[Audience] | None,
    typer.Option(
        "--audience",
        metavar="READER",
        help="callers, handlers, models, reviewers or operators: who counts. Repeatable; "
        "default: all but handlers.",
    ),
]
ReadersOption = Annotated[
    Readers | None,
    typer.Option(
        "--readers",
        help="Whether readers ignore members they do not know; default: tolerant.",
        show_default=False,
    ),
]
FormOption = Annotated[Form, typer.Option("--format", help="Output format.")]


def stated_policy(
    new: Reading, fail_on: FailOn | None, audience: list[Audience] | None, readers: Readers | None
) -> ContractPolicy:
    """Return the policy that counts; reports mistakes of its configuration and exits."""
    from toolspec.driver.contract.sides import policy_of

    checked = policy_of(new)
    if not checked.ok:
        ReportOptions().report(checked.diagnostics)
        raise typer.Exit(Exit.USAGE)
    policy = checked.value
    return replace(
        policy,
        fail_on=Level(fail_on) if fail_on else policy.fail_on,
        audiences=frozenset(audience) if audience else policy.audiences,
        readers=readers or policy.readers,
    )


def report_judgement(
    judgement: Judgement, policy: ContractPolicy, old: Reading, new: Reading, form: Form
) -> None:
    """Print the changes between two versions; exit if the policy, or a diagnostic, fails them."""
    from toolspec.diagnostics import has_errors
    from toolspec.driver.report_files import path_in_workspace
    from toolspec.reports.changes import render_changes
    from toolspec.reports.changes.comparison import Comparison

    comparison = Comparison(
        judgement.changes,
        policy.audiences,
        policy.fail_on,
        old.side.label,
        new.side.label,
        old.shown,
        new.shown,
        new.span,
        path_in_workspace(new.root),
        judgement.suppressed,
        judgement.advice,
        judgement.diagnostics,
    )
    console.write(render_changes(form, comparison))
    fails = judgement.changes.level(policy.audiences).rank <= policy.fail_on.rank
    if fails or has_errors(judgement.diagnostics):
        raise typer.Exit(Exit.DIAGNOSTICS)


def read_or_exit(name: str, checked: Checked[T | None]) -> T:
    """Return what was read; report why and exit if nothing can be compared."""
    if checked.value is None:
        ReportOptions().report(checked.diagnostics)
        console.complain(f"nothing to compare in {name}")
        raise typer.Exit(Exit.USAGE)
    return checked.value
