"""A tool runs any command, query or code that a model writes."""

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, Tool, declare, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` runs the content of `{name}`",
    "restrict it with an `enum` or a `pattern`, or use separate parameters",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_RUN = frozenset({"bash", "cmd", "command", "eval", "javascript", "script", "shell", "sql"})
_BOUNDS = {"const", "enum", "pattern"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each unlimited text of a mutating tool with the name of a command."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not tool.mutation:
        return
    for member in visit.properties:
        is_free = member.schema.get("type") == "string" and not _BOUNDS & member.schema.keys()
        is_run = member.name.casefold() in _RUN or (member.name == "code" and _names_code(tool))
        if is_free and is_run:
            yield visit.diagnostic(KIND, member.path, tool=tool.name, name=member.name)


def _names_code(tool: Tool) -> bool:
    """Return whether `code` means a program, and not a country or discount code."""
    return not {"code", "eval", "execute", "run"}.isdisjoint(words_of(tool.name))
