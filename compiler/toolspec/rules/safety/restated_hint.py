"""An annotation only says what is derived anyway.

The hints follow from `mutation`. One that is written out has to be kept in step by hand, and the one
that differs from its default is lost among those that do not. What is only assumed, as that a tool
destroys, is worth stating; so are all four, where every tool of a team has them.

Reported:

    tools:
      - name: get
        mutation: false
        annotations: {readOnlyHint: true}

Accepted:

    tools:
      - name: close
        mutation: true
        annotations: {destructiveHint: false, idempotentHint: true}
      - {name: setOwner, mutation: true, annotations: {destructiveHint: true}}
      - name: cancel
        mutation: true
        annotations: {readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import delete_member, fix
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.edits import Edits
    from toolspec.syntax.nodes import Place

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`mutation` says what `{tool}` states with {hints}",
    "delete what is derived",
)
VISITS = ToolVisit
_CHANGES = {"readOnlyHint": False, "openWorldHint": True}
_READS = {**_CHANGES, "readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all hints of a tool that equal the derived ones."""
    place, stated = visit.place("annotations"), visit.tool.annotations.stated
    if place is None or _READS.keys() <= set(stated):
        return
    derived = _CHANGES if visit.tool.mutation else _READS
    same = [
        hint for hint in stated if hint in derived and (place / hint).value_or_none is derived[hint]
    ]
    if same:
        yield KIND.at(
            (place / same[0]).key_span,
            fix=fix("delete what is derived", _deletions(place, same), safe=True),
            hints=listed(same),
            tool=visit.tool.name,
        )


def _deletions(place: Place, hints: list[str]) -> Edits:
    """Return the edits that delete hints: all of `annotations` where there is nothing else in it."""
    stated = place.value_or_none
    if isinstance(stated, dict) and len(stated) == len(hints):
        return delete_member(place)
    # Of several members on one line each deletion takes a comma: one at a time keeps them apart.
    return delete_member(place / hints[0])
