"""A tool asks for the use of another one that its service does not have.

The permission can never be granted, and the call is stopped each time: the name was misspelt, or the
other tool renamed.

Reported:

    tools:
      - name: archive
        mutation: true
        permissions: [{tool: notes_lst}]
      - name: list

Accepted:

    tools:
      - name: archive
        mutation: true
        permissions: [{tool: notes_list}, {tool: github_listIssues}]
      - name: list
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
    Severity.ERROR,
    "`{tool}` asks for `{other}`, and there is no such tool",
    "{suggestion}",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each permission of a tool that would belong to the same service."""
    tool = visit.tool
    prefix = visit.service.names.prefix
    if not prefix or not any(each.kind is PermissionKind.TOOL for each in tool.permissions):
        return
    for at, each in enumerate(tool.permissions):
        is_own = each.kind is PermissionKind.TOOL and each.resource.startswith(prefix)
        if is_own and each.resource not in visit.names:
            suggestion = visit.names.full.did_you_mean(each.resource)
            span = visit.at("permissions", at)
            yield KIND.at(span, tool=tool.name, other=each.resource, suggestion=suggestion)
