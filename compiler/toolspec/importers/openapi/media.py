"""Media types of bodies and responses, and which of several is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from toolspec.shared import media_types

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

STREAMS: Final = (
    "text/event-stream",
    "application/jsonl",
    "application/x-ndjson",
    "application/x-jsonlines",
)
_ANY = frozenset({"*/*", "application/*", "*"})


def essence(media_type: str) -> str:
    """Return a media type without parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """Return whether values of a media type are written as JSON; of any type they are."""
    return essence(media_type) in _ANY or media_types.is_json(media_type)


def is_form(media_type: str) -> bool:
    """Return whether a body is a form in the syntax of a query."""
    return essence(media_type) == "application/x-www-form-urlencoded"


def is_multipart(media_type: str) -> bool:
    """Return whether a body has a part for each member."""
    return essence(media_type).startswith("multipart/")


def is_stream(media_type: str) -> bool:
    """Return whether a response comes in pieces."""
    return essence(media_type) in STREAMS


def preferred(content: JsonValue) -> str | None:
    """Return the media type to use: JSON, then a form, multipart, a stream, text, or the first one."""
    if not isinstance(content, dict) or not content:
        return None
    return min(content, key=_rank)


def bytes_schema(media_type: str) -> JsonObject:
    """Return the schema of a value that is not JSON: text, or bytes as base64."""
    text = essence(media_type)
    if (
        is_json(text)
        or text.startswith("text/")
        or text.endswith(("xml", "yaml", "html", "javascript", "csv"))
    ):
        return {"type": "string"}
    return {"type": "string", "contentEncoding": "base64"}


def is_bytes(schema: JsonValue) -> bool:
    """Return whether the values of a schema are bytes, as base64."""
    return isinstance(schema, dict) and schema.get("contentEncoding") == "base64"


def _rank(media_type: str) -> int:
    tests = (
        essence(media_type) == "application/json",
        is_json(media_type),
        is_form(media_type),
        is_multipart(media_type),
        is_stream(media_type),
        essence(media_type).startswith("text/"),
        True,
    )
    return tests.index(True)
