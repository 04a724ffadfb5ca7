"""Two values of a list differ only in case or in the blanks around them.

If both mean the same, the list is longer than it needs to be; if they do not, a model will take one for the
other.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {order: {enum: [asc, desc, ASC]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            order: {enum: [asc, desc]}
            period: {enum: [1m, 1M]}
            level: {enum: [1, "1"]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{value}` and `{other}` look like one value",
    "keep one of them, and let the handler take any case if it must",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
# Signs and units do differ in case: `1m` is a minute, `1M` a month.
_SHORTEST = 3


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding at each such value for the one before it."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        first: dict[str, int] = {}
        for index, value in enumerate(values if isinstance(values, list) else ()):
            if not isinstance(value, str) or len(value) < _SHORTEST:
                continue
            before = first.setdefault(value.strip().casefold(), index)
            assert isinstance(values, list)
            other = values[before]
            if other != value:
                place = visit.place(*path, "enum", before)
                labels = [Label(place.span, "the other one")] if place else []
                at = (*path, "enum", index)
                yield visit.finding(KIND, at, labels=labels, value=value, other=other)
