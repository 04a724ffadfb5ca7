"""The tools of a service are larger than a provider takes together.

Above a size that it does not publish the provider answers with an error, or drops the mode in which a
call is forced. What counts is the whole list.

Reported:

    options: {limit: 1}
    targets: [gemini]
    tools:
      - name: search
        description: "{1200}"

Accepted:

    targets: [gemini]
    tools:
      - name: search
        description: "{1200}"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Subject
from toolspec.providers.profile import find
from toolspec.providers.tokens import BYTES
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
    "the tools of `{service}` are about {size} KB, more than the {limit} KB that `{target}` has been seen to take",
    "shorten descriptions and long lists of values, or part the service",
)
VISITS = Catalogue
OPTIONS: dict[str, JsonObject] = {
    "limit": {
        "type": "integer",
        "minimum": 0,
        "default": 0,
        "description": "KB; 0 is what the target is known to take.",
    },
}
KB = 1000


def check(catalogue: Catalogue, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for each service and target where the tools are larger than the limit."""
    for target in catalogue.targets:
        profile = find(target)
        known = profile.limits.request_bytes if profile else None
        limit = number(options, "limit") * KB or known
        for service in catalogue.services if known and limit else ():
            size = sum(tool.tokens for tool in service.tools) * BYTES
            if limit and size > limit:
                yield KIND.at(
                    catalogue.span(service),
                    subject=Subject(service.name),
                    service=service.name,
                    size=size // KB,
                    limit=limit // KB,
                    target=target,
                )
