"""A list of allowed values has a blank one.

A model cannot tell what it stands for, and some providers refuse the whole tool for it. A parameter that may be
left out says the same with no value at all; else a word does, as `none`.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {state: {enum: [open, closed, ""]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {state: {enum: [open, closed, none]}}
        outputSchema: {enum: [open, ""]}
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
    "one of the values is blank",
    "leave it out and let the parameter be optional, or give it a word",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding at each blank value among others that a model can choose."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        for index, value in enumerate(values if isinstance(values, list) else ()):
            if isinstance(value, str) and not value.strip():
                yield visit.finding(KIND, (*path, "enum", index))
