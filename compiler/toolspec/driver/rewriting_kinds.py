"""Diagnostic kinds about files that `check --fix`, `fmt` and `handlers --apply` did not write."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNWRITABLE = DiagnosticKind(
    code="edit/unwritable",
    severity=Severity.ERROR,
    message="cannot write `{path}`: {reason}",
    hint="make the file and its folder writable, then run the command again; it is as it was",
    why=(
        "A document gets its new text in one step: a second file beside it takes its place. So both "
        "the file and its folder have to be writable."
    ),
)
CHANGED = DiagnosticKind(
    code="edit/changed-meanwhile",
    severity=Severity.ERROR,
    message="`{path}` was changed while its new text was made",
    hint="nothing was written to it; run the command again",
    why="The edits belong to a text that is no longer there.",
)
OUTSIDE = DiagnosticKind(
    code="edit/outside-project",
    severity=Severity.WARNING,
    message="`{path}` lies outside the project and is not changed",
    hint="run the command in the project that the file belongs to",
    why=(
        "Links are followed where a person names a file, and a repository may come with a link to "
        "whatever you can write. So a command changes files of its own project only."
    ),
)
WITHHELD = DiagnosticKind(
    code="edit/fix-withheld",
    severity=Severity.NOTE,
    message="the fix for `{code}` was not made: {reason}",
    hint="change the document by hand",
    why=(
        "A fix is tried before it is written. One that would leave an error that was not there, or "
        "that would change the document anywhere but at its edits, is not made."
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
    message="`{path}` is left as it is: {reason}",
    hint="format it by hand; nothing was changed",
    why=(
        "A new form is read again before it is written. A document that could not be read in whole, "
        "or would not come out as the same values and comments, stays as its author left it."
    ),
)

KINDS = (UNWRITABLE, CHANGED, OUTSIDE, WITHHELD, UNFORMATTED, BROKEN)
