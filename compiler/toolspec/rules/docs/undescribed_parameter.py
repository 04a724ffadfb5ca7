"""A parameter has no description."""

from collections.abc import Iterator, Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    JsonValue,
    Severity,
    ToolVisit,
    declare,
    members,
    together,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{parameters} of `{tool}` {verb} no description",
    "say what it means, its unit or format, and what happens without it",
)
VISITS = ToolVisit
_SPEAKING = ("description", "title", "$ref", "enum", "const")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a tool."""
    undescribed = list(_bare(visit.tool.input.value))
    if undescribed:
        yield together(undescribed, partial(_report, visit), "and this")


def _report(visit: ToolVisit, undescribed: Sequence[str]) -> Diagnostic:
    location = visit.tool.input.location
    names = ", ".join(f"`{name}`" for name in undescribed)
    is_one = len(undescribed) == 1
    return KIND.at(
        location.at("properties", undescribed[0]).key_span if location else None,
        parameters=f"parameter{'' if is_one else 's'} {names}",
        tool=visit.tool.name,
        verb="has" if is_one else "have",
    )


def _bare(schema: JsonValue) -> Iterator[str]:
    for name, value in members(schema).items():
        if isinstance(value, dict) and not any(value.get(key) for key in _SPEAKING):
            yield name
