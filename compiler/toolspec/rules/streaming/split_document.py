"""A stream cuts a document into pieces of text.

Pieces of a string are joined. Of JSON or XML no piece means anything before the last has come, and the
reader has to wait and to parse it besides.

Reported:

    tools:
      - name: export
        streaming: true
        outputSchema: {type: string, contentMediaType: application/json}

Accepted:

    tools:
      - name: export
        streaming: true
        outputSchema: {type: array, items: {type: object}}
      - name: write
        streaming: true
        outputSchema: {type: string, contentMediaType: text/markdown}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{tool}` streams `{media}` in pieces of text",
    "return a list, whose items are the chunks",
)
VISITS = ToolVisit
_WHOLE = re.compile(r"[/+](?:json|xml)$")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a streamed string of a format that has to be whole."""
    schema = visit.tool.output.value
    media = schema.get("contentMediaType") if isinstance(schema, dict) else None
    if visit.tool.streaming and isinstance(media, str) and _WHOLE.search(media):
        span = visit.at("outputSchema", "contentMediaType")
        yield KIND.at(span, tool=visit.tool.name, media=media)
