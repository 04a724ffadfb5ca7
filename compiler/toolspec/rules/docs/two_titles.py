"""A tool has two different titles."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, edits

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` has two titles: `{title}` and `{other}`",
    "delete `annotations.title`; it is derived from `title`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if both titles are stated and differ."""
    if "title" not in visit.tool.annotations.stated:
        return
    location, other = visit.location("annotations", "title"), visit.tool.annotations.title
    stated = visit.location("title")
    if location and stated and stated.value_or_none not in (None, other):
        fix = edits.fix("delete `annotations.title`", edits.delete_member(location))
        yield KIND.at(
            location.span, fix=fix, tool=visit.tool.name, title=visit.tool.title, other=other
        )
