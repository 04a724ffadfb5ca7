"""A tool's description only says its name again."""

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
    "the description of `{tool}` says no more than its name",
    "say what comes back, and when to use it rather than another tool",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic where every word of the text is one of the name's."""
    words = plain_words_of(visit.tool.name) + plain_words_of(visit.service.name)
    if says_only(visit.tool.description, words):
        yield KIND.at(visit.at("description"), tool=visit.tool.name)
