"""Form `json`: one document, described by `schemas/changes.v1.schema.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.sinks.terminal import printable_json
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from toolspec.changes.change import Change, Place, Proof
    from toolspec.reports.changes import Form
    from toolspec.reports.changes.comparison import Comparison
    from toolspec.shared.json_values import JsonObject

VERSION = 1


def render(comparison: Comparison, form: Form) -> str:
    """Return the document."""
    del form
    changes = comparison.changes
    document: JsonObject = {
        "version": VERSION,
        "old": comparison.old,
        "new": comparison.new,
        "level": str(changes.level(comparison.audiences)),
        "changes": [_change(change, comparison) for change in changes.changes],
        "counts": {str(level): number for level, number in comparison.counts.items()},
        "notCompared": [*changes.not_compared],
        "unresolved": [*changes.unresolved],
    }
    return printable_json(document) + "\n"


def _change(change: Change, comparison: Comparison) -> JsonObject:
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
