"""A tool asks for many hosts on the web, and says that it stays inside.

`openWorldHint: false` tells clients that nothing from outside comes back. What comes from the web may
be written by anybody, and hold orders for the model. One host alone may be the service's own.

Reported:

    tools:
      - name: fetch
        permissions: [{web: "*.example.com", op: GET}]
        annotations: {openWorldHint: false}

Accepted:

    tools:
      - name: fetch
        permissions: [{web: "*", op: GET}]
      - name: charge
        permissions: [{web: payments.example.com, op: POST}]
        annotations: {openWorldHint: false}
      - name: read
        permissions: [{file: notes/**, op: read}]
        annotations: {openWorldHint: false}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import PermissionKind
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` asks for `{host}` and has `openWorldHint: false`",
    "take the hint out, or the permission",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first pattern of hosts that a tool of a closed world asks for."""
    tool = visit.tool
    web = (each.resource for each in tool.permissions if each.kind is PermissionKind.WEB)
    hosts = [each for each in web if "*" in each.partition("/")[0]]
    if hosts and not tool.annotations.open_world:
        span = visit.at("annotations", "openWorldHint")
        yield KIND.at(span, tool=tool.name, host=hosts[0])
