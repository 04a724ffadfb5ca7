"""A tool asks for many hosts on the web, and says that it stays inside."""

from toolspec.rules.api import Diagnostics, PermissionKind, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` asks for `{host}` and has `openWorldHint: false`",
    "take the hint out, or the permission",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for the first pattern of hosts that a tool of a closed world asks for."""
    tool = visit.tool
    web = (each.resource for each in tool.permissions if each.kind is PermissionKind.WEB)
    hosts = [each for each in web if "*" in each.partition("/")[0]]
    if hosts and not tool.annotations.open_world:
        span = visit.at("annotations", "openWorldHint")
        yield KIND.at(span, tool=tool.name, host=hosts[0])
