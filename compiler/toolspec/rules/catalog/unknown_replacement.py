"""A deprecated tool sends its callers to one that is not there.

They leave a tool that works for one that does not.

Reported:

    tools:
      - name: search
        deprecated: {since: 1.2.0, use: fnd}
      - name: find

Accepted:

    tools:
      - name: search
        deprecated: {since: 1.2.0, use: find}
      - name: query
        deprecated: {since: 1.2.0, use: notes_find}
      - name: find
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, did_you_mean
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` is to be replaced by `{use}`, and there is no such tool",
    "{suggestion}",
)
VISITS = ToolVisit
_NAME = re.compile(r"[A-Za-z][\w-]*")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a replacement that looks like a tool of the service and is none."""
    tool = visit.tool
    use = tool.deprecated.use if tool.deprecated else ""
    if not use:
        return
    names = [name for each in visit.service.tools for name in (each.name, *each.aliases)]
    prefix = tool.names.full.removesuffix(tool.name)
    own = use.removeprefix(prefix)
    if _NAME.fullmatch(own) and (own != use or "_" not in use) and own not in names:
        others = [name for name in names if name not in (tool.name, *tool.aliases)]
        suggestion = (
            did_you_mean(own, others) if others else "leave `use` out: this is the only tool"
        )
        yield KIND.at(visit.at("deprecated", "use"), tool=tool.name, use=use, suggestion=suggestion)
