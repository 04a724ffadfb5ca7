"""A deprecated tool names a replacement that does not exist."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare, did_you_mean, nearest

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` names `{use}` as its replacement, which does not exist",
    "{suggestion}",
)
VISITS = ToolVisit
_NAME = re.compile(r"[A-Za-z][\w-]*")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a replacement that looks like a tool of the service, but is none."""
    tool = visit.tool
    use = tool.deprecated.use if tool.deprecated else ""
    if not use:
        return
    tools = visit.service.tools
    names = [sibling.name for sibling in tools]
    whole = {name for sibling in tools for name in (sibling.names.full, *sibling.aliases)}
    prefix = visit.service.names.prefix
    own = use.removeprefix(prefix)
    is_own = own != use or "_" not in use
    if not prefix:  # it may be a tool of another service
        is_own = bool(nearest(use, names))
    if is_own and _NAME.fullmatch(own) and own not in names and use not in whole:
        others = [name for name in names if name != tool.name]
        suggestion = (
            did_you_mean(own, others) if others else "leave `use` out: this is the only tool"
        )
        yield KIND.at(visit.at("deprecated", "use"), tool=tool.name, use=use, suggestion=suggestion)
