"""Diagnostics of JSON syntax errors, from the text around the scanner's error.

Imported only after a syntax error.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, Label, TextEdit
from toolspec.shared.records import dataclass
from toolspec.shared.spelling import nearest
from toolspec.syntax import json_kinds, kinds

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile, Span

_TOKEN = re.compile(r'"(?:[^"\\\n\t]|\\.)*+"|[][{}:,]|[-+.\w$]+|(?P<open>")|\S')
_COMMENT = re.compile(r"#[^\n]*|//[^\n]*|/\*.*?(?:\*/|$)", re.DOTALL)
_SINGLE = re.compile(r"'(?:[^'\\\n]|\\.)*'?")
_NUMBER = re.compile(r"[-+.\d][-+.\w]*")
_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[\w$][-\w$]*|.', re.DOTALL)
_KEY = re.compile(r'"(?:[^"\\\n]|\\.)*"\s*:')
_ESCAPE = re.compile(r"\\(?:u\w{0,4}|.)?")
_CLOSING = {"[": "]", "{": "}"}
_REPLACEMENTS = {"none": "null", "nil": "null", "undefined": "null"}
_LITERALS = ("true", "false", "null")
_BLANKS = (" ", "\t", "\r", "\n")


def explain(source: SourceFile, offset: int) -> Diagnostic:
    """Return the diagnostic of a text that is JSON up to an offset."""
    text = source.text
    while text.startswith(_BLANKS, offset):
        offset += 1
    context = _read_up_to(source, offset)
    if context.string is not None:
        return _in_string(source, context.string, offset)
    if offset == len(text):
        return _unclosed(context)
    if text[offset] in "]}":
        return _at_close(context)
    return _at_mark(context) or (_at_start(context) if context.wants_value else _after(context))


@dataclass(frozen=True, slots=True)
class _Context:
    """The text before an error: open brackets, the last two tokens, an unclosed string."""

    source: SourceFile
    at: int
    brackets: tuple[int, ...] = ()
    last: Span | None = None
    last_but_one: str = ""
    string: int | None = None

    @property
    def bracket(self) -> str:
        return self.source.text[self.brackets[-1]] if self.brackets else ""

    @property
    def before(self) -> str:
        return self.last.text if self.last else ""

    @property
    def wants_value(self) -> bool:
        return self.before in {"", "[", "{", ":", ","}

    @property
    def wants_key(self) -> bool:
        return self.bracket == "{" and self.before in {"{", ","}

    @property
    def wants_colon(self) -> bool:
        return (
            self.bracket == "{" and self.before.startswith('"') and self.last_but_one in {"{", ","}
        )

    def match(self, pattern: re.Pattern[str]) -> Span | None:
        match = pattern.match(self.source.text, self.at)
        return self.source.span(*match.span()) if match else None

    def word(self) -> Span:
        """Return the word or the single character at the error."""
        return self.match(_WORD) or self.source.span(self.at, self.at + 1)


def _read_up_to(source: SourceFile, offset: int) -> _Context:
    brackets: list[int] = []
    last = last_but_one = None
    string = None
    for match in _TOKEN.finditer(source.text):
        is_cut = match.start() < offset < match.end()
        if (match["open"] and match.start() <= offset) or (is_cut and match[0].startswith('"')):
            string = match.start()
            break
        if match.start() >= offset:
            break
        if match[0] in "[{":
            brackets.append(match.start())
        elif match[0] in "]}":
            del brackets[-1:]
        last_but_one, last = last, match
    return _Context(
        source,
        offset,
        tuple(brackets),
        source.span(*last.span()) if last else None,
        last_but_one[0] if last_but_one else "",
        string,
    )


def _in_string(source: SourceFile, start: int, offset: int) -> Diagnostic:
    """Return the diagnostic of a broken string: at an escape, tab, line end, or its start."""
    text = source.text
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    backslash = text.rfind("\\", start, offset + 1)
    if backslash >= offset - 1 and backslash >= 0:
        match = _ESCAPE.match(text, backslash)
        span = source.span(*match.span()) if match else source.span(backslash, backslash + 1)
        return kinds.ESCAPE.at(span, escape=span.text, language="JSON")
    tab = text.find("\t", start, end)
    if tab >= 0:
        return json_kinds.RAW_TAB.at(source.span(tab, tab + 1))
    span = source.span(start, start + len(text[start:end].rstrip("\r")))
    if end < len(text):
        return json_kinds.LINE_END.at(span)
    return kinds.UNCLOSED.at(span, what="a string", closing='"')


def _unclosed(context: _Context, before: Span | None = None) -> Diagnostic:
    """Return the diagnostic of the innermost bracket, with the location to close it."""
    opening = context.source.span(context.brackets[-1], context.brackets[-1] + 1)
    labels = [Label(before, "not closed before this")] if before else []
    closing = _CLOSING[context.bracket]
    return kinds.UNCLOSED.at(
        opening, "opened here", labels=labels, what=f"`{opening.text}`", closing=closing
    )


def _at_close(context: _Context) -> Diagnostic:
    closing = context.source.span(context.at, context.at + 1)
    if not context.brackets:
        return kinds.UNEXPECTED_CLOSE.at(closing, bracket=closing.text)
    if _CLOSING[context.bracket] != closing.text:
        return _unclosed(context, closing)
    if context.before == "," and context.last:
        return _trailing_comma(context.last, closing.text)
    if context.wants_colon and context.last:
        return kinds.MISSING_COLON.at(context.last, "no colon after this")
    return kinds.MISSING_VALUE.at(closing, before=closing.text)


def _trailing_comma(comma: Span, bracket: str) -> Diagnostic:
    fix = Fix("delete the comma", (TextEdit(comma, ""),), safe=True)
    return json_kinds.TRAILING_COMMA.at(comma, fix=fix, bracket=bracket)


def _at_mark(context: _Context) -> Diagnostic | None:
    """Return the diagnostic of an error independent of context: a comment, a quote, a comma."""
    text, offset = context.source.text, context.at
    comment = context.match(_COMMENT)
    if comment:
        return json_kinds.COMMENT.at(comment)
    single = context.match(_SINGLE)
    if single:
        return json_kinds.SINGLE_QUOTES.at(single)
    if text[offset] != ",":
        return None
    following = text[offset + 1 :].lstrip()[:1]
    if following and following in "]}":  # Python 3.13 and later stop at the comma
        return _trailing_comma(context.source.span(offset, offset + 1), following)
    return kinds.MISSING_VALUE.at(context.source.span(offset, offset + 1), before=",")


def _at_start(context: _Context) -> Diagnostic:
    """Return the diagnostic where a key or a value should begin."""
    number = context.match(_NUMBER)
    if context.wants_key and (number or context.source.text[context.at] in "[{"):
        what = "a number" if number else "a list or an object"
        return kinds.KEY_TYPE.at(number or context.word(), what=what)
    if number:
        return json_kinds.NUMBER.at(number, literal=number.text)
    word = context.word()
    replacement = _REPLACEMENTS.get(word.text.lower()) or nearest(word.text, _LITERALS)
    if replacement and not context.wants_key:
        return json_kinds.UNQUOTED.at(word, word=word.text, suggestion=f"write `{replacement}`")
    if word.text.isidentifier():
        return json_kinds.UNQUOTED.at(word, word=word.text, suggestion=f'write `"{word.text}"`')
    return json_kinds.UNQUOTED.at(
        word, word=word.text, suggestion="delete it, or put text in quotes"
    )


def _after(context: _Context) -> Diagnostic:
    """Return the diagnostic where a colon, a comma, or the end should follow."""
    word = context.word()
    last = context.last
    if last and last.end > context.at:
        return json_kinds.NUMBER.at(last, literal=last.text)
    if last and last.end == context.at and last.text.startswith('"') and word.text.isidentifier():
        return kinds.AFTER_QUOTE.at(word, labels=[Label(last, "complete value")])
    if not context.brackets:
        return kinds.AFTER_VALUE.at(word)
    if context.wants_colon and last:
        return kinds.MISSING_COLON.at(last, "no colon after this")
    return _between(context, word)


def _between(context: _Context, word: Span) -> Diagnostic:
    """Return the diagnostic where a comma should separate two members."""
    if context.bracket == "[" and context.match(_KEY):
        return _unclosed(context, word)
    if not (word.text.isidentifier() or word.text[0] in '"[{-0123456789'):
        suggestion = "write `,` between two values"
        return json_kinds.UNQUOTED.at(word, word=word.text, suggestion=suggestion)
    what = "key" if context.bracket == "{" else "item"
    labels = [Label(context.last, "previous value")] if context.last else []
    return kinds.MISSING_COMMA.at(word, labels=labels, what=what)
