"""A description names another default than the schema."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, holds_always

KIND = declare(
    __name__,
    Severity.WARNING,
    "the text says that the default of `{name}` is {text}; it is {default}",
    "leave it out of the text: `default` says it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"default"})
_DEFAULT = re.compile(
    r"(?i)\bdefaults?(?: value)?(?: is| to|:|=) ?[`'\"]?(\d+(?:\.\d+)?|true|false)\b(?![.,]\d|%| ?[a-z])"
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each number or flag that is named as a default, and is another one."""
    for path, node in visit.using("default"):
        default, text = node["default"], node.get("description")
        if not isinstance(default, (bool, int, float)) or not isinstance(text, str):
            continue
        said = _said(text)
        if said and not _says(said, default):
            name, at = str(path[-1]) if path else "it", (*path, "description")
            yield visit.diagnostic(KIND, at, name=name, text=said, default=_spelt(default))


def _said(text: str) -> str:
    """Return the only default that a text names, if it names it for every case; else nothing."""
    found = list(_DEFAULT.finditer(text)) if "efault" in text or "EFAULT" in text else []
    is_clear = len(found) == 1 and holds_always(text, *found[0].span())
    return found[0][1] if is_clear else ""


def _says(text: str, default: float) -> bool:
    return text.casefold() == _spelt(default) or (text[0].isdigit() and float(text) == default)


def _spelt(default: float) -> str:
    return str(default).casefold()
