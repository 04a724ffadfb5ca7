"""Findings of every shape, for the formats: with and without a place, fixed, allowed, and hostile."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from toolspec.diagnostics import (
    Diagnostic,
    DiagnosticKind,
    Fix,
    Label,
    Severity,
    Subject,
    Suppression,
    SuppressionSource,
    TextEdit,
)
from toolspec.source import SourceFile, Span

ERROR = DiagnosticKind("x/error", Severity.ERROR, "bad `{name}`", "say {hint}", "because", "a: {}")
WARNING = DiagnosticKind("x/warning", Severity.WARNING, "odd", "", "", "")
NOTE = DiagnosticKind("config/note", Severity.NOTE, "fyi", "", "", "")
SPEC = SourceFile("specs/a b.yaml", "one: 🎉1\ntwo: 2\r\nthree: 3\n")
BASELINE = Suppression(SuppressionSource.BASELINE, "was there before")
COMMENT = Suppression(
    SuppressionSource.COMMENT, "the plan bounds it", "2027-01-31", SPEC.span(9, 12)
)


def everything() -> list[Diagnostic]:
    """Return an error with all that a finding can have, others that are allowed, and one with no place."""
    full = ERROR.at(
        SPEC.span(6, 7),
        "here",
        labels=[Label(SPEC.span(9, 12), "and there")],
        subject=Subject("github", "github_x", "/tools/0"),
        fix=Fix("write `2`", (TextEdit(SPEC.span(6, 7), "2"), TextEdit(SPEC.span(9, 12), ""))),
        name="a",
        hint="b",
    )
    warning = WARNING.at(SPEC.span(9, 20), subject=Subject("github"))
    return [
        full,
        warning,
        replace(warning, configured=Severity.ERROR, suppression=BASELINE),
        replace(warning, suppression=COMMENT),
        NOTE.at(None),
    ]


TEXTS = st.text(max_size=30)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """Draw a span of any text."""
    source = SourceFile(draw(st.text(min_size=1, max_size=10)), draw(TEXTS))
    start = draw(st.integers(0, len(source.text)))
    return source.span(start, draw(st.integers(start, len(source.text))))


@st.composite
def findings(draw: st.DrawFn) -> Diagnostic:
    """Draw a finding in which every text is any text."""
    span = draw(spans())
    labels = [Label(each, draw(TEXTS)) for each in draw(st.lists(spans(), max_size=2))]
    fix = Fix(draw(TEXTS), (TextEdit(span, draw(TEXTS)),), safe=draw(st.booleans()))
    subject = Subject(draw(TEXTS), draw(TEXTS), draw(TEXTS))
    allowed = Suppression(draw(st.sampled_from(SuppressionSource)), draw(TEXTS), "", draw(spans()))
    found = ERROR.at(
        draw(st.sampled_from([span, None])),
        draw(TEXTS),
        labels=labels,
        subject=subject,
        fix=draw(st.sampled_from([fix, None])),
        name=draw(TEXTS),
        hint=draw(TEXTS),
    )
    return replace(
        found,
        configured=draw(st.sampled_from([None, *Severity])),
        suppression=draw(st.sampled_from([None, allowed])),
    )
