"""A pattern for a whole string has no anchors."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, edits, pattern_fault

KIND = declare(
    __name__,
    Severity.WARNING,
    "the pattern accepts every string that contains a match",
    "anchor it: `{anchored}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"pattern"})
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")

_LITERAL = re.compile(rf"{_CLASS.pattern}|\\.", re.DOTALL)

_ANCHOR = re.compile(r"[$^]|\(\?<?[=!]")

_REPEATED = re.compile(r"C(?:[+*]|\{\d)")

# Patterns for non-blank strings, which need not match the whole.
_NOT_BLANK = frozenset({r"\S+", r"\S*"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each pattern that repeats a class and has no anchor."""
    for path, node in visit.using("pattern"):
        pattern = node["pattern"]
        if isinstance(pattern, str) and (whole := anchored(pattern)):
            location = visit.location(*path, "pattern")
            edit = edits.replace_value(location, whole) if location else ()
            fix = edits.fix("anchor it at both ends", edit)
            yield visit.diagnostic(KIND, (*path, "pattern"), fix=fix, anchored=whole)


def anchored(pattern: str) -> str:
    """Return a valid pattern with anchors if it repeats a class and has none; else empty."""
    if pattern in _NOT_BLANK or pattern_fault(pattern) is not None:
        return ""
    plain = _LITERAL.sub(_shortened, pattern)
    if _ANCHOR.search(plain) or not _REPEATED.search(plain):
        return ""
    return f"^(?:{pattern})$" if "|" in plain else f"^{pattern}$"


def _shortened(match: re.Match[str]) -> str:
    """Return `C` for a class, a full stop for another escaped character."""
    return "C" if match[0][0] == "[" or match[0][1:] in {"d", "w", "D", "W", "s", "S"} else "."
