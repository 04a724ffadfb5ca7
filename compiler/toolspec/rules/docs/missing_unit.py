"""A number has no unit."""

import re

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare, words_of

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` has no unit",
    "state the unit in the name or in the description",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_MEASURES = frozenset(
    {
        "age", "delay", "distance", "duration", "elapsed", "height", "interval", "latency",
        "temperature", "timeout", "ttl", "weight", "width",
    }
)  # fmt: skip
_UNITS = frozenset(
    {
        "bytes", "celsius", "cm", "day", "days", "fahrenheit", "grams", "hour", "hours", "kb", "kg", "km",
        "mb", "meters", "miles", "millis", "milliseconds", "min", "mins", "minute", "minutes", "mm", "months",
        "ms", "percent", "pixels", "pt", "px", "s", "sec", "second", "seconds", "secs", "years",
    }
)  # fmt: skip
_UNIT = re.compile(
    r"(?i)\b(?:seconds?|secs?|ms|millis\w*|minutes?|mins?|hours?|days?|weeks?|months?|years?|px|pixels?"
    r"|bytes?|[km]b|percent|degrees?|celsius|fahrenheit|kelvin|met(?:er|re)s?|cm|mm|km|miles?|feet|inch\w*"
    r"|grams?|kg|pounds?|lines?|characters?|columns?|points?|ratio|factor|fraction|units?|em|rem|dpi"
    r"|[0-9]+ ?(?:s|m|h|d))\b|[%°]"
)


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each number with the name of a measure and without a unit."""
    for member in visit.properties:
        kind = member.schema.get("type")
        if kind not in ("number", "integer") or not _MEASURES.intersection(words_of(member.name)):
            continue
        text = str(member.schema.get("description", ""))
        if _UNITS.intersection(words_of(member.name)) or _UNIT.search(text):
            continue
        yield visit.diagnostic(KIND, member.path, name=member.name)
