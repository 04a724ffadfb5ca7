"""Report of the changes between two versions: a block for each, or a line for each."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

from toolspec.changes.catalogue import entry
from toolspec.changes.kind import OUTSIDE, Level
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.changes.change import Change, Changes, Place
    from toolspec.changes.kind import Audience


def changes_text(
    changes: Changes, audiences: frozenset[Audience] = OUTSIDE, *, is_short: bool = False
) -> str:
    """Return a report of all changes, with the counts of their levels for some audiences."""
    lines: list[str] = []
    for change in changes.changes:
        lines.append(_headline(change, audiences))
        if not is_short:
            lines += [f"  {printable(line)}" for line in _details(change)] + [""]
    counted = Counter(change.level(audiences) for change in changes.changes)
    parts = [
        f"{counted[level]} {_PLURALS[level, counted[level] == 1]}"
        for level in Level
        if counted[level]
    ]
    lines.append(", ".join(parts) or "no changes")
    if changes.not_compared:
        lines.append(
            f"not compared, since one side does not show it: {', '.join(changes.not_compared)}"
        )
    if changes.unresolved:
        lines.append(f"not compared, since it does not compile: {', '.join(changes.unresolved)}")
    return "\n".join(map(printable, lines)) + "\n"


_PLURALS = {
    (Level.BREAK, True): "break",
    (Level.BREAK, False): "breaks",
    (Level.RISK, True): "risk",
    (Level.RISK, False): "risks",
    (Level.NOTE, True): "note",
    (Level.NOTE, False): "notes",
}


def change_page(code: str) -> str:
    """Return the manual of a kind of change: whom it affects, why, and both versions."""
    kind, summary = entry(code).kind, entry(code).summary
    affected = _affected(kind.levels) or "nobody"
    mirror = f"Reversed, it is `{kind.mirror}`.\n" if kind.mirror else ""
    package, _, slug = kind.module.rpartition(".")
    text = files(package).joinpath(f"{slug}.md").read_text("utf-8")
    return f"{code}: {summary}\n\nAffects: {affected}.\n{mirror}\n{text}".rstrip()


def _affected(levels: Mapping[Audience, Level]) -> str:
    return ", ".join(
        f"{audience} {level}" for audience, level in levels.items() if level is not Level.NONE
    )


def _headline(change: Change, audiences: frozenset[Audience]) -> str:
    return f"{change.level(audiences)}[{change.code}] {change.message}"


def _details(change: Change) -> Iterator[str]:
    affected = _affected(change.levels)
    if affected:
        yield f"affects: {affected}"
    yield f"at: {_place(change.place)}"
    if change.proof and change.proof.witness:
        yield f"{change.proof.verdict}: {change.proof.witness}"
    elif change.proof and change.proof.reason:
        yield f"{change.proof.verdict}: {change.proof.reason}"
    elif change.proof:
        yield str(change.proof.verdict)
    if change.advice:
        yield f"help: {change.advice}"


def _place(place: Place) -> str:
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in place.path)
    return f"{place.tool or place.service or 'the service'} {pointer}".strip()
