"""A tool takes any URL, and requests no permission for hosts."""

from toolspec.rules.api import (
    Diagnostics,
    PermissionKind,
    Role,
    SchemaVisit,
    Severity,
    declare,
    words_of,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` takes any URL in `{name}`, and requests no permission for hosts",
    "declare the hosts in `permissions`, or set `openWorldHint: false` if nothing is fetched",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_BOUNDS = {"const", "enum", "pattern"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for the first unlimited URL of an open-world tool without a permission for hosts."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not tool.annotations.open_world:
        return
    if any(permission.kind is PermissionKind.WEB for permission in tool.permissions):
        return
    for member in visit.properties:
        is_free = member.schema.get("type") == "string" and not _BOUNDS & member.schema.keys()
        if is_free and words_of(member.name)[-1:] in (("url",), ("uri",)):
            yield visit.diagnostic(KIND, member.path, tool=tool.name, name=member.name)
            return
