"""A flag is named by what it turns off.

`no_cache: false` has to be read twice. With two negations in one call, models get about as often the
wrong one as people do.

Reported:

    tools:
      - name: build
        inputSchema:
          type: object
          properties: {no_cache: {type: boolean, description: Build without the cache.}}

Accepted:

    tools:
      - name: build
        inputSchema:
          type: object
          properties:
            useCache: {type: boolean, default: true, description: Use the cache.}
            note: {type: boolean, description: Add a note.}
            disabled: {type: boolean, description: The state to set.}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the flag `{name}` is named by what it turns off",
    "name what it turns on, with `default: true` if that is the usual case",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_NEGATIONS = frozenset(
    {"disable", "dont", "exclude", "ignore", "never", "no", "not", "skip", "without"}
)


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each boolean whose name begins with a negation."""
    if not visit.is_input:
        return
    for each in visit.properties:
        words = words_of(each.name) if each.schema.get("type") == "boolean" else []
        if len(words) > 1 and words[0] in _NEGATIONS:
            yield visit.finding(KIND, each.path, name=each.name)
