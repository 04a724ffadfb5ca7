"""The formats of JSON Schema 2020-12 that validators check."""

from __future__ import annotations

# Validation vocabulary, section 7.3.
ASSERTED = frozenset(
    {
        "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4",
        "ipv6", "iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time",
        "uri", "uri-reference", "uri-template", "uuid",
    }
)  # fmt: skip
