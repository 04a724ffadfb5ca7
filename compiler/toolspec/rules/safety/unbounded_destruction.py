"""A destructive tool takes a list of any length."""

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare, destroys

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` destroys everything that `{name}` lists, without a limit",
    "add `maxItems`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
TOP = 2


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each top-level list without a limit in a destructive tool."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not destroys(tool):
        return
    for member in visit.properties:
        is_list = member.schema.get("type") == "array" and "maxItems" not in member.schema
        if is_list and len(member.path) == TOP:
            yield visit.diagnostic(KIND, member.path, tool=tool.name, name=member.name)
