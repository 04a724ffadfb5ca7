"""The values of an `enum` have different styles."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the values have different styles: `{one}` and `{other}`",
    "use one style, and accept the old values in the handler for a while",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
_STYLES = (
    ("snake", re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")),
    ("kebab", re.compile(r"[a-z]+(?:-[a-z0-9]+)+")),
    ("camel", re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+")),
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each `enum` with values of two styles."""
    for path, node in visit.using("enum"):
        values = node["enum"]
        examples: dict[str, str] = {}
        for value in values if isinstance(values, list) else ():
            if isinstance(value, str) and (style := _style(value)):
                examples.setdefault(style, value)
        if len(examples) > 1:
            one, other = list(examples.values())[:2]
            yield visit.diagnostic(KIND, (*path, "enum"), one=one, other=other)


def _style(value: str) -> str:
    # One word of small letters, as most values are, has no style.
    if value.isalpha() and value.islower():
        return ""
    return next((style for style, pattern in _STYLES if pattern.fullmatch(value)), "")
