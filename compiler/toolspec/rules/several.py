"""One finding for all places of a schema that would say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind, Fix, TextEdit
    from toolspec.rules.visits import SchemaVisit
    from toolspec.syntax.nodes import Place
    from toolspec.syntax.pointer import Path

LABELS = 5


def together(  # noqa: PLR0913 - the optional parts of one finding, all by name
    visit: SchemaVisit,
    kind: DiagnosticKind,
    paths: Sequence[Path],
    *,
    label: str = "",
    more: str = "here as well",
    fix: Fix | None = None,
    **parameters: object,
) -> Diagnostic:
    """Return a finding at the first of some paths, with a label at each of the next few."""
    places = (visit.place(*path) for path in paths[1 : 1 + LABELS])
    labels = [Label(place.span, more) for place in places if place]
    return visit.finding(kind, paths[0], label, labels=labels, fix=fix, **parameters)


def everywhere(
    visit: SchemaVisit, paths: Iterable[Path], change: Callable[[Place], tuple[TextEdit, ...]]
) -> tuple[TextEdit, ...]:
    """Return the edits of a change at each of some paths in a schema."""
    places = (visit.place(*path) for path in paths)
    return tuple(edit for place in places if place for edit in change(place))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 parameter`, `3 parameters`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
