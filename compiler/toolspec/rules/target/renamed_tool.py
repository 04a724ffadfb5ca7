"""A tool's name is not legal for a provider, which gets another one.

Calls come back under that name. The runtime knows it; logs, prompts and people do not.

Reported:

    targets: [openai-chat]
    tools:
      - name: "{60}"

Accepted:

    targets: [openai-chat]
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
    "`{tool}` is called `{name}` by {target}",
    "rename it so that every provider takes it, and keep the old name as an alias",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first target that has another name for a tool."""
    for profile, lowered in visit.lowered_tools:
        if lowered.name != visit.tool.names.full:
            span = name_span(visit.tool)
            yield KIND.at(span, tool=visit.tool.names.full, name=lowered.name, target=profile.name)
            return
