"""The parameters of a tool have names in different styles."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, members

KIND = declare(
    __name__,
    Severity.WARNING,
    "parameters of `{tool}` have names in different styles: `{one}` and `{other}`",
    "use one style for all of them",
)
VISITS = ToolVisit
_SNAKE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_CAMEL = re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic at the first parameter in another style than the first one."""
    first = ""
    for name in members(visit.tool.input.value):
        is_snake = bool(_SNAKE.fullmatch(name))
        if is_snake == bool(_CAMEL.fullmatch(name)):
            continue
        first = first or name
        if is_snake != bool(_SNAKE.fullmatch(first)):
            location = visit.tool.input.location
            span = location.at("properties", name).key_span if location else None
            yield KIND.at(span, tool=visit.tool.name, one=first, other=name)
            return
