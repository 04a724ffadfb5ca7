"""A content encoding is unknown."""

from toolspec.rules.api import (
    ENCODINGS,
    Diagnostics,
    SchemaVisit,
    Severity,
    declare,
    unknown_values,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "unknown encoding `{value}`, which is not checked",
    "{suggestion}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"contentEncoding"})
_OTHERWISE = "delete it, and say in the description how the text is encoded"
_MISSPELT = {
    "b64": "base64",
    "base-64": "base64",
    "base64-url": "base64url",
    "base64_url": "base64url",
    "hex": "base16",
    "hexadecimal": "base16",
    "urlsafe-base64": "base64url",
}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each unknown encoding."""
    return unknown_values(
        visit, KIND, "contentEncoding", standard=ENCODINGS, misspelt=_MISSPELT, otherwise=_OTHERWISE
    )
