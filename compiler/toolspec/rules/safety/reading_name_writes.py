"""A tool's name says that it reads, and its flags say that it changes something.

A model calls `getReport` without a thought, and a person who is asked about it allows it. Where the
tool really changes something, another verb says so; where it does not, `mutation: true` makes clients
ask for nothing.

Reported:

    tools:
      - name: getReport
        mutation: true

Accepted:

    tools:
      - name: getReport
      - name: createReport
        mutation: true
      - name: checkOut
        mutation: true
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import READING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` is named as if it only read, and has `mutation: true`",
    "say `mutation: false` if it only reads, or choose a verb that says what it changes",
)
VISITS = ToolVisit
_ACTS = {("check", "in"), ("check", "out")}


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where the first word of a mutating tool's name is one of reading."""
    words = words_of(visit.tool.name)
    if visit.tool.mutation and words[0] in READING and tuple(words[:2]) not in _ACTS:
        yield KIND.at(name_span(visit.tool), tool=visit.tool.name)
