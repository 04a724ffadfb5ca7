"""A stream may go on for ever.

Without limits a handler that hangs holds its connection, and the place of another call, until somebody
notices. An idle limit ends it when nothing has come for a while, and does not cut a long one short.

Reported:

    tools:
      - name: export
        streaming: true

Accepted:

    tools:
      - name: export
        streaming: true
        timeout: {idle: 30s}
    ---
    service:
      timeout: {total: 10m}
    tools:
      - name: export
        streaming: true
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
    Severity.NOTE,
    "the stream of `{tool}` has no limit of time",
    "add `timeout: {{idle: 30s}}` to the tool or the service",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a streaming tool without any limit, its own or the service's."""
    limits = visit.tool.timeout
    if visit.tool.streaming and limits.idle is None and limits.total is None:
        yield KIND.at(visit.at("streaming"), tool=visit.tool.name)
