"""Wire results of calls: structured content with text, or an error envelope."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.serving.documents import BASE64, Document, parted

if TYPE_CHECKING:
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.shared.json_values import JsonObject, JsonValue

META = "toolspec"


def compact(value: JsonValue) -> str:
    """Return a value as one-line JSON without ASCII escapes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def utf8(text: str) -> str:
    """Return a text with lone surrogates, as in old file names, escaped so that it can be sent."""
    return text.encode(errors="backslashreplace").decode()


def plain(tool: ToolDefinition, value: JsonValue) -> JsonObject:
    """Return the result of a call with text content only."""
    return {"content": [_document(tool, value) or _text(compact(value))], "isError": False}


def structured(tool: ToolDefinition, value: JsonValue, wrapper: str = "") -> JsonObject:
    """Return the result of a call with structured content, optionally wrapped, and its text.

    Bytes with a media type in the schema become separate content blocks.
    """
    whole = {wrapper: value} if wrapper else value
    content = [block] if (block := _document(tool, value)) else []
    if not content:
        rest, found = parted(tool.output_schema, value)
        told = {wrapper: rest} if wrapper else rest
        content = [_text(compact(told)), *(_shown(tool, each) for each in found)]
    return {"content": [*content], "isError": False, "structuredContent": whole}


def _document(tool: ToolDefinition, value: JsonValue) -> JsonObject | None:
    """Return a document result: a string of a tool whose `outputContentType` is not JSON."""
    kind = tool.output_content_type
    if kind == "application/json" or not isinstance(value, str):
        return None
    is_bytes = BASE64 in tool.output_schema
    return _shown(tool, Document("", kind, value)) if is_bytes else _text(value)


def _text(text: JsonValue) -> JsonObject:
    return {"type": "text", "text": text}


def _shown(tool: ToolDefinition, document: Document) -> JsonObject:
    """Return bytes as image, audio or resource content."""
    kind = document.media_type
    family = kind.partition("/")[0]
    if family in ("image", "audio"):
        return {"type": family, "data": document.data, "mimeType": kind}
    fragment = f"#{quote(document.pointer)}" if document.pointer else ""
    resource: JsonObject = {
        "uri": f"toolspec:{tool.full_name}{fragment}",
        "mimeType": kind,
        "blob": document.data,
    }
    return {"type": "resource", "resource": resource}


def failure(error: ToolError) -> JsonObject:
    """Return the result of a failed call: a readable line, and the error as JSON twice."""
    wire = error.to_wire()
    envelope: JsonObject = {"error": wire["error"]}
    return {
        "content": [_text(wire["text"]), _text(compact(envelope))],
        "isError": True,
        "_meta": {META: envelope},
    }
