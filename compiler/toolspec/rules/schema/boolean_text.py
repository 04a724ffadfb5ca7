"""Yes and no are written as texts.

Among all the other tools a model knows that yes is `true`, and sends that: here it is refused. Generated code has two
strings where it could have a flag.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {archived: {type: string, enum: ["true", "false"]}}
    ---
    tools:
      - name: search
        inputSchema:
          type: object
          properties: {archived: {enum: ["Yes", "No"]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            archived: {type: boolean}
            state: {enum: ["yes", "no", "maybe"]}
            power: {enum: ["on", "off"]}
            either: {enum: [true, false, "true", "false"]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "yes and no are the texts {values} here",
    "write `type: boolean`, and let the handler write the text where it is needed",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
_PAIRS = ({"true", "false"}, {"yes", "no"})
_TWO = 2


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each list of two such texts."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        if not isinstance(values, list) or len(values) != _TWO:
            continue
        texts = [value for value in values if isinstance(value, str)]
        if {text.casefold() for text in texts} in _PAIRS:
            named = " and ".join(f'"{text}"' for text in texts)
            yield visit.finding(KIND, (*path, "enum"), values=named)
