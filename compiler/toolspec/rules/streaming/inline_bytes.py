"""A result carries bytes of any length as text.

Base64 makes them a third longer, and all of it goes through the model: a picture of a megabyte is some
hundred thousand tokens.

Reported:

    tools:
      - name: render
        outputSchema:
          type: object
          properties: {image: {type: string, contentEncoding: base64, description: The picture.}}

Accepted:

    tools:
      - name: render
        outputSchema:
          type: object
          properties:
            icon: {type: string, contentEncoding: base64, maxLength: 4000, description: The icon.}
            url: {type: string, format: uri, description: Where the picture is.}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "a result carries bytes without a limit",
    "return a link, or limit it with `maxLength`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"contentEncoding"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each encoded text of a result that has no limit."""
    for path, node in visit.using("contentEncoding") if visit.is_output else ():
        if "maxLength" not in node:
            yield visit.finding(KIND, (*path, "contentEncoding"))
