"""The values of one list are written in several styles.

A model that has seen `in_progress` writes `not_started` where `not-started` is wanted. Words that fit every style and
values that are no names, as `text/plain`, do not count.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {state: {enum: [in_progress, not-started, done]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            state: {enum: [in_progress, not_started, done]}
            sort: {enum: [created_at, -created_at, name]}
            kind: {enum: [text/plain, some-kind, A4]}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the values are written in {count} styles: `{one}`, `{other}`",
    "write all in one style, if the service behind the tool leaves you the choice",
)
VISITS = SchemaVisit
_STYLES = (
    re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+"),
    re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+"),
    re.compile(r"[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*"),
    re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+"),
    re.compile(r"([A-Z][a-z0-9]+){2,}"),
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each list with several styles, with the first value of two."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        styles = _styles(values) if isinstance(values, list) else []
        if len(styles) > 1:
            at, one, other = (*path, "enum"), styles[0], styles[1]
            yield visit.finding(KIND, at, count=len(styles), one=one, other=other)


def _styles(values: list[JsonValue]) -> list[str]:
    """Return the first value of each style of several words."""
    texts = [value for value in values if isinstance(value, str)]
    first = (next(filter(style.fullmatch, texts), "") for style in _STYLES)
    return [value for value in first if value]
