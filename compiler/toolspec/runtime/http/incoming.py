"""Responses as results, chunks and errors."""

from __future__ import annotations

import codecs
import json
import re
import zlib
from base64 import b64encode
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import quote

from toolspec.runtime.errors import ToolError
from toolspec.shared.http_statuses import STATUSES
from toolspec.shared.json_values import one_line
from toolspec.shared.media_types import is_json

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.http.messages import HttpRequest, HttpResponse
    from toolspec.shared.error_categories import Category
    from toolspec.shared.json_values import JsonObject, JsonValue

_PIECE = 65_536
_ERROR_BYTES = 65_536
_EXCERPT = 300
_SUCCESS, _REDIRECT, _CLIENT_ERROR, _SERVER_ERROR = 200, 300, 400, 500
_NOT_MODIFIED, _TOO_EARLY = 304, 425
_END_OF_LINE = re.compile(rb"\r\n|\n|\r")
_TEXTS = ("message", "detail", "error_description", "title", "error")
_WITHOUT_CONTENT = (204, 205, _NOT_MODIFIED)
UNKNOWN_EFFECT: JsonObject = {"effect": "unknown"}
"""Details of an error after which a repeated call could act a second time."""


def header(response: HttpResponse, name: str) -> str:
    """Return a header of a response, empty without one."""
    return next((value for key, value in response.headers if key.lower() == name), "")


async def read(response: HttpResponse, limit: int) -> bytes:
    """Return the decoded body. Raises ToolError `output` if it is larger than the limit."""
    data = bytearray()
    async for piece in decoded(response):
        data += piece
        if len(data) > limit:
            raise _too_large(limit)
    return bytes(data)


async def decoded(response: HttpResponse) -> AsyncIterator[bytes]:
    """Yield the body without its `Content-Encoding`, in pieces of bounded size."""
    encoding = header(response, "content-encoding").strip().lower()
    if encoding in ("", "identity"):
        async for piece in response.chunks():
            yield piece
        return
    if encoding not in ("gzip", "x-gzip", "deflate"):
        message = f"the server answered with the content encoding `{one_line(encoding)}`"
        raise ToolError.output(message, code="content_encoding")
    either = zlib.MAX_WBITS | 32
    decompressor, is_begun = zlib.decompressobj(either), False
    try:
        async for data in response.chunks():
            is_begun = True
            rest, piece = data, b""
            while rest or len(piece) == _PIECE:
                if decompressor.eof:
                    decompressor = zlib.decompressobj(either)
                piece = decompressor.decompress(rest, _PIECE)
                if piece:
                    yield piece
                is_over = decompressor.eof
                rest = decompressor.unused_data if is_over else decompressor.unconsumed_tail
    except zlib.error:
        raise _damaged() from None
    if is_begun and not decompressor.eof:
        raise _damaged()


def result_of(tool: ToolDefinition, response: HttpResponse, data: bytes) -> JsonValue:
    """Return the result in a body: JSON, text, or base64 if the tool returns bytes.

    None without content. Raises ToolError `output` for a body of another kind.
    """
    kind = content_type(response)
    if not is_json(tool.output_content_type):
        if _returns_base64(tool):
            return b64encode(data).decode()
        return _text(response, data)
    if response.status in _WITHOUT_CONTENT or not data:
        return None
    if kind.startswith("text/") and not is_json(kind):
        return b64encode(data).decode() if _returns_base64(tool) else _text(response, data)
    if is_json(kind) or not kind:
        return parsed(data)
    if _returns_base64(tool):
        return b64encode(data).decode()
    message = f"the server answered with `{one_line(kind)}`, not JSON"
    raise ToolError.output(message, code="content_type")


def parsed(data: bytes | str) -> JsonValue:
    """Return JSON. Raises ToolError `output` for anything else."""
    try:
        value: JsonValue = json.loads(data)
    except (ValueError, RecursionError):
        message = "the server answered with invalid JSON"
        raise ToolError.output(message, code="invalid_json") from None
    return value


async def chunks_of(
    tool: ToolDefinition, response: HttpResponse, limit: int
) -> AsyncIterator[JsonValue]:
    """Yield the chunks in a body: events, lines of JSON, text, or the items of a JSON array.

    Texts of a tool whose chunks are joined are passed as they are; others are JSON. If a chunk is an
    object with `data`, it is the whole event. `limit` is for each event or line.
    """
    kind, is_text = content_type(response), tool.reduction == "join"
    chunks: AsyncIterator[JsonValue]
    if kind == "text/event-stream":
        chunks = _event_chunks(tool, response, limit)
    elif kind in ("application/jsonl", "application/x-ndjson", "application/json-seq"):
        lines = (line.strip(b" \t\x1e") async for line in _lines(response, limit))
        chunks = (parsed(line) async for line in lines if line)
    elif is_text and not is_json(kind):
        chunks = _text_chunks(response)
    else:
        value = result_of(tool, response, await read(response, limit))
        for item in value if tool.reduction == "list" and isinstance(value, list) else [value]:
            yield item
        return
    async for chunk in chunks:
        yield chunk


async def _event_chunks(
    tool: ToolDefinition, response: HttpResponse, limit: int
) -> AsyncIterator[JsonValue]:
    is_event = _is_event(tool.chunk_schema)
    async for event in _events(response, limit):
        if is_event:
            yield dict(event)
        elif event["data"] == "[DONE]":
            return
        else:
            yield event["data"] if tool.reduction == "join" else parsed(event["data"])


async def _text_chunks(response: HttpResponse) -> AsyncIterator[JsonValue]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    async for piece in decoded(response):
        if text := decoder.decode(piece):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


async def error_of(
    tool: ToolDefinition, request: HttpRequest, response: HttpResponse, *, is_repeatable: bool
) -> ToolError:
    """Return the error of a status.

    The code is the one that the tool declares for the name of the status, its category or
    `http_404`, in this order; else the name. Secrets of the request are left out. If the request is
    not repeatable, the error of a server says that the effect is unknown, unless the tool declares it.
    """
    status = response.status
    is_client_error = _CLIENT_ERROR <= status < _SERVER_ERROR
    fallback: Category = "validation" if is_client_error else "unavailable"
    name, category = STATUSES.get(status, (f"http_{status}", fallback))
    declared = {code: (text, retryable) for code, text, retryable in tool.errors}
    code = next((each for each in (name, category, f"http_{status}") if each in declared), "")
    details: JsonObject = {"status": status}
    text, retryable = declared.get(code, ("", None))
    if retryable is None and status < _CLIENT_ERROR:
        retryable = False
    elif retryable is None and not is_repeatable and _may_have_acted(status, category):
        retryable, details = False, {**details, **UNKNOWN_EFFECT}
    excerpt = await _excerpt(request, response)
    message = text or f"the server answered {status}"
    return ToolError(
        code or name,
        f"{message}: {excerpt}" if excerpt else message,
        category,
        retryable=retryable,
        retry_after_ms=retry_after_ms(response),
        details=details,
    )


def retry_after_ms(response: HttpResponse) -> int | None:
    """Return the delay of `Retry-After`, from seconds or a date; None without one."""
    text = header(response, "retry-after").strip()
    if text.isdecimal():
        return min(int(text[:10]), 10**9) * 1000
    with suppress(ValueError, TypeError, OverflowError):
        delay = parsedate_to_datetime(text) - datetime.now(UTC)
        return max(0, int(delay.total_seconds() * 1000))
    return None


def content_type(response: HttpResponse) -> str:
    """Return the media type of a body, in lower case and without parameters."""
    return header(response, "content-type").partition(";")[0].strip().lower()


def is_error(status: int) -> bool:
    """Return whether a status is neither a success nor the 304 of a condition.

    That of a redirect is left only where it could not be followed.
    """
    return not (_SUCCESS <= status < _REDIRECT or status == _NOT_MODIFIED)


def _may_have_acted(status: int, category: Category) -> bool:
    """Return whether a server that answers so may have done what was asked."""
    return category in ("unavailable", "timeout") and status != _TOO_EARLY


def _damaged() -> ToolError:
    message = "the server answered with damaged data"
    return ToolError.output(message, code="content_encoding")


def _too_large(limit: int) -> ToolError:
    message = f"the server answered with more than {limit:,} bytes"
    return ToolError.output(message, code="too_large")


def _text(response: HttpResponse, data: bytes) -> str:
    match = re.search(
        r"charset=\"?([A-Za-z0-9._-]+)", header(response, "content-type"), re.IGNORECASE
    )
    try:
        return data.decode(match[1] if match else "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def _is_event(schema: str | None) -> bool:
    """Return whether a chunk is a whole event: an object with `data`."""
    value = json.loads(schema) if schema else {}
    return isinstance(value, dict) and "data" in value.get("properties", {})


def _returns_base64(tool: ToolDefinition) -> bool:
    schema = json.loads(tool.output_schema)
    return isinstance(schema, dict) and schema.get("contentEncoding") == "base64"


async def _events(response: HttpResponse, limit: int) -> AsyncIterator[dict[str, str]]:
    """Yield the events of a stream that have data, each with the fields that it has."""
    event: dict[str, str] = {}
    data: list[str] = []
    size = 0
    async for raw in _lines(response, limit):
        line = raw.decode("utf-8", "replace").removeprefix("\ufeff")
        size += len(line)
        if size > limit:
            raise _too_large(limit)
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield {**event, "data": "\n".join(data)}
            event, data, size = {}, [], 0
        elif name == "data":
            data.append(value)
        elif name in ("event", "id", "retry"):
            event[name] = value


async def _lines(response: HttpResponse, limit: int) -> AsyncIterator[bytes]:
    """Yield the lines of a body, without their ends; also an unfinished last one."""
    buffer = b""
    async for piece in decoded(response):
        buffer += piece
        start = 0
        for match in _END_OF_LINE.finditer(buffer):
            if match[0] == b"\r" and match.end() == len(buffer):
                break  # the next piece may begin with its line feed
            yield buffer[start : match.start()]
            start = match.end()
        buffer = buffer[start:]
        if len(buffer) > limit:
            raise _too_large(limit)
    for line in _END_OF_LINE.split(buffer):
        if line:
            yield line


async def _excerpt(request: HttpRequest, response: HttpResponse) -> str:
    """Return a line of what the server says about an error."""
    data = b""
    with suppress(ToolError, OSError):
        async for piece in decoded(response):
            data += piece
            if len(data) > _ERROR_BYTES:
                break
    kind, text = content_type(response), ""
    if is_json(kind):
        with suppress(ToolError):
            text = _stated(parsed(data))
    elif kind == "text/plain":
        text = _text(response, data)
    for secret in sorted(request.secrets, key=len, reverse=True):
        for form in (secret, quote(secret, ""), json.dumps(secret)[1:-1]):
            text = text.replace(form, "…") if form else text
    line = one_line(text)
    return line if len(line) <= _EXCERPT else f"{line[:_EXCERPT]}…"


def _stated(value: JsonValue) -> str:
    """Return the text of an error in JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for name in _TEXTS:
            if text := _stated(value.get(name)):
                return text
    return ""
