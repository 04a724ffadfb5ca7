"""A hook after the call cannot change what a stream has sent.

`after` hooks see the whole result, and what they return is what callers without streaming get. Who
reads the chunks has had them by then: a hook that takes secrets out of a result takes them out too
late.

Reported:

    tools:
      - name: export
        streaming: true
        after: [redact]

Accepted:

    tools:
      - name: export
        streaming: true
        before: [count]
        afterResponse: [log]
      - name: read
        after: [redact]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{hook}` runs when `{tool}` has sent its chunks already",
    "do its work in middleware or in the handler, chunk by chunk",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first `after` hook of a streaming tool."""
    hooks = visit.tool.hooks.after
    if visit.tool.streaming and hooks:
        yield KIND.at(visit.at("after"), hook=hooks[0], tool=visit.tool.name)
