"""Reads comments `# toolspec: allow CODE, CODE until 2027-01-31 -- reason`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, SuppressionSource, TextEdit
from toolspec.frontend.allow_syntax import kinds
from toolspec.frontend.allow_syntax.parsed import (
    DocumentSuppression,
    SuppressedCode,
    is_reason,
)
from toolspec.shared.days import is_day
from toolspec.shared.spelling import nearest
from toolspec.syntax.yaml_comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document
    from toolspec.syntax.yaml_comments import Comment

FORM = "`# toolspec: allow CODE -- reason`, or `allow CODE until 2027-01-31 -- reason`"
_BODY = re.compile(r"#\s*(toolspec:|(?i:toolspec)\b\s*:?)\s*([\w-]*)\s*(.*)", re.DOTALL)
_SLUG = r"\w+(?:-\w+)*"
_CODE = re.compile(rf"(?!until\b){_SLUG}(?:/(?:\*|{_SLUG}))*")
# A suppression after the text of a comment; in backticks, or without a rule, it is an example.
_INNER = re.compile(rf"\s(#\s*(?i:toolspec\s*:?\s*allow)\s+{_SLUG}/)")
_COMMA = re.compile(r"\s*,\s*")
_UNTIL = re.compile(r"\s*until\b\s*(\w+(?:[./-]\w+)*)?")
_SIGN = re.compile(r"\s*([^\w\s]*)\s*")
_DASHES = "--"
_WORDS_FOR_ALLOW = ("allow", "ignore", "disable", "suppress", "noqa")


def read(
    document: Document, marker: re.Pattern[str], diagnostics: list[Diagnostic]
) -> Iterator[DocumentSuppression]:
    """Yield the suppressions in the comments of a document with a marker, and report invalid ones.

    One with an invalid reason or date is yielded too, so that nothing else is reported.
    """
    for comment in comments(document, marker):
        body = _BODY.match(comment.span.text)
        if body is None:
            diagnostics += _after_other_text(comment.span)
            continue
        if not nearest(body[2], _WORDS_FOR_ALLOW):
            continue
        if body[1] != "toolspec:":
            code = _CODE.match(body[3])
            if body[2].casefold() == "allow" and code and "/" in code[0]:  # else it is a sentence
                problem = f"begins with `{body[1].rstrip()}`, not `toolspec:`"
                diagnostics.append(_malformed(comment.span, problem))
        elif body[2] != "allow":
            diagnostics.append(_malformed(comment.span, f"begins with `{body[2]}`"))
        else:
            yield from _allowance(comment, body.start(3), diagnostics)


def _allowance(
    comment: Comment, at: int, diagnostics: list[Diagnostic]
) -> Iterator[DocumentSuppression]:
    text, span = comment.span.text, comment.span
    codes, at = _named(span, at)
    ending = _UNTIL.match(text, at)
    at = ending.end() if ending else at
    day = ending[1] or "" if ending else ""
    dashes = text.find(_DASHES, at)
    before = text[at:dashes] if dashes >= 0 else text[at:]
    reason = text[dashes + len(_DASHES) :].strip() if dashes >= 0 else ""
    is_dated = ending is None or is_day(day)
    if not codes:
        diagnostics.append(_malformed(span, "names no rule"))
    elif not is_dated:
        diagnostics.append(_malformed(span, f"has the invalid end date `{day}`"))
    elif before.strip(" \t,"):
        diagnostics.append(_not_set_off(span, at))
    elif not is_reason(reason):
        example = ": `-- reason`" if dashes < 0 else ""
        diagnostics.append(kinds.no_reason(span, reason, example))
    if codes:
        until = day if is_dated else None
        yield DocumentSuppression(
            SuppressionSource.COMMENT, codes, reason, until, span, comment.target
        )


def _named(span: Span, at: int) -> tuple[tuple[SuppressedCode, ...], int]:
    """Return the codes of a comment, and where they end.

    The text after a comma may be a reason without a separator: its first word is not a code if what
    follows is neither a comma nor the end.
    """
    text, codes, end = span.text, list[SuppressedCode](), at
    while word := _CODE.match(text, at):
        follows = text[word.end() :].lstrip()
        if codes and "/" not in word[0] and _CODE.match(follows):
            break
        here = span.source.span(span.start + word.start(), span.start + word.end())
        codes.append(SuppressedCode(word[0].removesuffix("/*"), here))
        end = word.end()
        comma = _COMMA.match(text, end)
        if comma is None:
            break
        at = comma.end()
    return tuple(codes), end


def _not_set_off(span: Span, at: int) -> Diagnostic:
    """Return the diagnostic of text between the codes of a comment and its reason, if any."""
    text = span.text
    word = _CODE.match(text, at + len(text[at:]) - len(text[at:].lstrip()))
    if word and "/" in word[0]:
        return _malformed(span, f"has no comma before `{word[0]}`")
    sign = _SIGN.match(text, at)
    begun = sign.end() if sign else at
    instead = f", not `{sign[1]}`" if sign and sign[1] else ""
    edit = TextEdit(span.source.span(span.start + at, span.start + begun), f" {_DASHES} ")
    return kinds.MALFORMED.at(
        span,
        fix=Fix(f"write `{_DASHES}`", (edit,), safe=True),
        problem=f"needs `{_DASHES}` before its reason{instead}",
        example=f"`{text[:at]} {_DASHES} {text[begun:]}`",
    )


def _after_other_text(span: Span) -> Iterator[Diagnostic]:
    """Yield a diagnostic if a comment contains a second one, with a suppression."""
    inner = _INNER.search(span.text)
    if inner:
        yield kinds.MALFORMED.at(
            span.source.span(span.start + inner.start(1), span.end),
            problem="follows other text in its comment",
            example=f"it in a comment of its own: {FORM}",
        )


def _malformed(span: Span, problem: str) -> Diagnostic:
    return kinds.MALFORMED.at(span, problem=problem, example=FORM)
