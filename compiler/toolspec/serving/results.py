"""What a call comes to on the wire: structured content with its text, or an error with its envelope."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.values import JsonObject, JsonValue

META = "toolspec"


def compact(value: JsonValue) -> str:
    """Return a value as JSON of one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain_text(value: JsonValue, content_type: str) -> str:
    """Return a value for a reader: a text that is no JSON document as it is, all else as JSON."""
    if isinstance(value, str) and content_type != "application/json":
        return value
    return compact(value)


def success(value: JsonValue, text: str, *, structured: bool) -> JsonObject:
    """Return the result of a call; `structured` where the revision takes the value as it is."""
    result: JsonObject = {"content": [{"type": "text", "text": text}], "isError": False}
    return {**result, "structuredContent": value} if structured else result


def failure(error: ToolError) -> JsonObject:
    """Return the result of a call that failed: a line for people, and the machine's form twice."""
    wire = error.to_wire()
    envelope: JsonObject = {"error": wire["error"]}
    return {
        "content": [
            {"type": "text", "text": wire["text"]},
            {"type": "text", "text": compact(envelope)},
        ],
        "isError": True,
        "_meta": {META: envelope},
    }
