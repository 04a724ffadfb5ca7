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
from toolspec.shared.spelling import nearest

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
    tools = visit.service.tools
    names = [each.name for each in tools]
    whole = {name for each in tools for name in (each.names.full, *each.aliases)}
    prefix = visit.service.names.prefix
    own = use.removeprefix(prefix)
    is_own = own != use or "_" not in use
    if not prefix:  # it may be a tool of another service
        is_own = bool(nearest(use, names))
    if is_own and _NAME.fullmatch(own) and own not in names and use not in whole:
        others = [name for name in names if name != tool.name]
        suggestion = (
            did_you_mean(own, others) if others else "leave `use` out: this is the only tool"
        )
        yield KIND.at(visit.at("deprecated", "use"), tool=tool.name, use=use, suggestion=suggestion)
