"""A long description states a requirement far from its beginning."""

import re

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    Severity,
    ToolVisit,
    declare,
    int_option,
    limit_option,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` says `{word}` only after {limit} characters",
    "move requirements to the first paragraph",
)
VISITS = ToolVisit
OPTIONS = limit_option(1500, "Characters.")
_ORDER = re.compile(r"(?i)\b(?:you must|must not|never|do not|always|only (?:call|use))\b")


def check(visit: ToolVisit, options: JsonObject) -> Diagnostics:
    """Yield a diagnostic for the first requirement behind the limit, if there is none before it."""
    limit = int_option(options, "limit")
    text = visit.tool.description
    match = _ORDER.search(text, limit)
    if match and not _ORDER.search(text, 0, limit):
        yield KIND.at(visit.at("description"), tool=visit.tool.name, word=match[0], limit=limit)
