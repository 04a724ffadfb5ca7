"""A description ends in the middle of a sentence."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the description of `{tool}` ends in the middle of a sentence",
    "complete the sentence",
)
VISITS = ToolVisit
_CUT = re.compile(r"(?:[,;(\[{]|\b(?:and|or|but|the|an|a|of|with|which|because|if))$")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a text that ends with a comma, an opening bracket or a small word."""
    if _CUT.search(visit.tool.description.rstrip()):
        yield KIND.at(visit.at("description"), tool=visit.tool.name)
