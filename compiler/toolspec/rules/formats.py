"""Formats of strings known to JSON Schema validators, and common misspellings."""

from __future__ import annotations

import re

from toolspec.schema.formats import ASSERTED

# Formats in use from the OpenAPI 3.1 registry, which JSON Schema validators ignore.
REGISTERED = frozenset({"binary", "byte", "decimal", "password"})
OF_NUMBERS = frozenset(
    {"double", "float", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
)
KNOWN = ASSERTED | REGISTERED | OF_NUMBERS
MEANT = {
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
_NAMED = re.compile(
    r"(?:(?:.*_)?(url|uri|email|uuid|guid)|.*[a-z](Url|URL|Uri|Email|Uuid|UUID|Guid))"
)
_OF_NAMES = {"url": "uri", "uri": "uri", "email": "email", "uuid": "uuid", "guid": "uuid"}


def format_of(name: str) -> str:
    """Return the format that a name implies, as `webhookUrl` does; else empty."""
    found = _NAMED.fullmatch(name)
    return _OF_NAMES[(found[1] or found[2]).casefold()] if found else ""
