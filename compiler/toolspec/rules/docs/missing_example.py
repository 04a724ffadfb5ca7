"""A tool with nested arguments has no example."""

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` takes nested values and has no example",
    "add a call to `examples`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for arguments with a nested object and without any example."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or tool.examples:
        return
    uses = visit.survey.uses
    if len(uses.get("properties", ())) > 1 and not uses.get("examples"):
        yield visit.diagnostic(KIND, (), tool=tool.name)
