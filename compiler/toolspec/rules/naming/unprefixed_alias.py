"""An alias looks like the name of a tool without the prefix of the service."""

from toolspec.rules.api import TOOL_NAME, Diagnostics, Severity, ToolVisit, declare, edits, style_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "the alias `{alias}` is used as it is, without the prefix `{prefix}`",
    "did you mean `{full}`? Suppress this note if callers really use `{alias}`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for each alias that would be a free full name with the service's prefix."""
    tool, service = visit.tool, visit.service
    if not tool.aliases:
        return
    prefix = service.names.prefix
    for at, alias in enumerate(tool.aliases):
        full = f"{prefix}{alias}"
        if alias.startswith(prefix) or full in visit.names or not TOOL_NAME.fullmatch(alias):
            continue
        if style_of(alias) not in visit.names.styles:
            continue
        location = visit.location("aliases", at)
        fix = (
            edits.fix(f"write `{full}`", edits.replace_value(location, full)) if location else None
        )
        span = visit.at("aliases", at)
        yield KIND.at(span, fix=fix, alias=alias, prefix=prefix, full=full)
