"""JSON to plain values: the C scanner of the standard library, with what it lets pass refused.

Places cost nothing here: `JsonLocator` finds them when a finding asks. What is wrong in a text that
the scanner has read, and where, is found by a second look that only such texts get.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.syntax import kinds
from toolspec.syntax.json_locator import JsonLocator
from toolspec.syntax.limits import MAX_DEPTH
from toolspec.syntax.nodes import Document
from toolspec.syntax.scalars import SAFE_LENGTH, integer, is_unsafe

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile
    from toolspec.syntax.nodes import JsonObject, JsonValue

_DROP = bytes(set(range(256)) - set(b'[]{}"'))
_SQUARE = bytes.maketrans(b"{}", b"[]")


def read_json(source: SourceFile) -> Checked[Document | None]:
    """Return the document of a JSON text (RFC 8259); None after a syntax error, or beyond a limit."""
    too_deep = _depth_finding(source)
    if too_deep:
        return Checked(None, (too_deep,))
    doubts = _Doubts()
    decoder = json.JSONDecoder(
        object_pairs_hook=doubts.members,
        parse_int=doubts.integer,
        parse_float=doubts.real,
        parse_constant=doubts.constant,
    )
    try:
        value = decoder.decode(source.text)
    except json.JSONDecodeError as error:
        return Checked(None, _syntax_error(source, error.pos))
    found: tuple[Diagnostic, ...] = ()
    if doubts.any or _may_hold_surrogates(source.text):
        from toolspec.syntax.json_audit import audit

        found = audit(source)
        if any(each.kind is kinds.SURROGATE for each in found):
            # Half a pair is no text: nothing that comes after could encode it.
            return Checked(None, found)
    return Checked(Document(source, value, JsonLocator(source)), found)


def _may_hold_surrogates(text: str) -> bool:
    return "\\" in text and ("\\ud" in text or "\\uD" in text)


def _syntax_error(source: SourceFile, at: int) -> tuple[Diagnostic, ...]:
    from toolspec.syntax.json_audit import audit
    from toolspec.syntax.json_errors import explain

    if not source.text.strip():
        return (kinds.EMPTY.at(source.span(0, 0)),)
    return (*audit(source, at), explain(source, at))


class _Doubts:
    """Hooks that give the C scanner's values, and note whether any of them needs a second look."""

    def __init__(self) -> None:
        self.any = False

    def members(self, pairs: list[tuple[str, JsonValue]]) -> JsonObject:
        value = dict(pairs)
        if len(value) != len(pairs):
            self.any = True
            value = {}
            for key, member in pairs:
                value.setdefault(key, member)
        return value

    def integer(self, literal: str) -> int:
        if len(literal) < SAFE_LENGTH:
            return int(literal)
        value = integer(literal)
        self.any = self.any or value is None or is_unsafe(value)
        return value or 0

    def real(self, literal: str) -> float:
        value = float(literal)
        if math.isfinite(value):
            return value
        return self.constant(literal)

    def constant(self, _literal: str) -> float:
        self.any = True
        return 0.0


def _depth_finding(source: SourceFile) -> Diagnostic | None:
    """Return the finding of a text that nests too deep, before anything recurses into it.

    Escapes, then everything but brackets and quotes, are cut away; every second piece between quotes
    stands outside strings. Each round then removes the innermost pairs, of whichever shape.
    """
    data = source.text.encode()
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = b"".join(data.translate(_SQUARE, _DROP).split(b'"')[::2])
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return None
    from toolspec.syntax.json_audit import depth_finding

    return depth_finding(source)
