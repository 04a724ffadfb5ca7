"""Comment for a pull request: what `toolspec ci` found, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.changes.markdown import parts
from toolspec.sinks.markdown import blocks, cell, code, prose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.changes.contract import Acceptance
    from toolspec.diagnostics import Diagnostic
    from toolspec.reports.changes.comparison import Comparison

MARK = "<!-- toolspec ci -->"
"""The first line of a comment, by which a workflow finds the one to replace."""

_MOST = 20


def ci_comment(
    comparison: Comparison,
    diagnostics: Sequence[Diagnostic],
    acceptances: Sequence[tuple[str, Acceptance]],
) -> str:
    """Return the comment: changes since the contract, acceptances of this branch, diagnostics."""
    counted = [
        each
        for each in diagnostics
        if each.suppression is None and each.code != "contract/accepted"  # those are in the table
    ]
    shown = [_line(each) for each in counted[:_MOST]]
    left = len(counted) - len(shown)
    accepted = [_acceptance(name, acceptance) for name, acceptance in acceptances[:_MOST]]
    head = ["| Tool | Accepted | Reason | Until |", "| --- | --- | --- | --- |"]
    return (
        blocks(
            MARK,
            "### Changes since the contract",
            *parts(comparison),
            "### Accepted by this branch" if accepted else "",
            "\n".join([*head, *accepted]) if accepted else "",
            "### Diagnostics" if shown else "",
            "\n".join(shown),
            f"{left:,} more are not shown." if left else "",
        )
        + "\n"
    )


def _line(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    at = f" ({code(f'{span.source.path}:{span.first.line}')})" if span else ""
    return f"- {diagnostic.severity} {code(diagnostic.code)}: {prose(diagnostic.message)}{at}"


def _acceptance(name: str, acceptance: Acceptance) -> str:
    changes = ", ".join(f"{each.level} {code(each.code)}" for each in acceptance.changes)
    return f"| {code(name)} | {changes} | {cell(acceptance.reason)} | {acceptance.until} |"
