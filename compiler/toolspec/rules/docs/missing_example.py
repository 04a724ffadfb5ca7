"""A tool with a nested input has no example."""

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` takes nested values and shows no example",
    "add a worked call to `examples`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for an input with an object inside of it, and no example anywhere."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or tool.examples:
        return
    uses = visit.survey.uses
    if len(uses.get("properties", ())) > 1 and not uses.get("examples"):
        yield visit.diagnostic(KIND, (), tool=tool.name)
