"""What a call comes to on the wire: structured content with its text, or an error with its envelope."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.values import JsonObject, JsonValue

META = "toolspec"

_BASE64 = '"contentEncoding":"base64"'
"""As generated code spells it, in the schema of bytes."""


def compact(value: JsonValue) -> str:
    """Return a value as JSON of one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def success(block: JsonObject) -> JsonObject:
    """Return the result of a call, without its structured content."""
    return {"content": [block], "isError": False}


def block_of(tool: ToolDefinition, value: JsonValue, structured: JsonValue) -> JsonObject:
    """Return a result for a reader: a document as what it is, all else as JSON of what is structured.

    A document is a string of a tool whose `outputContentType` is not JSON. Bytes, in base64, are an
    image, a sound, or the content of a resource.
    """
    kind = tool.output_content_type
    if kind == "application/json" or not isinstance(value, str):
        return {"type": "text", "text": compact(structured)}
    if _BASE64 not in tool.output_schema:
        return {"type": "text", "text": value}
    family = kind.partition("/")[0]
    if family in ("image", "audio"):
        return {"type": family, "data": value, "mimeType": kind}
    uri = f"toolspec:{tool.full_name}"
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "blob": value}}


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
