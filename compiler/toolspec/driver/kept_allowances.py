"""Converts suppressions of documents to JSON and back, as `kept_findings` does diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Allower, TextEdit
from toolspec.driver.kept_findings import kept_span, place, span
from toolspec.frontend.allowances.allowance import Allowance, Named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.kept_findings import Kept, Sources


def kept_allowances(stated: Iterable[Allowance]) -> list[Kept]:
    """Return suppressions as JSON."""
    return [
        {
            "source": str(each.source),
            "named": [[named.code, kept_span(named.span)] for named in each.named],
            "reason": each.reason,
            "until": each.until,
            "span": kept_span(each.span),
            "covers": kept_span(each.covers),
            "removal": [[kept_span(edit.span), edit.new_text] for edit in each.removal],
        }
        for each in stated
    ]


def allowances(kept: Iterable[Kept], sources: Sources) -> tuple[Allowance, ...]:
    """Return suppressions from JSON; `sources` resolves the files of spans."""
    return tuple(
        Allowance(
            source=Allower(each["source"]),
            named=tuple(Named(code, place(at, sources)) for code, at in each["named"]),
            reason=each["reason"],
            until=each["until"],
            span=place(each["span"], sources),
            covers=span(each["covers"], sources),
            removal=tuple(TextEdit(place(at, sources), text) for at, text in each["removal"]),
        )
        for each in kept
    )
