"""Diagnostic kinds about suppressions in documents, configuration and baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import DiagnosticKind, Severity
from toolspec.frontend.suppressions.suppression import LEAST_REASON

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
        "A suppression that is only half understood would hide the wrong thing, or nothing. It names "
        "rules, separated by commas, a last day if there is one, and the reason."
    ),
    example=_EXAMPLE,
)
NO_REASON = DiagnosticKind(
    code="meta/missing-reason",
    severity=Severity.ERROR,
    message="{problem}",
    hint="write a reason of at least {least} characters{example}",
    why=(
        "A reader has to know a year later whether a suppression still holds. Only its "
        "author can say."
    ),
    example="# toolspec: allow docs/long-description -- legacy\n",
)
NO_END = DiagnosticKind(
    code="meta/open-ended-suppression",
    severity=Severity.ERROR,
    message="a suppression of `{code}` needs a last day",
    hint="add `{until}`, the day by which it is looked at again",
    why=(
        "What is allowed in the families `security` and `safety` is a risk that somebody takes for a "
        "time. With a date it comes back to be decided again."
    ),
    example="# toolspec: allow safety/name-destroys -- it only hides the entry\n",
)
EXPIRED = DiagnosticKind(
    code="meta/expired-suppression",
    severity=Severity.ERROR,
    message="the suppression of {codes} ended on {until}",
    hint="fix what it suppressed, or move the date",
    why="After its last day a suppression hides nothing, and it is an error until somebody decides.",
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
        "What it suppressed is fixed, or it is elsewhere than the diagnostic. If it stays, "
        "it would hide the next one."
    ),
    example=_EXAMPLE.replace("outputSchema: true", "outputSchema: {type: string}"),
)
UNKNOWN = DiagnosticKind(
    code="meta/unknown-rule",
    severity=Severity.ERROR,
    message="there is no rule `{code}`",
    hint="{suggestion}",
    why="A misspelt code allows nothing. `toolspec rules` lists every rule.",
    example=_EXAMPLE.replace("any-output", "any-outptu"),
)
BROAD = DiagnosticKind(
    code="meta/broad-suppression",
    severity=Severity.WARNING,
    message="this suppression covers {what}",
    hint="name the rules, and the tools or documents, that the reason is about",
    why=(
        "A reason is about known diagnostics. A whole family, or every document, also covers "
        "future ones."
    ),
    example="# toolspec: allow docs -- written by somebody else\n",
)
NOT_SUPPRESSIBLE = DiagnosticKind(
    code="meta/not-suppressible",
    severity=Severity.ERROR,
    message="`{code}` is an error and cannot be suppressed",
    hint="fix what it reports",
    why=(
        "Only rules and warnings are a matter of opinion. Where a document does not say what is to be "
        "compiled, there is nothing to go on with."
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
    problem = f"the reason `{reason.strip()}` is too short" if reason.strip() else "no reason given"
    return NO_REASON.at(span, problem=problem, least=LEAST_REASON, example=example)
