"""Grouping of equal diagnostics into one, with a part for each location."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from toolspec.diagnostics import Label
from toolspec.frontend.locations import name_span
from toolspec.rules.visits import tool_subject
from toolspec.rules.words import listed
from toolspec.shared.lazy_sequence import LazySequence
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind, TextEdit
    from toolspec.ir import Service, Tool
    from toolspec.rules.visits import Property, SchemaVisit
    from toolspec.syntax.nodes import Location
    from toolspec.syntax.pointer import Path

T = TypeVar("T")
LABELS = 5


def together(
    items: Sequence[T], report: Callable[[Sequence[T]], Diagnostic], more: str = "here as well"
) -> Diagnostic:
    """Return one diagnostic for several items: at the first, with labels at the next few.

    Each item has a part, so that single ones can be suppressed or fixed.
    """
    whole = report(items)
    if len(items) == 1:
        return whole
    parts = LazySequence(items, lambda item: report((item,)))
    spans = dict.fromkeys((whole.span,))
    for number in range(1, len(items)):
        if span := parts[number].span:
            spans[span] = None
        if len(spans) > LABELS:
            break
    labels = (Label(span, more) for span in islice(spans, 1, None) if span)
    return replace(whole, labels=(*labels, *whole.labels), parts=parts)


def at_tools(
    service: Service,
    kind: DiagnosticKind,
    tools: Sequence[Tool],
    /,
    *,
    label: str = "",
    more: str,
    **parameters: object,
) -> Diagnostic:
    """Return one diagnostic about tools of a service, at their names."""

    def report(part: Sequence[Tool]) -> Diagnostic:
        subject = tool_subject(service, part[0])
        span = name_span(part[0])
        return kind.at(span, label, labels=(), subject=subject, fix=None, **parameters)

    return together(tools, report, more)


def everywhere(
    visit: SchemaVisit, paths: Iterable[Path], change: Callable[[Location], tuple[TextEdit, ...]]
) -> tuple[TextEdit, ...]:
    """Return the edits of a change at several paths in a schema."""
    locations = (visit.location(*path) for path in paths)
    return tuple(edit for location in locations if location for edit in change(location))


def property_names(items: Iterable[Property]) -> str:
    """Return the names of properties, each once and quoted: `a`, `b` and `c`."""
    return listed(dict.fromkeys(item.name for item in items))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 parameter`, `3 parameters`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
