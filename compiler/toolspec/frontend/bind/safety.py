"""Risk tiers of tools, and contradictions between a tool's effects and its annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, Label, Subject
from toolspec.frontend.bind import kinds
from toolspec.frontend.edits import delete_member, member_span
from toolspec.frontend.locations import name_span
from toolspec.ir import Effect, Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.frontend.fields import Fields
    from toolspec.ir import Annotations, Tool

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


def contradictions(tool: Tool, full: str) -> Iterator[Diagnostic]:
    """Yield every contradiction of a tool; `full` is its full name."""
    for kind, path in _contradicted(tool):
        yield _contradiction(kind, path, tool, full)


def lowered_risk(fields: Fields, tool: Tool) -> Iterator[Diagnostic]:
    """Yield a diagnostic for a stated risk that is lower than the derived one."""
    risk = fields.within("risk")
    derived, reason = derived_tier(tool.annotations, tool.effects)
    stated = risk.get("tier") if risk else None
    if risk and isinstance(stated, (int, float)) and stated < derived:
        yield kinds.RISK_LOWERED.at(
            (risk.location / "tier").value_span,
            f"not lower than {derived}",
            subject=Subject(pointer=risk.location.pointer),
            stated=stated,
            derived=derived,
            reason=reason,
        )


def _contradicted(tool: Tool) -> Iterator[tuple[DiagnosticKind, tuple[str, ...]]]:
    """Yield the members that contradict `mutation`, each with its kind."""
    hints = tool.annotations
    if tool.mutation:
        if hints.read_only:
            yield kinds.READ_ONLY_MUTATION, ("annotations", "readOnlyHint")
        return
    if not hints.read_only:
        # The other hints of a writing tool would agree with this one.
        yield kinds.WRITING_READ, ("annotations", "readOnlyHint")
        return
    if hints.destructive:
        yield kinds.DESTRUCTIVE_READ, ("annotations", "destructiveHint")
    if not hints.idempotent:
        yield kinds.CHANGING_READ, ("annotations", "idempotentHint")
    if tool.revert:
        yield kinds.REVERT_OF_READ, ("revert",)


def _contradiction(
    kind: DiagnosticKind, path: tuple[str, ...], tool: Tool, full: str
) -> Diagnostic:
    assert tool.location is not None
    member, mutation = tool.location.at(*path), tool.location / "mutation"
    tool_name_span = name_span(tool)
    labels = [
        Label(member_span(mutation), f"declared {'mutating' if tool.mutation else 'reading'} here")
    ]
    if tool_name_span:
        labels.insert(0, Label(tool_name_span, f"compiled as `{full}`"))
    return kind.at(
        member_span(member),
        f"contradicts `mutation: {str(tool.mutation).lower()}`",
        labels=labels,
        subject=Subject(pointer=member.pointer),
        fix=_deletion(tool, path),
    )


def _deletion(tool: Tool, path: tuple[str, ...]) -> Fix | None:
    """Return the fix that deletes the member, and the mapping if that becomes empty."""
    assert tool.location is not None
    member = tool.location.at(*path)
    holder = tool.location.at(*path[:-1])
    if isinstance(holder.value, dict) and len(holder.value) == 1:
        member = holder
    edits = delete_member(member)
    return Fix(f"delete `{path[-1]}`", edits, safe=True) if edits else None
