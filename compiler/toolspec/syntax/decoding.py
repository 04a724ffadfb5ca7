"""Decoding of files: size limit, strict UTF-8, and forbidden characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.source import SourceFile
from toolspec.syntax import kinds
from toolspec.syntax.limits import MAX_BYTES, limited

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic

_BOM = b"\xef\xbb\xbf"
_UTF32 = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff", *_UTF32)
_CONTROLS = bytes(set(range(0x20)) - {0x09, 0x0A, 0x0D}) + b"\x7f"
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# YAML 1.1 tools and some editors end lines at these. Readers differ about BOMs and noncharacters.
_FORBIDDEN_IN_YAML = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)"
)


def decode(path: str, data: bytes, *, is_yaml: bool, limit: int = MAX_BYTES) -> Checked[SourceFile]:
    """Return the text of a file, without a leading BOM.

    Reports a size over `limit`, invalid UTF-8 (with its offset), and every forbidden character:
    C0 except tab and line ends, DEL, C1; in YAML also U+2028, U+2029, a lone CR, and a BOM that is
    not at the start (threats.md, P7).
    """
    if len(data) > limit:
        source = SourceFile(path, "")
        diagnostic = kinds.TOO_LARGE.at(source.span(0, 0), limit=f"{limit >> 20} MiB")
        return Checked(source, (diagnostic,))
    if data.startswith(_OTHER_MARKS):
        source = SourceFile(path, "")
        encoding = "UTF-32" if data.startswith(_UTF32) else "UTF-16"
        detail = f"it begins with the byte order mark of {encoding}"
        return Checked(source, (kinds.ENCODING.at(source.span(0, 0), detail=detail),))
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        return _undecodable(path, data, error)
    source = SourceFile(path, text)
    if data.isascii() and b"\r" not in data and len(data.translate(None, _CONTROLS)) == len(data):
        return Checked(source)
    pattern = _FORBIDDEN_IN_YAML if is_yaml else _FORBIDDEN
    return Checked(source, limited(_forbidden(source, match) for match in pattern.finditer(text)))


def _undecodable(path: str, data: bytes, error: UnicodeDecodeError) -> Checked[SourceFile]:
    body = data.removeprefix(_BOM)
    source = SourceFile(path, body.decode("utf-8", "replace"))
    position = len(body[: error.start].decode("utf-8"))
    byte_offset = error.start + len(data) - len(body)
    detail = f"byte 0x{body[error.start]:02X} at offset {byte_offset}"
    return Checked(source, (kinds.ENCODING.at(source.span(position, position + 1), detail=detail),))


def _forbidden(source: SourceFile, match: re.Match[str]) -> Diagnostic:
    span = source.span(*match.span())
    return kinds.CHARACTER.at(span, character=f"U+{ord(match[0]):04X}")
