"""A tool that creates something has no way to say that two calls are one.

When an answer is lost, a client calls again, and there are two orders. With an idempotency key the
second call gets the answer of the first.

Reported:

    tools:
      - name: createOrder
        mutation: true
        annotations: {destructiveHint: false}

Accepted:

    tools:
      - name: createOrder
        mutation: true
        idempotency: optional
      - name: createFolder
        mutation: true
        annotations: {idempotentHint: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.effects import is_repeatable
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import CREATING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` creates something, and a repeated call creates it twice",
    "add `idempotency: optional`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a verb of creating without a key, unless the tool is idempotent."""
    tool = visit.tool
    is_creating = tool.mutation and words_of(tool.name)[0] in CREATING
    if is_creating and not is_repeatable(tool):
        yield KIND.at(name_span(tool), tool=tool.name)
