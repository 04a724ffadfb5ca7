"""Diagnostic kinds about `allow` in documents and configuration, and about a stale baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import DiagnosticKind, Severity
from toolspec.frontend.allow_syntax.parsed import LEAST_REASON

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.source import Span


_EXAMPLE = """tools:
  - name: exportAll
    # toolspec: allow schema/any-output -- the format is the caller's choice
    outputSchema: true
"""

MALFORMED = DiagnosticKind(
    code="meta/malformed-suppression",
    severity=Severity.ERROR,
    message="this suppression {problem}",
    hint="write {example}",
    why=(
        "A misread suppression would hide the wrong diagnostic, or none. It names rules, separated by "
        "commas, an optional end date, and the reason."
    ),
    example=_EXAMPLE,
)
NO_REASON = DiagnosticKind(
    code="meta/missing-reason",
    severity=Severity.ERROR,
    message="this suppression {problem}",
    hint=f"write a reason of at least {LEAST_REASON} characters{{example}}",
    why=(
        "A reader has to know a year later whether a suppression is still needed. Only its author can "
        "say why it was added."
    ),
    example="# toolspec: allow docs/long-description -- legacy\n",
)
NO_END = DiagnosticKind(
    code="meta/open-ended-suppression",
    severity=Severity.ERROR,
    message="the suppression of `{code}` has no end date",
    hint="add an end date: `{until}`",
    why=(
        "Suppressing a rule of the families `security` or `safety` accepts a risk. The end date brings "
        "it up for review."
    ),
    example="# toolspec: allow safety/name-destroys -- it only hides the entry\n",
)
EXPIRED = DiagnosticKind(
    code="meta/expired-suppression",
    severity=Severity.ERROR,
    message="the suppression of {codes} expired on {until}",
    hint="fix what it suppressed, or set a later date",
    why="An expired suppression hides nothing. It is an error until it is renewed or deleted.",
    example=(
        "# toolspec: allow schema/any-output until 2020-12-31 -- until the format is decided\n"
    ),
)
UNUSED = DiagnosticKind(
    code="meta/unused-suppression",
    severity=Severity.WARNING,
    message="the suppression of {codes} is unused",
    hint="delete it",
    why=(
        "The diagnostic was fixed, or is reported elsewhere. If the suppression stays, it hides the "
        "next one."
    ),
    example=_EXAMPLE.replace("outputSchema: true", "outputSchema: {type: string}"),
)
UNKNOWN = DiagnosticKind(
    code="meta/unknown-rule",
    severity=Severity.ERROR,
    message="unknown rule `{code}`",
    hint="{suggestion}",
    why="A misspelt code suppresses nothing. `toolspec rules` lists every rule.",
    example=_EXAMPLE.replace("any-output", "any-outptu"),
)
BROAD = DiagnosticKind(
    code="meta/broad-suppression",
    severity=Severity.WARNING,
    message="this suppression covers {what}",
    hint="list the rules, and the tools or documents, that the reason applies to",
    why=(
        "A reason explains known diagnostics. A suppression of a whole family, or in every document, "
        "also covers future ones."
    ),
    example="# toolspec: allow docs -- written by somebody else\n",
)
NOT_SUPPRESSIBLE = DiagnosticKind(
    code="meta/not-suppressible",
    severity=Severity.ERROR,
    message="`{code}` is an error and cannot be suppressed",
    hint="fix what it reports",
    why=(
        "Only rules and warnings can be suppressed. A document with an error cannot be compiled "
        "correctly."
    ),
    example="# toolspec: allow schema/unsatisfiable -- it worked so far\n",
)
STALE = DiagnosticKind(
    code="meta/stale-baseline",
    severity=Severity.WARNING,
    message="{count} of the baseline {verb} no longer reported",
    hint="run `toolspec baseline --prune` to remove it; new diagnostics are not recorded",
    why=(
        "A baseline records the diagnostics of its day. An entry that matches none was "
        "fixed, and would hide the same fault if it came back."
    ),
)
FLOATING = DiagnosticKind(
    code="meta/floating-preset",
    severity=Severity.NOTE,
    message="`{preset}` is `{dated}` today",
    hint='write `preset = "{dated}"`',
    why=(
        "A preset with a date never changes. Without one, a new version of the compiler may bring "
        "rules that turn a green build red."
    ),
)

KINDS = (
    MALFORMED,
    NO_REASON,
    NO_END,
    EXPIRED,
    UNUSED,
    UNKNOWN,
    BROAD,
    NOT_SUPPRESSIBLE,
    STALE,
    FLOATING,
)


def no_reason(span: Span, reason: str, example: str) -> Diagnostic:
    """Return the diagnostic of a suppression whose reason is missing or too short."""
    return NO_REASON.at(span, problem=problem_of_reason(reason), example=example)


def problem_of_reason(reason: str) -> str:
    """Return what is wrong with a missing or short reason, about a suppression."""
    return f"has the short reason `{reason.strip()}`" if reason.strip() else "has no reason"
