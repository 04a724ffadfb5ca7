"""The description of a tool only repeats its name."""

from toolspec.rules.api import (
    Diagnostics,
    Severity,
    ToolVisit,
    declare,
    plain_words_of,
    says_only,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description of `{tool}` only repeats its name",
    "say what the tool returns, and when to use it rather than another one",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic if every word of the description is in the name."""
    words = plain_words_of(visit.tool.name) + plain_words_of(visit.service.name)
    if says_only(visit.tool.description, words):
        yield KIND.at(visit.at("description"), tool=visit.tool.name)
