"""A description is longer than a provider takes, or some of its gateways take.

What is too long is cut, by the compiler at the end of a sentence or by somebody else in the middle of
one. The part that says what must not be done is often the last.

Reported:

    targets: [openai-chat]
    tools:
      - name: search
        description: "{1100}"

Accepted:

    targets: [openai-chat]
    tools:
      - name: search
        description: Finds notes by words of their text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the description of `{tool}` has {length} characters as it is sent, more than the {limit} that are safe with {targets}",
    "put first what decides, and move the rest to the parameters",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all targets whose limit or advice the author's text exceeds."""
    over = {
        profile.name: limit
        for profile, _ in visit.lowered_tools
        if (limit := profile.limits.description_length or profile.limits.description_length_advised)
        and len(visit.tool.description) > limit
    }
    if over:
        yield KIND.at(
            visit.at("description"),
            tool=visit.tool.name,
            length=len(visit.tool.description),
            limit=min(over.values()),
            targets=", ".join(over),
        )
