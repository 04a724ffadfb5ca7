"""Detailed check of a JSON text: duplicate keys, numbers, lone surrogates, and nesting.

Imported only for texts that the fast check of the reader does not accept.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label
from toolspec.syntax import kinds
from toolspec.syntax.limits import MAX_DEPTH, limited
from toolspec.syntax.scalars import number_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile, Span

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{}:,]|[^][{}:,"\s]+|(?P<open>")', re.DOTALL)
# An unclosed string is one match too: retrying at each of its quotes would be quadratic.
_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*+"?|[][{}]', re.DOTALL)
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)
_WORDS = frozenset(("true", "false", "null"))


def audit(source: SourceFile, end: int | None = None) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a text that is JSON up to `end`, in order of location."""
    end = len(source.text) if end is None else end
    return limited(_Audit(source).run(end))


def depth_diagnostic(source: SourceFile) -> Diagnostic | None:
    """Return the diagnostic at the bracket that exceeds the nesting limit."""
    depth = 0
    for match in _BRACKET.finditer(source.text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_DEPTH:
            return kinds.DEPTH.at(source.span(*match.span()), limit=MAX_DEPTH)
    return None


class _Audit:
    """Iterates over tokens with the keys of the open objects; None represents an array."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.open: list[dict[str, Span] | None] = []
        self.before = ""

    def run(self, end: int) -> Iterator[Diagnostic]:
        for match in _TOKEN.finditer(self.source.text, 0, end):
            lexeme = match[0]
            if match["open"]:  # the text ends inside a string
                return
            if lexeme == "{":
                self.open.append({})
            elif lexeme == "[":
                self.open.append(None)
            elif lexeme in "}]":
                del self.open[-1:]
            elif lexeme.startswith('"'):
                yield from self._string(match)
            elif lexeme not in _WORDS and lexeme not in ":,":
                yield from self._number(match)
            self.before = lexeme

    def _string(self, match: re.Match[str]) -> Iterator[Diagnostic]:
        for escape in _ESCAPE.finditer(match[0]):
            if escape["lone"]:
                span = self.source.span(
                    match.start() + escape.start(), match.start() + escape.end()
                )
                yield kinds.SURROGATE.at(span, escape=escape[0])
        keys = self.open[-1] if self.open else None
        if keys is None or self.before not in {"{", ","}:
            return
        key = json.loads(match[0], strict=False)
        span = self.source.span(*match.span())
        if key in keys:
            labels = [Label(keys[key], "first here")]
            yield kinds.DUPLICATE_KEY.at(span, "and again here", labels=labels, key=key)
        else:
            keys[key] = span

    def _number(self, match: re.Match[str]) -> Iterator[Diagnostic]:
        kind = number_problem(match[0])
        if kind:
            yield kind.at(self.source.span(*match.span()), literal=match[0])
