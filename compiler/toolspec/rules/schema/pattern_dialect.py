"""A pattern uses syntax that some regex engines lack."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, pattern_fault

KIND = declare(
    __name__,
    Severity.WARNING,
    "the pattern uses {part}, which {lacking} not support",
    "use only classes, groups and repetitions, or check the rest in the handler",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"pattern", "patternProperties"})
# Each with the engines that lack it; searched outside of classes, without escaped backslashes.
_UNPORTABLE = (
    (re.compile(r"\(\?<?[=!]"), "look-around", "the engines of Go and Rust do"),
    (re.compile(r"\\[1-9]"), "a back-reference", "the engines of Go and Rust do"),
    (re.compile(r"\(\?<(?![=!])|\\k<"), "a named group of JavaScript", "Python's `re` does"),
    (re.compile(r"\\u\{|\\c[A-Za-z]"), "an escape of JavaScript", "Python's `re` does"),
    (re.compile(r"\\[pP]\{"), "a Unicode property", "Python's `re` does"),
)

_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")

_IN_CLASS = re.compile(r"\\[pPuc](?:\{|[A-Za-z])")


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for the first unsupported part of each pattern."""
    for path, node in visit.using("pattern", "patternProperties"):
        keyed = node.get("patternProperties")
        patterns = [((*path, "pattern"), node.get("pattern"))]
        if isinstance(keyed, dict):
            patterns += (((*path, "patternProperties", key), key) for key in keyed)
        for pattern_path, pattern in patterns:
            if isinstance(pattern, str) and (limitation := special(pattern)):
                part, lacking = limitation
                yield visit.diagnostic(KIND, pattern_path, part=part, lacking=lacking)


def special(pattern: str) -> tuple[str, str] | None:
    """Return the first part of a valid pattern that some engines lack, and those engines."""
    if pattern_fault(pattern) is not None:
        return None
    plain = pattern.replace(r"\\", "")
    reduced = _CLASS.sub(lambda match: "".join(_IN_CLASS.findall(match[0])), plain)
    match = ((part, lacking) for engine, part, lacking in _UNPORTABLE if engine.search(reduced))
    return next(match, None)
