"""A tool asks for the use of another one that its service does not have."""

from toolspec.rules.api import Diagnostics, PermissionKind, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "`{tool}` asks for `{other}`, and there is no such tool",
    "{suggestion}",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each permission of a tool that would belong to the same service."""
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
