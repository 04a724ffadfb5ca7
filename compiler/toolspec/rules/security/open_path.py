"""A tool takes any path, and requests no permission for files."""

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
    "`{tool}` takes any path in `{name}`, and requests no permission for files",
    "declare the files in `permissions`, or limit the path with a `pattern`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_PATHS = frozenset({"dir", "directory", "file", "filename", "filepath", "folder", "path"})
_BOUNDS = {"const", "enum", "pattern"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for the first unlimited path of a tool without a permission for files."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None:
        return
    if any(permission.kind is PermissionKind.FILE for permission in tool.permissions):
        return
    for member in visit.properties:
        is_free = member.schema.get("type") == "string" and not _BOUNDS & member.schema.keys()
        if is_free and "".join(words_of(member.name)) in _PATHS:
            yield visit.diagnostic(KIND, member.path, tool=tool.name, name=member.name)
            return
