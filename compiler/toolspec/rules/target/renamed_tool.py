"""A tool is renamed for a provider."""

from toolspec.rules.api import Diagnostics, LoweredVisit, Severity, declare, name_span

KIND = declare(
    __name__,
    Severity.WARNING,
    "the name of `{tool}` is `{name}` for {target}",
    "choose a name that every provider accepts, and keep the old name as an alias",
)
VISITS = LoweredVisit


def check(visit: LoweredVisit) -> Diagnostics:
    """Yield a diagnostic for the first target that renames a tool."""
    for profile, lowered in visit.lowered_tools:
        if lowered.name != visit.tool.names.full:
            span = name_span(visit.tool)
            yield KIND.at(span, tool=visit.tool.names.full, name=lowered.name, target=profile.name)
            return
