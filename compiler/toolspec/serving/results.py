"""Wire results of calls: structured content, text, documents, or an error envelope."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.runtime.errors import ToolError
from toolspec.shared.records import dataclass, field
from toolspec.shared.result_form import META
from toolspec.shared.samples.schemas import Schemas

if TYPE_CHECKING:
    from typing import Any

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.json_values import JsonObject, JsonValue


BASE64 = '"contentEncoding":"base64"'
"""As serialized in generated schemas."""

_MEDIA_TYPE = '"contentMediaType"'
_MOST_REFERENCES = 16


@dataclass(frozen=True, slots=True)
class Document:
    """Base64 bytes in a result, located by `pointer`."""

    pointer: str
    media_type: str
    data: str


def parted(schema: str, value: JsonValue) -> tuple[JsonValue, tuple[Document, ...]]:
    """Return a value without its documents, and the documents, in order.

    A document is a string whose schema has `contentEncoding: base64` and a `contentMediaType`. The
    search follows `properties`, `items` and references. A value without documents is returned
    itself.
    """
    if not isinstance(value, (dict, list)) or BASE64 not in schema or _MEDIA_TYPE not in schema:
        return value, ()
    root = _read(schema)
    search = _Search(root)
    rest = search.without_documents(root.referenced("#"), value, "")
    return (rest, tuple(search.found)) if search.found else (value, ())


@lru_cache(maxsize=256)
def _read(schema: str) -> Schemas:
    return Schemas(json.loads(schema))


@dataclass(slots=True)
class _Search:
    """One search and the documents found so far."""

    root: Schemas
    found: list[Document] = field(default_factory=list)

    def without_documents(self, schema: JsonValue, value: JsonValue, pointer: str) -> JsonValue:
        schema = self._resolved(schema)
        if isinstance(value, dict):
            kinds = _member(schema, "properties")
            members = {name: (_member(kinds, name), item) for name, item in value.items()}
            rest: JsonObject = {
                name: self.without_documents(kind, item, f"{pointer}/{_step(name)}")
                for name, (kind, item) in members.items()
                if not self._takes(kind, item, f"{pointer}/{_step(name)}")
            }
            return rest
        if isinstance(value, list):
            kind = _member(schema, "items")
            return [
                self.without_documents(kind, item, f"{pointer}/{index}")
                for index, item in enumerate(value)
                if not self._takes(kind, item, f"{pointer}/{index}")
            ]
        return value

    def _takes(self, schema: JsonValue, value: JsonValue, pointer: str) -> bool:
        schema = self._resolved(schema)
        media_type = _member(schema, "contentMediaType")
        if not isinstance(value, str) or not isinstance(media_type, str):
            return False
        if _member(schema, "contentEncoding") != "base64":
            return False
        self.found.append(Document(pointer, media_type, value))
        return True

    def _resolved(self, schema: JsonValue) -> JsonValue:
        for _ in range(_MOST_REFERENCES):
            reference = _member(schema, "$ref")
            if not isinstance(reference, str):
                break
            schema = self.root.referenced(reference)
        return schema


def _member(schema: JsonValue, name: str) -> JsonValue:
    return schema.get(name) if isinstance(schema, dict) else None


def _step(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


_MAX_REFUSAL = 8 * 1024
"""Maximum size in bytes of the result that explains invalid arguments."""

_OVERHEAD = 1_000
"""More bytes than a result has besides the value."""

_MAX_MESSAGE = 300
"""Maximum length of a message that is too long for that; of the widest characters too."""


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
        rest, documents = parted(tool.output_schema, value)
        shown = {wrapper: rest} if wrapper else rest
        content = [_text(compact(shown)), *(_content_of(tool, document) for document in documents)]
    return {"content": [*content], "isError": False, "structuredContent": whole}


def _document(tool: ToolDefinition, value: JsonValue) -> JsonObject | None:
    """Return a document result: a string of a tool whose `outputContentType` is not JSON."""
    kind = tool.output_content_type
    if kind == "application/json" or not isinstance(value, str):
        return None
    is_bytes = BASE64 in tool.output_schema
    return _content_of(tool, Document("", kind, value)) if is_bytes else _text(value)


def _text(text: JsonValue) -> JsonObject:
    return {"type": "text", "text": text}


def _content_of(tool: ToolDefinition, document: Document) -> JsonObject:
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


def size(text: str) -> int:
    """Return the size of a text in bytes."""
    return len(text) if text.isascii() else len(text.encode(errors="backslashreplace"))


def is_larger(result: JsonObject, limit: int) -> bool:
    """Return whether a result has more bytes as JSON than a limit."""
    blocks: Any = result["content"]
    texts = (block.get("text") or block.get("data") or compact(block) for block in blocks)
    # Escapes at most double the text, and the structured content is no larger than it.
    is_small = 3 * sum(map(size, texts)) + _OVERHEAD < limit
    return not is_small and size(compact(result)) > limit


def too_large(tool: ToolDefinition) -> ToolError:
    """Return the error for a result that is larger than the tool's limit."""
    effect = "; its effect may have happened anyway" if tool.mutation else ""
    return ToolError.output(
        f"the result of `{tool.full_name}` is larger than {tool.result_bytes:,} bytes{effect}",
        code="result_too_large",
        details={"limit": tool.result_bytes, "hint": "ask for less, such as a page or a filter"},
    )


def failure(error: ToolError) -> JsonObject:
    """Return the result of a failed call: a readable line, and the error as JSON twice.

    Of invalid arguments it names as many as fit into a few kilobytes, which a model has to read.
    """
    result = _failure(error)
    while (
        error.field_errors
        and error.category == "validation"
        and size(compact(result)) > _MAX_REFUSAL
    ):
        error = _shortened(error)
        result = _failure(error)
    return result


def _shortened(error: ToolError) -> ToolError:
    """Return an error with half of the field errors; with the last one its message gets short."""
    shorter = error.sent(error.request_id, error.retryable)
    shorter.field_errors = error.field_errors[: len(error.field_errors) // 2]
    if not shorter.field_errors:
        shorter.message = f"{error.message[:_MAX_MESSAGE]}…"
    return shorter


def _failure(error: ToolError) -> JsonObject:
    wire = error.to_wire()
    envelope: JsonObject = {"error": wire["error"]}
    return {
        "content": [_text(wire["text"]), _text(compact(envelope))],
        "isError": True,
        "_meta": {META: envelope},
    }
