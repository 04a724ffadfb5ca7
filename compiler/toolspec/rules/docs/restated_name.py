"""A tool's description only says its name again."""

from toolspec.rules.api import (
    Diagnostics,
    Severity,
    ToolVisit,
    declare,
    plain_words,
    says_only,
    words_of,
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
    names = f"{' '.join(words_of(visit.tool.name))} {' '.join(words_of(visit.service.name))}"
    if says_only(visit.tool.description, plain_words(names)):
        yield KIND.at(visit.at("description"), tool=visit.tool.name)
