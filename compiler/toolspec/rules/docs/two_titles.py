"""A tool has two titles, and they differ.

`title` is what clients show. Older ones show `annotations.title` instead: people would then talk of
one tool by two names.

Reported:

    tools:
      - name: search
        title: Search notes
        annotations: {title: Find a note}

Accepted:

    tools:
      - name: search
        title: Search notes
        annotations: {title: Search notes}
      - name: list
        annotations: {title: List notes}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import delete_member, fix
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` has two titles: `{title}` and `{other}`",
    "delete `annotations.title`; it is derived from `title`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where both are stated and differ."""
    place, other = visit.place("annotations", "title"), visit.tool.annotations.title
    stated = visit.place("title")
    if place is None or stated is None or stated.value_or_none in (None, other):
        return
    if place.value_or_none is not None:
        mended = fix("delete `annotations.title`", delete_member(place))
        yield KIND.at(
            place.span, fix=mended, tool=visit.tool.name, title=visit.tool.title, other=other
        )
