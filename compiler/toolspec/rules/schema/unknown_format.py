"""A format is unknown."""

from toolspec.rules.api import (
    FORMATS,
    Diagnostics,
    SchemaVisit,
    Severity,
    declare,
    unknown_values,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "unknown format `{value}`, which is not checked",
    "{suggestion}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"format"})
_OTHERWISE = "delete it, and say in the description how the text is written"
# Formats in use from the OpenAPI 3.1 registry, which JSON Schema validators ignore.
_REGISTERED = frozenset({"binary", "byte", "decimal", "password"})
_OF_NUMBERS = frozenset(
    {"double", "float", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
)
_STANDARD = FORMATS | _REGISTERED | _OF_NUMBERS
_MISSPELT = {
    "datetime": "date-time",
    "date_time": "date-time",
    "domain": "hostname",
    "guid": "uuid",
    "host": "hostname",
    "ip-address": "ipv4",
    "iso-date": "date",
    "iso-date-time": "date-time",
    "iso8601": "date-time",
    "rfc3339": "date-time",
    "timestamp": "date-time",
    "uri-ref": "uri-reference",
    "url": "uri",
}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each unknown format."""
    return unknown_values(
        visit, KIND, "format", standard=_STANDARD, misspelt=_MISSPELT, otherwise=_OTHERWISE
    )
