"""Diagnostics of YAML syntax errors, from libyaml's errors and the text around them.

Imported only after a syntax error.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from toolspec.diagnostics import Label
from toolspec.shared.records import dataclass
from toolspec.syntax import kinds, yaml_kinds
from toolspec.syntax.limits import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile, Span

_CLOSING = {"[": "]", "{": "}"}
_LEADING_TAB = re.compile(r" *(\t+)")
_KEY = re.compile(r":(?=\s|$)")
_PLAIN_VALUE = re.compile(r":\s+(?=[^\s|>'\"\[{&!#*])")
_DASH = re.compile(r" *(?:- +)+")
_QUOTED_KEY = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""
# The text of a line before the colon of a key: of a key in a block, and of one in brackets.
_BLOCK_KEY = re.compile(rf" *(?:[-?] +)*+({_QUOTED_KEY}|[^\s\"'\[{{](?:(?!: ).)*) *\Z")
_BRACKET_KEY = re.compile(
    rf"[\[{{,][ \t]*({_QUOTED_KEY}|[^\s\"'\[\]{{}},](?:(?!: )[^\[\]{{}},])*) *\Z"
)
_MAX_KEY = 1024
_ESCAPE = re.compile(r"\\(?:x\w{0,2}|u\w{0,4}|U\w{0,8}|.)?")
_SURROGATE_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")


def explain(source: SourceFile, error: Any, last: tuple[int, ...] = ()) -> Diagnostic:
    """Return the diagnostic of a syntax error; `last` are the offsets of the last value read."""
    fault = _fault(source, error, last)
    key = _long_key(fault)
    if key is not None:
        return yaml_kinds.LONG_KEY.at(key, limit=_MAX_KEY)
    for words, make in _EXPLANATIONS:
        if words in fault.problem:
            return make(fault)
    return _other(fault)


@dataclass(frozen=True, slots=True)
class _Fault:
    """A libyaml error: the problem and its offset, and the offset of its context."""

    source: SourceFile
    problem: str
    at: int
    context: str
    context_at: int
    last: tuple[int, ...]

    @property
    def line(self) -> int:
        return self.source.position(self.at).line

    @property
    def before(self) -> str:
        """The text on the line before the problem."""
        return self.source.text[self.source.line_starts[self.line - 1] : self.at]

    @property
    def character(self) -> str:
        return self.source.text[self.at : self.at + 1]

    @property
    def span(self) -> Span:
        return self.source.span(self.at, min(self.at + 1, len(self.source.text)))

    def span_at(self, offset: int) -> Span:
        return self.source.span(offset, offset + 1)

    def rest_of_line(self, offset: int) -> Span:
        """Return the span from an offset to the end of its line, without blanks and a comment."""
        text = self.source.text
        end = text.find("\n", offset)
        content = re.split(r"\s#", text[offset : len(text) if end < 0 else end], maxsplit=1)[0]
        start = offset + len(content) - len(content.lstrip(" "))
        return self.source.span(start, max(start, offset + len(content.rstrip())))


def _fault(source: SourceFile, error: Any, last: tuple[int, ...]) -> _Fault:
    problem = getattr(error, "problem", None) or str(getattr(error, "reason", error))
    mark, context = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    offset = mark.index if mark else 0
    context_text = getattr(error, "context", None) or ""
    return _Fault(source, problem, offset, context_text, context.index if context else offset, last)


def _other(fault: _Fault) -> Diagnostic:
    context_labels = [Label(fault.span_at(fault.context_at), fault.context)]
    labels = [] if fault.context_at == fault.at else context_labels
    return yaml_kinds.INVALID_YAML.at(fault.span, labels=labels, problem=fault.problem)


def _token(fault: _Fault) -> Diagnostic:
    start = fault.source.line_starts[fault.line - 1]
    tab = _LEADING_TAB.match(fault.source.text, start)
    if tab:
        return yaml_kinds.TAB.at(fault.source.span(*tab.span(1)))
    return _quote_needed(fault.span)


def _colon(fault: _Fault) -> Diagnostic:
    """Return the diagnostic of `: ` where no key can end: in plain text, or below a key without a colon."""
    number = fault.line
    line = fault.before
    while number > 1 and not _KEY.search(line):
        number -= 1
        line = fault.source.line(number)
    start = fault.source.line_starts[number - 1]
    plain_text = _PLAIN_VALUE.search(line)
    if plain_text:
        label = Label(fault.span_at(start + plain_text.end()), "the text begins here")
        key = fault.rest_of_line(fault.source.line_starts[fault.line - 1])
        span = fault.span if number == fault.line else fault.source.span(key.start, fault.at + 1)
        return yaml_kinds.UNEXPECTED_COLON.at(span, labels=[label])
    if number < fault.line - 1 or not _KEY.search(line):
        above = fault.source.line_starts[fault.line - 2]
        dash = _DASH.match(fault.source.text, above)
        return kinds.MISSING_COLON.at(
            fault.rest_of_line(dash.end() if dash else above), "no colon here"
        )
    return yaml_kinds.UNEXPECTED_COLON.at(fault.span)


def _long_key(fault: _Fault) -> Span | None:
    """Return the span of a key that is too long, if the problem is at its colon."""
    if fault.character != ":" or len(fault.before) <= _MAX_KEY:
        return None
    key = _BLOCK_KEY.match(fault.before) or _BRACKET_KEY.search(fault.before)
    if key is None or len(fault.before) - key.start(1) <= _MAX_KEY:
        return None
    start = fault.at - len(fault.before)
    return fault.source.span(start + key.start(1), start + key.end(1))


def _simple_key(fault: _Fault) -> Diagnostic:
    return kinds.MISSING_COLON.at(fault.rest_of_line(fault.context_at), "no colon here")


def _in_brackets(fault: _Fault) -> Diagnostic:
    opening = fault.source.text[fault.context_at : fault.context_at + 1]
    closing = _CLOSING.get(opening)
    if closing is None:
        return _other(fault)
    if _closes(fault):
        labels = [Label(fault.source.span(*fault.last), "previous value")] if fault.last else []
        what = "item" if closing == "]" else "key"
        return kinds.MISSING_COMMA.at(fault.span, labels=labels, what=what)
    labels = [Label(fault.span, "not closed before this")]
    span = fault.span_at(fault.context_at)
    return kinds.UNCLOSED.at(span, labels=labels, what=f"`{opening}`", closing=closing)


def _closes(fault: _Fault) -> bool:
    """Return whether the bracket is closed later: on this line, or on its continuation lines."""
    text = fault.source.text
    opened = fault.source.position(fault.context_at).line
    indent = _indent(fault.source.line(opened))
    depth = 0
    for line in text[fault.at :].split("\n"):
        if depth == 0 and line.strip() and _indent(line) < indent:
            return False
        for character in line:
            depth += (character in "[{") - (character in "]}")
            if depth < 0:
                return True
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _quote(fault: _Fault) -> Diagnostic:
    quote = fault.source.text[fault.context_at : fault.context_at + 1]
    span = fault.rest_of_line(fault.context_at)
    return kinds.UNCLOSED.at(span, "opened here", what="a quoted text", closing=quote)


def _key_or_item(fault: _Fault) -> Diagnostic:
    if fault.character in {"]", "}"}:
        return kinds.UNEXPECTED_CLOSE.at(fault.span, bracket=fault.character)
    if fault.before.strip(" -"):
        labels = [_complete(fault.source.span(*fault.last))] if fault.last else []
        return kinds.AFTER_QUOTE.at(fault.rest_of_line(fault.at), labels=labels)
    labels = [Label(fault.span_at(fault.context_at), "the enclosing collection begins here")]
    return yaml_kinds.INDENTATION.at(fault.rest_of_line(fault.at), labels=labels)


def _complete(value: Span) -> Label:
    if value.first.line == value.last.line:
        return Label(value, "complete value")
    return Label(value, f"a value that ends on line {value.last.line}")


def _content(fault: _Fault) -> Diagnostic:
    if fault.character in {"]", "}"}:
        return kinds.UNEXPECTED_CLOSE.at(fault.span, bracket=fault.character)
    if not fault.character:
        opening = max(fault.source.text.rfind("["), fault.source.text.rfind("{"), 0)
        bracket = fault.source.text[opening]
        span = fault.span_at(opening)
        closing = _CLOSING.get(bracket, "]")
        return kinds.UNCLOSED.at(span, what=f"`{bracket}`", closing=closing)
    return kinds.MISSING_VALUE.at(fault.span, before=fault.character)


def _name(fault: _Fault) -> Diagnostic:
    return _quote_needed(fault.span_at(fault.context_at))


def _quote_needed(span: Span) -> Diagnostic:
    character = "a backtick" if span.text == "`" else f"`{span.text}`"
    return yaml_kinds.QUOTE_NEEDED.at(span, character=character)


def _escape(fault: _Fault) -> Diagnostic:
    start = fault.source.text.rfind("\\", fault.context_at, fault.at + 1)
    match = _ESCAPE.match(fault.source.text, start)
    if start < 0 or match is None:
        return _other(fault)
    pair = _SURROGATE_PAIR.match(fault.source.text, start)
    if pair:
        character = ord(json.loads(f'"{pair[0]}"'))
        return yaml_kinds.SURROGATE_PAIR.at(
            fault.source.span(*pair.span()), escape=pair[0], character=f"\\U{character:08X}"
        )
    span = fault.source.span(*match.span())
    if re.match(r"\\u[dD][89a-fA-F]", span.text):
        return kinds.SURROGATE.at(span, escape=span.text)
    return kinds.ESCAPE.at(span, escape=span.text, language="YAML")


_EXPLANATIONS: tuple[tuple[str, Callable[[_Fault], Diagnostic]], ...] = (
    ("cannot start any token", _token),
    ("tab character", _token),
    ("mapping values are not allowed", _colon),
    ("could not find expected ':'", _simple_key),
    ("did not find expected ',' or", _in_brackets),
    ("unexpected end of stream", _quote),
    ("did not find expected key", _key_or_item),
    ("did not find expected '-' indicator", _key_or_item),
    ("did not find expected node content", _content),
    (
        "block sequence entries are not allowed",
        lambda fault: yaml_kinds.UNEXPECTED_ITEM.at(fault.span),
    ),
    ("mapping keys are not allowed", lambda fault: _quote_needed(fault.span)),
    ("alphabetic or numeric character", _name),
    ("unknown escape character", _escape),
    ("expected hexdecimal number", _escape),
    ("invalid Unicode character escape", _escape),
    (
        "undefined tag handle",
        lambda fault: yaml_kinds.TAG.at(
            fault.rest_of_line(fault.at), tag=fault.rest_of_line(fault.at).text.split()[0]
        ),
    ),
    # Since libyaml 0.2.6, which counts brackets before the reader does.
    ("maximum nesting depth", lambda fault: kinds.DEPTH.at(fault.span, limit=MAX_DEPTH)),
    ("expected <document start>", lambda fault: kinds.AFTER_VALUE.at(fault.rest_of_line(fault.at))),
)
