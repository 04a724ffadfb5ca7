"""Converts suppressions of documents to JSON and back, as `kept_findings` does diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import SuppressionSource, TextEdit
from toolspec.driver.cache.diagnostics import kept_span, place, span
from toolspec.frontend.suppressions.suppression import DocumentSuppression, SuppressedCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.cache.diagnostics import Kept, Sources


def suppressions_to_json(stated: Iterable[DocumentSuppression]) -> list[Kept]:
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


def suppressions_from_json(
    kept: Iterable[Kept], sources: Sources
) -> tuple[DocumentSuppression, ...]:
    """Return suppressions from JSON; `sources` resolves the files of spans."""
    return tuple(
        DocumentSuppression(
            source=SuppressionSource(each["source"]),
            named=tuple(SuppressedCode(code, place(at, sources)) for code, at in each["named"]),
            reason=each["reason"],
            until=each["until"],
            span=place(each["span"], sources),
            covers=span(each["covers"], sources),
            removal=tuple(TextEdit(place(at, sources), text) for at, text in each["removal"]),
        )
        for each in kept
    )
