"""A long list of tools has no groups.

Docs and clients list tools by group. Without one a person reads thirty names in a row to find out what
a service can do.

Reported:

    options: {limit: 2}
    tools: [{name: a}, {name: b}, {name: c}]

Accepted:

    options: {limit: 2}
    tools: [{name: a, group: Letters}, {name: b}, {name: c}]
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
    "none of the {count} tools of `{service}` has a group",
    "say in `group` what each belongs to",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 30, "description": "Tools of a service."},
}


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each service with many tools and no group."""
    limit = number(options, "limit")
    for service in catalogue.services:
        if len(service.tools) > limit and not any(tool.group for tool in service.tools):
            yield KIND.at(
                catalogue.span(service),
                subject=Subject(service.name),
                count=len(service.tools),
                service=service.name,
            )
