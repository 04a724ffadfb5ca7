"""A service has more tools than a model chooses well among.

Every tool is in every request. Above some dozens models choose worse, clients cut the list, and what a
request costs is mostly the list. Smaller services can be added one by one.

Reported:

    options: {limit: 2}
    tools: [{name: a}, {name: b}, {name: c}]

Accepted:

    tools: [{name: a}, {name: b}, {name: c}]
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
    Severity.NOTE,
    "`{service}` has {count} tools, more than {limit}",
    "part the service, or merge tools that differ in a parameter alone",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 40, "description": "Tools of a service."},
}


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each service above the limit."""
    limit = number(options, "limit")
    for service in catalogue.services:
        if len(service.tools) > limit:
            yield KIND.at(
                catalogue.span(service),
                subject=Subject(service.name),
                service=service.name,
                count=len(service.tools),
                limit=limit,
            )
