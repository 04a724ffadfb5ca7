"""A description and its schema name different defaults."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, holds_always

KIND = declare(
    __name__,
    Severity.WARNING,
    "the description says that the default of `{name}` is {text}, but it is {default}",
    "delete it from the description; `default` already says it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"default"})
_DEFAULT = re.compile(
    r"(?i)\bdefaults?(?: value)?(?: is| to|:|=) ?[`'\"]?(\d+(?:\.\d+)?|true|false)\b(?![.,]\d|%| ?[a-z])"
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each number or flag whose description names another default."""
    for path, node in visit.using("default"):
        default, text = node["default"], node.get("description")
        if not isinstance(default, (bool, int, float)) or not isinstance(text, str):
            continue
        stated = _stated_default(text)
        if stated and not _agrees(stated, default):
            name, at = str(path[-1]) if path else "it", (*path, "description")
            yield visit.diagnostic(KIND, at, name=name, text=stated, default=_json(default))


def _stated_default(text: str) -> str:
    """Return the only unconditional default in a text; else empty."""
    matches = list(_DEFAULT.finditer(text)) if "efault" in text or "EFAULT" in text else []
    is_clear = len(matches) == 1 and holds_always(text, *matches[0].span())
    return matches[0][1] if is_clear else ""


def _agrees(text: str, default: float) -> bool:
    return text.casefold() == _json(default) or (text[0].isdigit() and float(text) == default)


def _json(default: float) -> str:
    return str(default).casefold()
