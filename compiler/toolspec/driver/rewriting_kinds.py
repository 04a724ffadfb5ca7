"""Diagnostic kinds about files that `check --fix`, `fmt` and `handlers --apply` did not write."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNWRITABLE = DiagnosticKind(
    code="edit/unwritable",
    severity=Severity.ERROR,
    message="cannot write `{path}`: {reason}",
    hint="make the file and its folder writable, then run the command again; nothing was changed",
    why=(
        "A document is replaced in one step by a new file beside it. So both the file and its folder "
        "have to be writable."
    ),
)
CHANGED = DiagnosticKind(
    code="edit/changed-meanwhile",
    severity=Severity.ERROR,
    message="`{path}` was changed while the command ran",
    hint="nothing was written to it; run the command again",
    why="The edits are for the earlier text.",
)
OUTSIDE = DiagnosticKind(
    code="edit/outside-project",
    severity=Severity.WARNING,
    message="`{path}` is outside the project and is not changed",
    hint="run the command in the project that the file belongs to",
    why=(
        "A repository may contain a link to any file that you can write. So a command changes only "
        "files of its own project."
    ),
)
WITHHELD = DiagnosticKind(
    code="edit/fix-withheld",
    severity=Severity.NOTE,
    message="the fix for `{code}` was not applied: {reason}",
    hint="change the document by hand",
    why=(
        "A fix is tried before it is written. It is not applied if it causes a new error, or if it "
        "changes the value of the document outside its edits."
    ),
)
UNFORMATTED = DiagnosticKind(
    code="edit/not-formatted",
    severity=Severity.ERROR,
    message="`{path}` is not formatted",
    hint="format it with `toolspec fmt {path}`",
    why="`toolspec fmt --check` fails for every document that `toolspec fmt` would change.",
)
BROKEN = DiagnosticKind(
    code="edit/not-formattable",
    severity=Severity.ERROR,
    message="`{path}` was not formatted: {reason}",
    hint="format it by hand; nothing was changed",
    why=(
        "The formatted text is parsed again before it is written. A document that cannot be parsed, or "
        "whose values or comments would change, is not formatted."
    ),
)

KINDS = (UNWRITABLE, CHANGED, OUTSIDE, WITHHELD, UNFORMATTED, BROKEN)
