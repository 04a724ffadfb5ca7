"""A permission is for everything."""

from toolspec.rules.api import Diagnostics, PermissionKind, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` asks for `{resource}`, which is everything",
    "name the folder or the hosts that it needs",
)
VISITS = ToolVisit
_EVERYTHING = frozenset({"*", "**", "**/*", "/", "/**", "/**/*", "~", "~/**", "~/**/*", "*.*"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each permission without a limit; the service's stand for its tools."""
    tool = visit.tool
    for at, each in enumerate(tool.permissions):
        if each.kind is not PermissionKind.TOOL and each.resource in _EVERYTHING:
            yield KIND.at(visit.at("permissions", at), tool=tool.name, resource=each.resource)
