"""One tool costs as many tokens as a dozen others.

It is in every request, whether it is called or not. Often it is several tools in one, or carries the
manual of what it calls.

Reported:

    options: {limit: 20}
    tools:
      - name: search
        description: "{200}"

Accepted:

    tools:
      - name: search
        description: "{200}"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.rule import declare, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` costs about {tokens} tokens in every request, more than {limit}",
    "shorten it, or part it into several tools",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 2000, "description": "Tokens of a tool."},
}


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each tool above the limit."""
    limit = number(options, "limit")
    for tool in catalogue.tools:
        if tool.tokens > limit:
            yield KIND.at(
                catalogue.span(tool),
                subject=catalogue.subject(tool),
                tool=tool.full_name,
                tokens=tool.tokens,
                limit=limit,
            )
