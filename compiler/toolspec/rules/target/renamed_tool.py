"""A tool's name is not legal for a provider, which gets another one."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` is called `{name}` by {target}",
    "rename it so that every provider takes it, and keep the old name as an alias",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield a diagnostic for the first target that has another name for a tool."""
    for profile, lowered in visit.lowered_tools:
        if lowered.name != visit.tool.names.full:
            span = name_span(visit.tool)
            yield KIND.at(span, tool=visit.tool.names.full, name=lowered.name, target=profile.name)
            return
