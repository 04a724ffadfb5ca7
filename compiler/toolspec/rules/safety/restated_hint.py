"""An annotation repeats what follows from `mutation`."""

from toolspec.rules.api import Diagnostics, Location, Severity, ToolVisit, declare, edits, listed

KIND = declare(
    __name__,
    Severity.NOTE,
    "`mutation` of `{tool}` already implies {hints}",
    "delete the derived hints",
)
VISITS = ToolVisit
_CHANGES = {"readOnlyHint": False, "openWorldHint": True}
_READS = {**_CHANGES, "readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}


def check(visit: ToolVisit) -> Diagnostics:
    """Yield one diagnostic for all hints of a tool that equal the derived ones."""
    location, stated = visit.location("annotations"), visit.tool.annotations.stated
    if location is None or _READS.keys() <= set(stated):
        return
    derived = _CHANGES if visit.tool.mutation else _READS
    same = [
        hint
        for hint in stated
        if hint in derived and (location / hint).value_or_none is derived[hint]
    ]
    if same:
        yield KIND.at(
            (location / same[0]).key_span,
            fix=edits.fix("delete what is derived", _deletions(location, same), safe=True),
            hints=listed(same),
            tool=visit.tool.name,
        )


def _deletions(location: Location, hints: list[str]) -> edits.Edits:
    """Return the edits that delete hints, or `annotations` if nothing else is in it."""
    stated = location.value_or_none
    if isinstance(stated, dict) and len(stated) == len(hints):
        return edits.delete_member(location)
    # Of several members on one line each deletion takes a comma: one at a time keeps them apart.
    return edits.delete_member(location / hints[0])
