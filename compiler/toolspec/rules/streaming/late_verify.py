"""The result of a stream is verified when it has been sent already.

`verify` looks at the whole, after the last chunk. Where it fails, the caller has seen and maybe used
everything before it learns so.

Reported:

    tools:
      - name: export
        streaming: true
        verify: true

Accepted:

    tools:
      - name: export
        streaming: true
      - name: count
        verify: true
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
    "`{tool}` streams its result, and verifies it when it has been sent",
    "check each chunk in the handler, or do not stream",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a streaming tool with `verify`."""
    if visit.tool.streaming and visit.tool.verify:
        yield KIND.at(visit.at("verify"), tool=visit.tool.name)
