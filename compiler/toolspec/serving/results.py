"""What a call comes to on the wire: structured content with its text, or an error with its envelope."""

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
    """Return a value as JSON of one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def utf8(text: str) -> str:
    """Return a text that can be sent: what is no character, as in old files' names, is spelt out."""
    return text.encode(errors="backslashreplace").decode()


def plain(tool: ToolDefinition, value: JsonValue) -> JsonObject:
    """Return the result of a call whose value is told in its content alone."""
    return {"content": [_document(tool, value) or _text(compact(value))], "isError": False}


def structured(tool: ToolDefinition, value: JsonValue, wrapper: str = "") -> JsonObject:
    """Return the result of a call: its structured content, wrapped where asked for, and the same for readers.

    Bytes in it to which the schema gives a media type stand beside the JSON, as blocks of their own.
    """
    whole = {wrapper: value} if wrapper else value
    content = [block] if (block := _document(tool, value)) else []
    if not content:
        rest, found = parted(tool.output_schema, value)
        told = {wrapper: rest} if wrapper else rest
        content = [_text(compact(told)), *(_shown(tool, each) for each in found)]
    return {"content": [*content], "isError": False, "structuredContent": whole}


def _document(tool: ToolDefinition, value: JsonValue) -> JsonObject | None:
    """Return a result as the document that it is: a string of a tool whose `outputContentType` is not JSON."""
    kind = tool.output_content_type
    if kind == "application/json" or not isinstance(value, str):
        return None
    is_bytes = BASE64 in tool.output_schema
    return _shown(tool, Document("", kind, value)) if is_bytes else _text(value)


def _text(text: JsonValue) -> JsonObject:
    return {"type": "text", "text": text}


def _shown(tool: ToolDefinition, document: Document) -> JsonObject:
    """Return bytes as an image, a sound, or the content of a resource."""
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
    """Return the result of a call that failed: a line for people, and the machine's form twice."""
    wire = error.to_wire()
    envelope: JsonObject = {"error": wire["error"]}
    return {
        "content": [_text(wire["text"]), _text(compact(envelope))],
        "isError": True,
        "_meta": {META: envelope},
    }
