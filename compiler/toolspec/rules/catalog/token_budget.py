"""The tools of a service cost more tokens than it may spend.

They are in every request, before the first word of a user. The estimate is a token for four bytes of
a definition's name, description and arguments.

Reported:

    options: {limit: 20}
    tools:
      - name: search
        description: "{200}"

Accepted:

    tools:
      - name: search
        description: "{200}"
    ---
    options: {limit: 80}
    tools:
      - {name: search, description: "{200}"}
      - {name: search, version: "2.0", description: "{200}"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Subject
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.rule import declare, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the tools of `{service}` cost about {tokens} tokens in every request, more than {limit}",
    "shorten the longest: {longest}",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 1,
        "default": 20000,
        "description": "Tokens of a service.",
    },
}


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each service above the budget, with the three tools that cost most."""
    limit = number(options, "limit")
    for service in catalogue.services:
        # By name: of several versions, one is in a request.
        spent = sum({tool.full_name: tool.tokens for tool in service.tools}.values())
        if spent > limit:
            longest = sorted(service.tools, key=lambda tool: -tool.tokens)[:3]
            yield KIND.at(
                catalogue.span(service),
                subject=Subject(service.name),
                service=service.name,
                tokens=spent,
                limit=limit,
                longest=", ".join(f"`{tool.name}` ({tool.tokens})" for tool in longest),
            )
