"""A permission is for everything.

It is asked for before each call, and says nothing: whoever allows `**` once has allowed the next call
on any file, too.

Reported:

    tools:
      - name: read
        permissions: [{file: "**", op: read}]
    ---
    tools:
      - name: fetch
        permissions: [{web: "*", op: GET}]

Accepted:

    tools:
      - name: read
        permissions: [{file: "~/notes/**", op: read}, {web: "*.example.com", op: GET}]
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
    "`{tool}` asks for `{resource}`, which is everything",
    "name the folder or the hosts that it needs",
)
VISITS = ToolVisit
_EVERYTHING = frozenset({"*", "**", "**/*", "/", "/**", "/**/*", "~", "~/**", "~/**/*", "*.*"})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each permission without a limit; the service's stand for its tools."""
    tool = visit.tool
    for at, each in enumerate(tool.permissions):
        if each.kind is not PermissionKind.TOOL and each.resource in _EVERYTHING:
            yield KIND.at(visit.at("permissions", at), tool=tool.name, resource=each.resource)
