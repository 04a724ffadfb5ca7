"""A description begins or ends with blanks."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, edits

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` begins or ends with blanks",
    "delete them",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a description with blanks around it, except the last newline of a block."""
    location = visit.location("description")
    text = location.value_or_none if location else None
    if location and isinstance(text, str) and text.strip() != text.removesuffix("\n"):
        plain = edits.fix(
            "delete the blanks", edits.replace_value(location, text.strip()), safe=True
        )
        fix = None if "\n" in text.strip() else plain
        yield KIND.at(location.span, fix=fix, tool=visit.tool.name)
