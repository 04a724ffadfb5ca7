"""A tool with `openWorldHint: false` requests permission for many hosts."""

from toolspec.rules.api import Diagnostics, PermissionKind, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` requests permission for `{host}`, but has `openWorldHint: false`",
    "delete the hint or the permission",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first pattern of hosts in the permissions of a closed-world tool."""
    tool = visit.tool
    web = (
        permission.resource
        for permission in tool.permissions
        if permission.kind is PermissionKind.WEB
    )
    hosts = [resource for resource in web if "*" in resource.partition("/")[0]]
    if hosts and not tool.annotations.open_world:
        span = visit.at("annotations", "openWorldHint")
        yield KIND.at(span, tool=tool.name, host=hosts[0])
