"""An unknown content encoding.

The runtime checks `base64`, `base64url`, `base32`, `base32hex`, `base16` and `quoted-printable` unless `formats: annotate` is set. It
checks no other encoding: any text passes, and no handler gets bytes. Mostly an unknown one is a slip, `hex` for `base16` or `Base64` for
`base64`. Names of your own begin with `x-`.

Reported:

    tools:
      - name: upload
        inputSchema:
          type: object
          properties: {content: {type: string, contentEncoding: base-64}}

Accepted:

    tools:
      - name: upload
        inputSchema:
          type: object
          properties:
            content: {type: string, contentEncoding: base64}
            digest: {type: string, contentEncoding: base16}
            archive: {type: string, contentEncoding: x-uuencode}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.known_values import unknown_values
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.shared.encodings import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic, Fix
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "unknown encoding `{encoding}`, which is not checked",
    "{suggestion}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"contentEncoding"})
_OTHERWISE = "delete it, and say in the description how the text is encoded"
_MEANT = {
    "b64": "base64",
    "base-64": "base64",
    "base64-url": "base64url",
    "base64_url": "base64url",
    "hex": "base16",
    "hexadecimal": "base16",
    "urlsafe-base64": "base64url",
}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unknown encoding."""
    for path, value, close in unknown_values(visit, "contentEncoding", ENCODINGS, _MEANT):
        hint = f"did you mean `{close}`?" if close else _OTHERWISE
        fix = _fix(visit, path, close) if close else None
        yield visit.finding(KIND, path, fix=fix, encoding=value, suggestion=hint)


def _fix(visit: SchemaVisit, path: Path, name: str) -> Fix | None:
    place = visit.place(*path)
    return edits.fix(f"write `{name}`", edits.replace_value(place, name)) if place else None
