"""A permission covers everything."""

from toolspec.rules.api import Diagnostics, PermissionKind, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` requests permission for `{resource}`, which covers everything",
    "name the folder or the hosts that the tool needs",
)
VISITS = ToolVisit
_EVERYTHING = frozenset({"*", "**", "**/*", "/", "/**", "/**/*", "~", "~/**", "~/**/*", "*.*"})


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each permission without a limit, those of the service included."""
    tool = visit.tool
    for index, permission in enumerate(tool.permissions):
        if permission.kind is not PermissionKind.TOOL and permission.resource in _EVERYTHING:
            yield KIND.at(
                visit.at("permissions", index), tool=tool.name, resource=permission.resource
            )
