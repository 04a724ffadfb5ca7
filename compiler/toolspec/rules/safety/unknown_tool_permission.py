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
    if not prefix or not any(
        permission.kind is PermissionKind.TOOL for permission in tool.permissions
    ):
        return
    for at, permission in enumerate(tool.permissions):
        is_own = permission.kind is PermissionKind.TOOL and permission.resource.startswith(prefix)
        if is_own and permission.resource not in visit.names:
            suggestion = visit.names.full.did_you_mean(permission.resource)
            span = visit.at("permissions", at)
            yield KIND.at(span, tool=tool.name, other=permission.resource, suggestion=suggestion)
