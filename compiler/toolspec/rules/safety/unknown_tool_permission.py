"""A permission names a tool that does not exist."""

from toolspec.rules.api import Diagnostics, PermissionKind, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "`{tool}` requests permission for `{other}`, which does not exist",
    "{suggestion}",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each permission for an unknown tool of the same service."""
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
