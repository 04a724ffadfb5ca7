"""An error is declared to be worth a retry, and the call is not safe to repeat.

A client that believes it calls again. If the first call did its work before it failed, it is done
twice.

Reported:

    tools:
      - name: addComment
        mutation: true
        errors: [{code: busy, description: Try again later., retryable: true}]

Accepted:

    tools:
      - name: addComment
        mutation: true
        idempotency: optional
        errors: [{code: busy, description: Try again later., retryable: true}]
      - name: listComments
        errors: [{code: busy, description: Try again later., retryable: true}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.effects import is_repeatable
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` lets callers retry after `{code}`, and a repeated call does its work twice",
    "add `idempotency: optional`, or say that it is idempotent",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first retryable error of a tool that must not be called twice."""
    tool = visit.tool
    if is_repeatable(tool):
        return
    for at, error in enumerate(tool.errors):
        if error.retryable:
            yield KIND.at(visit.at("errors", at, "retryable"), tool=tool.name, code=error.code)
            return
