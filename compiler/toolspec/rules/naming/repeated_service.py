"""The name of a tool begins with the name of its service."""

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, name_span, snake_case

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` repeats the name of the service",
    "rename the tool to `{shorter}`, and keep the old name as an alias",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if the name of the tool begins with the words of the service."""
    tool, service = visit.tool, visit.service
    prefix = f"{snake_case(service.name)}_"
    words = snake_case(tool.name)
    if service.names.prefix and words.startswith(prefix):
        shorter = _tail(tool.name, len(prefix.replace("_", "")))
        yield KIND.at(name_span(tool), name=tool.names.full, shorter=shorter)


def _tail(name: str, letters: int) -> str:
    """Return what follows a number of letters and digits, in the style of the name."""
    at = 0
    while letters:
        letters -= name[at].isalnum()
        at += 1
    tail = name[at:].lstrip("_-")
    return tail[0].lower() + tail[1:] if name[0].islower() and not tail[:2].isupper() else tail
