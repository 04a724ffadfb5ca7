"""An unknown format.

The runtime checks the formats of JSON Schema 2020-12 (`date-time`, `uri`, `uuid` …) unless `formats: annotate` is set. It checks no
other: any text passes, and a model learns nothing from the name. Mostly an unknown one is a slip, `datetime` for `date-time` or `url`
for `uri`. The names that OpenAPI registers (`int64`, `password` …) are known and not checked. Names of your own begin with `x-`.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          properties: {since: {type: string, format: datetime}}

Accepted:

    tools:
      - name: show
        inputSchema:
          type: object
          properties:
            since: {type: string, format: date-time}
            count: {type: integer, format: int64}
            secret: {type: string, format: password}
            code: {type: string, format: x-iban}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.formats import KNOWN, MEANT
from toolspec.rules.known_values import unknown_values
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic, Fix
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "unknown format `{format}`, which is not checked",
    "{suggestion}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"format"})
_OTHERWISE = "delete it, and say in the description how the text is written"


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unknown format."""
    for path, value, close in unknown_values(visit, "format", KNOWN, MEANT):
        hint = f"did you mean `{close}`?" if close else _OTHERWISE
        fix = _fix(visit, path, close) if close else None
        yield visit.finding(KIND, path, fix=fix, format=value, suggestion=hint)


def _fix(visit: SchemaVisit, path: Path, name: str) -> Fix | None:
    place = visit.place(*path)
    return edits.fix(f"write `{name}`", edits.replace_value(place, name)) if place else None
