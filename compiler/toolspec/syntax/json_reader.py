"""JSON reader based on the C scanner of the standard library, but stricter.

It records no locations: `JsonLocator` computes them for diagnostics. The scanner accepts some
errors, such as duplicate keys; a second scan of such texts locates them (`json_audit`).
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
    """Return the document of a JSON text (RFC 8259); None after a syntax error or over a limit."""
    too_deep = _depth_diagnostic(source)
    if too_deep:
        return Checked(None, (too_deep,))
    hooks = _ScannerHooks()
    decoder = json.JSONDecoder(
        object_pairs_hook=hooks.members,
        parse_int=hooks.integer,
        parse_float=hooks.real,
        parse_constant=hooks.constant,
    )
    try:
        value = decoder.decode(source.text)
    except json.JSONDecodeError as error:
        return Checked(None, _syntax_error(source, error.pos))
    diagnostics: tuple[Diagnostic, ...] = ()
    if hooks.needs_audit or _may_hold_surrogates(source.text):
        from toolspec.syntax.json_audit import audit

        diagnostics = audit(source)
        if any(diagnostic.kind is kinds.SURROGATE for diagnostic in diagnostics):
            # A lone surrogate cannot be encoded by anything that follows.
            return Checked(None, diagnostics)
    return Checked(Document(source, value, JsonLocator(source)), diagnostics)


def _may_hold_surrogates(text: str) -> bool:
    return "\\" in text and ("\\ud" in text or "\\uD" in text)


def _syntax_error(source: SourceFile, offset: int) -> tuple[Diagnostic, ...]:
    from toolspec.syntax.json_audit import audit
    from toolspec.syntax.json_errors import explain

    if not source.text.strip():
        return (kinds.EMPTY.at(source.span(0, 0)),)
    return (*audit(source, offset), explain(source, offset))


class _ScannerHooks:
    """Hooks of the scanner that return the default values and record the need for an audit."""

    def __init__(self) -> None:
        self.needs_audit = False

    def members(self, pairs: list[tuple[str, JsonValue]]) -> JsonObject:
        value = dict(pairs)
        if len(value) != len(pairs):
            self.needs_audit = True
            value = {}
            for key, member in pairs:
                value.setdefault(key, member)
        return value

    def integer(self, literal: str) -> int:
        if len(literal) < SAFE_LENGTH:
            return int(literal)
        value = integer(literal)
        self.needs_audit = self.needs_audit or value is None or is_unsafe(value)
        return value or 0

    def real(self, literal: str) -> float:
        value = float(literal)
        if math.isfinite(value):
            return value
        return self.constant(literal)

    def constant(self, _literal: str) -> float:
        self.needs_audit = True
        return 0.0


def _depth_diagnostic(source: SourceFile) -> Diagnostic | None:
    """Return the diagnostic of a text nested too deeply, before anything recurses into it.

    Escapes, then all characters except brackets and quotes, are removed, then pairs of quotes with
    nothing between them, which are most; every second piece between the others is outside strings.
    Each round then removes the innermost pairs of brackets.
    """
    data = source.text.encode()
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = data.translate(_SQUARE, _DROP).replace(b'""', b"")
    brackets = b"".join(marks.split(b'"')[::2])
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"")
        if not brackets:
            return None
    from toolspec.syntax.json_audit import depth_diagnostic

    return depth_diagnostic(source)
