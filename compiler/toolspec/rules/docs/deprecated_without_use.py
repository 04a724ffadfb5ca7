"""A deprecated tool does not say what to use instead.

Its callers learn that they should stop, and not where to go.

Reported:

    tools:
      - name: search
        deprecated: {since: 1.2.0}

Accepted:

    tools:
      - name: search
        deprecated: {since: 1.2.0, use: find}
      - name: find
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
    "`{tool}` is deprecated and names nothing to use instead",
    "name it in `deprecated.use`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a deprecation without `use`."""
    deprecated = visit.tool.deprecated
    if deprecated and not deprecated.use:
        yield KIND.at(visit.at("deprecated"), tool=visit.tool.name)
