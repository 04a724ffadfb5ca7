"""Form `json`: one document, described by `schemas/changes.v1.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.reports.changes.comparison import line
from toolspec.sinks.terminal import printable_json
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from toolspec.changes.bumps import VersionAdvice
    from toolspec.changes.change import Change, Place, Proof
    from toolspec.diagnostics import Diagnostic, Suppression
    from toolspec.reports.changes import Form
    from toolspec.reports.changes.comparison import Comparison
    from toolspec.shared.json_values import JsonObject

VERSION = 1


def render(comparison: Comparison, form: Form) -> str:
    """Return the document."""
    del form
    changes = comparison.changes
    every: list[tuple[Change, Suppression | None]] = [
        *((change, None) for change in changes.changes),
        *comparison.suppressed,
    ]
    every.sort(key=lambda one: one[0].order)
    counts = {str(level): number for level, number in comparison.counts.items()}
    document: JsonObject = {
        "version": VERSION,
        "old": comparison.old,
        "new": comparison.new,
        "level": str(changes.level(comparison.audiences)),
        "changes": [_change(*one, comparison) for one in every],
        "counts": {**counts, "suppressed": len(comparison.suppressed)},
        "versions": [_advice(advice) for advice in comparison.advice],
        "notCompared": [*changes.not_compared],
        "unresolved": [*changes.unresolved],
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in comparison.diagnostics],
    }
    return printable_json(document) + "\n"


def _change(change: Change, suppression: Suppression | None, comparison: Comparison) -> JsonObject:
    before, now = comparison.locations(change)
    return {
        "code": change.code,
        "level": str(comparison.level(change)),
        "message": change.message,
        "help": change.advice,
        "levels": {str(audience): str(level) for audience, level in change.levels.items()},
        "old": _place(change.old, before) if change.old else None,
        "new": _place(change.new, now) if change.new else None,
        "proof": _proof(change.proof) if change.proof else None,
        "suppression": _suppression(suppression) if suppression else None,
    }


def _suppression(suppression: Suppression) -> JsonObject:
    return {
        "source": str(suppression.source),
        "reason": suppression.reason,
        "until": suppression.until or None,
        "location": line(suppression.span),
    }


def _advice(advice: VersionAdvice) -> JsonObject:
    return {
        "service": advice.service,
        "old": advice.old,
        "new": advice.new,
        "bump": str(advice.bump),
        "advised": advice.advised,
        "isMet": advice.is_met,
    }


def _diagnostic(diagnostic: Diagnostic) -> JsonObject:
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "location": line(diagnostic.span),
    }


def _place(place: Place, location: str) -> JsonObject:
    return {
        "service": place.service,
        "tool": place.tool,
        "pointer": format_pointer(place.path),
        "location": location,
    }


def _proof(proof: Proof) -> JsonObject:
    return {
        "verdict": str(proof.verdict),
        "witness": proof.witness or None,
        "reason": proof.reason,
    }
