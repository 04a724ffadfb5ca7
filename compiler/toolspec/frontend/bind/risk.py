"""Risk tier of a tool: derived from its declarations; its author may only raise it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Effect, Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.frontend.fields import Fields
    from toolspec.ir import Annotations

READS, WRITES, DESTROYS = 0, 2, 3


def derived_tier(annotations: Annotations, effects: Iterable[Effect]) -> tuple[int, str]:
    """Return the tier and its reason (language.md, `risk`)."""
    if Effect.MONEY in effects:
        return DESTROYS, "`effects` holds `money`"
    if annotations.read_only:
        return READS, "the tool is read-only"
    if annotations.destructive:
        return DESTROYS, "`destructiveHint` is true"
    return WRITES, "the tool writes"


def bind_risk(fields: Fields, annotations: Annotations, effects: Iterable[Effect]) -> Risk:
    """Return the derived risk, or the stated one if that is not lower."""
    tier, _ = derived_tier(annotations, effects)
    stated = fields.within("risk")
    if stated is None:
        return Risk(tier)
    raised = stated.get("tier")
    # JSON Schema accepts both 3 and 3.0 as an integer.
    assert isinstance(raised, (int, float))
    return Risk(max(tier, int(raised)), stated.text("reason"))
