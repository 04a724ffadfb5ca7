"""Bodies of requests: JSON, forms, multipart, text and bytes."""

from __future__ import annotations

import os
from base64 import b64decode
from urllib.parse import unquote

from toolspec.runtime.errors import ToolError
from toolspec.runtime.http.binding import HttpArgument
from toolspec.runtime.http.serialization import as_json, as_text, in_query
from toolspec.shared.media_types import is_json

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from toolspec.runtime.http.binding import HttpBinding
    from toolspec.runtime.http.uploads import Upload
    from toolspec.shared.json_values import JsonValue

    Fields: TypeAlias = Sequence[tuple[HttpArgument, JsonValue]]
    Uploads: TypeAlias = Sequence[tuple[HttpArgument, Upload]]

_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/"


def body_of(binding: HttpBinding, fields: Fields, uploads: Uploads) -> tuple[bytes, str]:
    """Return the body of a request and its content type, both empty without a body.

    Files are the last parts of a multipart body, as some servers expect. Raises binascii.Error for
    bytes that are not base64.
    """
    content_type = binding.content_type or ("application/json" if fields else "")
    if not content_type:
        return b"", ""
    if not binding.body_argument:
        return _of_members(content_type, fields, uploads)
    if uploads:
        _, upload = uploads[0]
        return upload.content, content_type
    present = _present(fields)
    if not present:
        return b"", ""
    argument, value = present[0]
    kind = _essence(content_type)
    if isinstance(value, dict) and (kind == _FORM or kind.startswith(_MULTIPART)):
        members = [(_member(name, binding), member) for name, member in value.items()]
        return _of_members(content_type, members, ())
    return _whole(kind, argument, value), content_type


def _of_members(content_type: str, fields: Fields, uploads: Uploads) -> tuple[bytes, str]:
    """Return a body of several fields, and its content type."""
    kind = _essence(content_type)
    if kind == _FORM:
        return _form(fields), content_type
    if kind.startswith(_MULTIPART):
        boundary = os.urandom(16).hex()
        return _multipart(fields, uploads, boundary), f"{content_type}; boundary={boundary}"
    return as_json(
        {each.wire_name: value for each, value in _present(fields)}
    ).encode(), content_type


def _essence(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _member(name: str, binding: HttpBinding) -> HttpArgument:
    """Return a member of the body argument as an argument of its own, with the defaults of one."""
    return HttpArgument(
        argument=name,
        place="body",
        style="form",
        explode=True,
        is_base64=name in binding.body_binary,
    )


def _whole(kind: str, argument: HttpArgument, value: JsonValue) -> bytes:
    if argument.is_json and isinstance(value, str):
        return value.encode()
    if is_json(kind):
        return as_json(value).encode()
    if argument.is_base64 and isinstance(value, str):
        return b64decode(value, validate=True)
    return as_text(value).encode()


def _present(fields: Fields) -> list[tuple[HttpArgument, JsonValue]]:
    """Return the fields to send, with `""` for null where that is asked for."""
    return [
        (argument, "" if value is None and argument.nulls == "empty" else value)
        for argument, value in fields
        if value is not None or argument.nulls != "omit"
    ]


def _form(fields: Fields) -> bytes:
    names = {argument.wire_name for argument, _ in fields}
    pairs: list[tuple[str, str]] = []
    for argument, value in _present(fields):
        own = in_query(argument, value)
        if any(
            name != argument.wire_name and name in names for name in (unquote(k) for k, _ in own)
        ):
            message = f"the argument `{argument.argument}` replaces another argument"
            raise ToolError.validation(message, code="not_sendable")
        pairs += own
    return _joined(pairs)


def _joined(pairs: list[tuple[str, str]]) -> bytes:
    return "&".join(f"{name}={text}" for name, text in pairs).encode()


def _multipart(fields: Fields, uploads: Uploads, boundary: str) -> bytes:
    parts = [
        _part(argument, item)
        for argument, value in _present(fields)
        for item in (value if isinstance(value, list) and not argument.content_type else [value])
        if item is not None
    ]
    parts += [_file_part(argument, upload) for argument, upload in uploads]
    line = f"--{boundary}\r\n".encode()
    return b"".join(line + part + b"\r\n" for part in parts) + f"--{boundary}--\r\n".encode()


def _part(argument: HttpArgument, value: JsonValue) -> bytes:
    name = _in_quotes(argument.wire_name)
    head = f'Content-Disposition: form-data; name="{name}"'
    content_type = argument.content_type
    if argument.is_base64 and isinstance(value, str):
        head += f'; filename="{name}"'
        content_type = content_type or "application/octet-stream"
        content = b64decode(value, validate=True)
    else:
        content = as_text(value).encode()
        if isinstance(value, (dict, list)):
            content_type = content_type or "application/json"
    kind = f"\r\nContent-Type: {content_type}" if content_type else ""
    return f"{head}{kind}\r\n\r\n".encode() + content


def _file_part(argument: HttpArgument, upload: Upload) -> bytes:
    name, file = _in_quotes(argument.wire_name), _in_quotes(upload.name)
    content_type = argument.content_type or upload.content_type
    head = f'Content-Disposition: form-data; name="{name}"; filename="{file}"'
    return f"{head}\r\nContent-Type: {content_type}\r\n\r\n".encode() + upload.content


def _in_quotes(text: str) -> str:
    """Return a name of a part, with the characters that would end it percent-encoded."""
    for character, escaped in (("\r", "%0D"), ("\n", "%0A"), ('"', "%22")):
        text = text.replace(character, escaped)
    return text
