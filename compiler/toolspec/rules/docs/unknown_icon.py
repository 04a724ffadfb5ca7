"""The name of an icon is not in the Lucide icon set."""

from functools import cache

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, edits, nearest, read_data

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{icon}` is not the name of a Lucide icon",
    "{suggestion}",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for an icon name that Lucide does not have, with the nearest one."""
    icon = visit.tool.icon
    if icon in lucide_names():
        return
    location = visit.location("icon")
    if location is None or location.value_or_none is None:
        return
    close = nearest(icon, lucide_names())
    suggestion = "choose one from https://lucide.dev/icons, or delete the key"
    renamed = None
    if close:
        suggestion = f"did you mean `{close}`? Else {suggestion}"
        renamed = edits.fix(f"write `{close}`", edits.replace_value(location, close))
    yield KIND.at(location.span, fix=renamed, icon=icon, suggestion=suggestion)


@cache
def lucide_names() -> dict[str, None]:
    """Return the names of all Lucide icons, sorted; lines that begin with `#` are comments."""
    lines = read_data("toolspec.rules.docs", "lucide.txt").decode("ascii").splitlines()
    return dict.fromkeys(line for line in lines if not line.startswith("#"))
