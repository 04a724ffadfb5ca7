"""Form `markdown`: a table of the changes, the gravest first, for a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.changes.comparison import affected, proof_text, subject
from toolspec.sinks.markdown import blocks, cell, code, prose

if TYPE_CHECKING:
    from toolspec.changes.change import Change
    from toolspec.reports.changes import Form
    from toolspec.reports.changes.comparison import Comparison

# GitHub refuses comments of more than 65,536 characters.
_MOST = 50_000


def render(comparison: Comparison, form: Form) -> str:
    """Return the page."""
    del form
    return blocks("### Changes of the tools", *parts(comparison)) + "\n"


def parts(comparison: Comparison) -> tuple[str, ...]:
    """Return the counts, the table, and what was not compared, each as a paragraph or empty."""
    changes = sorted(
        comparison.changes.changes, key=lambda change: (comparison.level(change).rank, change.order)
    )
    rows: list[str] = []
    size = 0
    for change in changes:
        row = _row(change, comparison)
        size += len(row) + 1
        if size > _MOST:
            break
        rows.append(row)
    header = ["| Level | Change | Tool | Affects | Proof |", "| --- | --- | --- | --- | --- |"]
    left = len(changes) - len(rows)
    return (
        f"{cell(comparison.summary.capitalize())}.",
        "\n".join([*header, *rows]) if rows else "",
        f"{left:,} more are not shown." if left else "",
        *(f"{prose(remark[0].upper() + remark[1:])}." for remark in comparison.remarks),
    )


def _row(change: Change, comparison: Comparison) -> str:
    text = f"{change.message}; {change.advice}" if change.advice else change.message
    proof = change.proof
    if proof and proof.witness:
        proved = f"{proof.verdict}: {code(proof.witness)}"
    else:
        proved = cell(proof_text(change))
    cells = (
        str(comparison.level(change)),
        f"{code(change.code)} {prose(text)}",
        code(subject(change.place)),
        affected(change.levels),
        proved,
    )
    return f"| {' | '.join(cells)} |"
