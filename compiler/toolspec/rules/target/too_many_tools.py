"""A provider takes fewer tools in a request than there are.

It refuses the whole request then. Whoever uses all services together has to choose; one service alone
should fit.

Reported:

    options: {margin: -127}
    targets: [openai-chat]
    tools: [{name: a}, {name: b}, {name: c}]

Accepted:

    targets: [openai-chat]
    tools: [{name: a}, {name: b}, {name: c}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Subject
from toolspec.providers.profile import find
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
    "{count} tools are more than the {limit} that `{target}` takes in a request",
    "part the services, or let callers choose among them",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "margin": {"type": "integer", "default": 0, "description": "How many more than the limit."},
}


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each target that the tools of all services together are too many for."""
    count = sum(len(service.tools) for service in catalogue.services)
    for target in catalogue.targets:
        profile = find(target)
        limit = profile.limits.tools if profile else None
        if limit and count > limit + number(options, "margin"):
            largest = max(catalogue.services, key=lambda service: len(service.tools))
            yield KIND.at(
                catalogue.span(largest),
                subject=Subject(largest.name),
                count=count,
                limit=limit,
                target=target,
            )
