"""A tool streams a document as chunks of text."""

import re

from toolspec.rules.api import Diagnostics, Severity, ToolVisit, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` streams `{media}` as chunks of text",
    "return a list, so that each item is a chunk",
)
VISITS = ToolVisit
_WHOLE = re.compile(r"[/+](?:json|xml)$")


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a streamed string with a media type that is parsed as a whole."""
    schema = visit.tool.output.value
    media = schema.get("contentMediaType") if isinstance(schema, dict) else None
    if visit.tool.streaming and isinstance(media, str) and _WHOLE.search(media):
        span = visit.at("outputSchema", "contentMediaType")
        yield KIND.at(span, tool=visit.tool.name, media=media)
