"""Suppressions in comments: `# toolspec: allow CODE, CODE until 2027-01-31 -- reason`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Allower, nearest
from toolspec.frontend.allowances import kinds
from toolspec.frontend.allowances.allowance import (
    LEAST_REASON,
    Allowance,
    Named,
    is_day,
    is_reason,
)
from toolspec.syntax.yaml_comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document
    from toolspec.syntax.yaml_comments import Comment

MARKER = "# toolspec:"
FORM = "`# toolspec: allow CODE -- reason`, or `allow CODE until 2027-01-31 -- reason`"
_BODY = re.compile(r"#\s*toolspec:\s*([\w-]*)\s*(.*)", re.DOTALL)
_WORD = re.compile(r"[^\s,]+")
_WORDS_FOR_ALLOW = ("allow", "ignore", "disable", "suppress", "noqa")


def read(document: Document, found: list[Diagnostic]) -> Iterator[Allowance]:
    """Yield what the comments of a document allow; what is amiss with one is a finding.

    One with a mistake in its reason or day is yielded all the same: its own finding is enough.
    """
    for comment in comments(document, MARKER):
        body = _BODY.match(comment.span.text)
        if body and nearest(body[1], _WORDS_FOR_ALLOW):
            if body[1] != "allow":
                problem = f"begins with `{body[1]}`"
                found.append(kinds.MALFORMED.at(comment.span, problem=problem, example=FORM))
            else:
                yield from _allowance(comment, body.start(2), found)


def _allowance(comment: Comment, at: int, found: list[Diagnostic]) -> Iterator[Allowance]:
    text, span = comment.span.text, comment.span
    dashes = text.find("--", at)
    head_end = dashes if dashes >= 0 else len(text)
    reason = text[dashes + 2 :].strip() if dashes >= 0 else ""
    words = [
        Named(
            word[0].removesuffix("/*"),
            span.source.span(span.start + word.start(), span.start + word.end()),
        )
        for word in _WORD.finditer(text, at, head_end)
    ]
    codes = [each.code for each in words]
    cut = codes.index("until") if "until" in codes else len(words)
    named, ending = tuple(words[:cut]), words[cut + 1 :]
    problem = _problem(named, [each.code for each in ending], has_end=cut < len(words))
    if problem:
        found.append(kinds.MALFORMED.at(span, problem=problem, example=FORM))
    elif not is_reason(reason):
        example = ": `-- reason`" if dashes < 0 else ""
        found.append(kinds.NO_REASON.at(span, least=LEAST_REASON, example=example))
    if named:
        until = None if problem else ending[0].code if ending else ""
        yield Allowance(Allower.COMMENT, named, reason, until, span, comment.about)


def _problem(named: tuple[Named, ...], ending: list[str], *, has_end: bool) -> str:
    """Return what is wrong with the words before the reason; empty where nothing is."""
    if not named:
        return "names no rule"
    if has_end and (len(ending) != 1 or not is_day(ending[0])):
        return f"ends on `{' '.join(ending)}`, which is no day of the calendar"
    first, *others = (each.span for each in named)
    for before, after in zip([first, *others], others, strict=False):
        if "," not in before.source.text[before.end : after.start]:
            return f"has no comma before `{after.text}`, or no `--` before its reason"
    return ""
