"""One error code of a service has two meanings.

A caller handles a code, not the tool that answered with it. Where `not_found` may be retried after one
call and not after another, it is handled wrongly after one of them.

Reported:

    tools:
      - name: get
        errors: [{code: busy, description: Try again., retryable: true}]
      - name: set
        errors: [{code: busy, description: Locked for good., retryable: false}]

Accepted:

    tools:
      - name: get
        errors: [{code: busy, description: Try again., retryable: true}]
      - name: set
        errors: [{code: busy, description: Try again later., retryable: true}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.frontend.places import name_span
from toolspec.ir import Service
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{code}` may be retried after one tool of `{service}` and not after another",
    "give one of them a code of its own",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each code that is declared with another `retryable` than before."""
    known: dict[str, tuple[bool, Tool]] = {}
    for tool in service.tools:
        for at, error in enumerate(tool.errors):
            before, first = known.setdefault(error.code, (error.retryable, tool))
            if before is not error.retryable:
                place, span = tool.place, name_span(first)
                yield KIND.at(
                    place.at("errors", at).span if place else None,
                    labels=(Label(span, "otherwise here"),) if span else (),
                    code=error.code,
                    service=service.name,
                )
