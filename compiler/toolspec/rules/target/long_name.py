"""A tool's name is longer than some users of a provider take.

The API takes it; gateways, connectors and blocks that refer to a tool stop at less.

Reported:

    targets: [anthropic]
    tools:
      - name: "{60}"

Accepted:

    targets: [anthropic]
    tools:
      - name: search
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the name of `{tool}` has {length} characters, more than the {limit} that are safe with {targets}",
    "shorten it, and keep the old name as an alias",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all targets whose advice a name exceeds."""
    over = {
        profile.name: limit
        for profile, lowered in visit.lowered_tools
        if (limit := profile.limits.name_length_advised) and len(lowered.name) > limit
    }
    if over:
        yield KIND.at(
            name_span(visit.tool),
            tool=visit.tool.name,
            length=len(visit.tool.names.full),
            limit=min(over.values()),
            targets=", ".join(over),
        )
