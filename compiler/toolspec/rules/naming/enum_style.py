"""The values of one choice are spelled in different styles.

A value of an `enum` has to be written exactly. From `in_progress` and `done` a model writes
`not_started`, and the tool wants `notStarted`.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            state: {enum: [in_progress, notStarted, done], description: Which to list.}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            state: {enum: [in_progress, not_started, done], description: Which to list.}
            format: {enum: [PNG, JPEG, image/svg+xml], description: What to return.}
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

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the values are spelled in different styles: `{one}` and `{other}`",
    "spell them in one style; accept the old spellings in the handler for a while",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
_STYLES = (
    ("snake", re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")),
    ("kebab", re.compile(r"[a-z]+(?:-[a-z0-9]+)+")),
    ("camel", re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+")),
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each `enum` with values of two styles."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        seen: dict[str, str] = {}
        for value in values if isinstance(values, list) else ():
            if isinstance(value, str) and (style := _style(value)):
                seen.setdefault(style, value)
        if len(seen) > 1:
            one, other = list(seen.values())[:2]
            yield visit.finding(KIND, (*path, "enum"), one=one, other=other)


def _style(value: str) -> str:
    # One word of small letters, as most values are, has no style.
    if value.isalpha() and value.islower():
        return ""
    return next((style for style, pattern in _STYLES if pattern.fullmatch(value)), "")
