"""Diagnostic kinds about the contract of a project, and about `toolspec ci`."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

BAD_CONTRACT = DiagnosticKind(
    code="contract/unreadable",
    severity=Severity.ERROR,
    message="`toolspec.contract.json` cannot be read: {problem}",
    hint="restore the file from the repository; `toolspec accept` writes it",
    why="Nothing is compared with a contract that was read only in part.",
)
UNWRITABLE = DiagnosticKind(
    code="contract/unwritable",
    severity=Severity.ERROR,
    message="`toolspec.contract.json` cannot be written: {reason}",
    hint="make the folder writable; the file is unchanged",
    why="An acceptance counts only if it is in the contract.",
)
CONFLICTED = DiagnosticKind(
    code="contract/conflict",
    severity=Severity.ERROR,
    message="`toolspec.contract.json` has conflicts of a merge",
    hint="run `toolspec accept`: it keeps the blocks and acceptances of both sides",
    why=(
        "Two branches that add tools at one position conflict. What both accepted is known, so no line "
        "has to be chosen by hand."
    ),
)
MISSING = DiagnosticKind(
    code="contract/missing",
    severity=Severity.NOTE,
    message="the project has no `toolspec.contract.json`, so changes of its tools are not checked",
    hint="run `toolspec accept`, and commit the file",
    why="The contract records what callers, models and reviewers rely on.",
)
EDITED = DiagnosticKind(
    code="contract/edited",
    severity=Severity.ERROR,
    message="the contract of `{name}` was edited: it is not what was accepted",
    hint="undo the edit, or accept the present state with `toolspec accept --reason TEXT`",
    why="An acceptance is bound to the digest of what was accepted, so that no other change hides in it.",
)
EXPIRED = DiagnosticKind(
    code="contract/expired",
    severity=Severity.ERROR,
    message="what was accepted of `{name}` until {until} has ended: {changes}",
    hint="revert the change, or accept it again with `toolspec accept --tool {name} --reason TEXT`",
    why="A change with `--until` was accepted for a time.",
)
NO_REASON = DiagnosticKind(
    code="contract/reason",
    severity=Severity.ERROR,
    message="these changes of `{name}` need a reason: {changes}",
    hint="repeat the command with `--reason TEXT`",
    why="The reason is shown to reviewers, and in the changelog to callers.",
)
UNKNOWN_TOOL = DiagnosticKind(
    code="contract/unknown-tool",
    severity=Severity.ERROR,
    message="no tool matches `{name}`",
    hint="{suggestion}",
    why="A pattern that selects nothing is almost always a misspelt name.",
)
UNACCEPTED = DiagnosticKind(
    code="contract/unaccepted",
    severity=Severity.ERROR,
    message="the contract of `{name}` differs from that of `{base}` without an acceptance",
    hint="restore its block from `{base}`, and run `toolspec accept --reason TEXT`",
    why="Every change of a contract needs a record of what was accepted and why.",
)
ACCEPTED = DiagnosticKind(
    code="contract/accepted",
    severity=Severity.NOTE,
    message="this branch accepts changes of `{name}`, because: {reason}: {changes}",
    hint="review them; `{base}` does not have them",
    why="A branch that breaks the contract and accepts its own break is shown to reviewers.",
)
OUTDATED = DiagnosticKind(
    code="output/outdated",
    severity=Severity.ERROR,
    message="generated files are out of date: {files}",
    hint="run `toolspec compile`, and commit what it writes",
    why="Generated files in the repository are those of its specs.",
)
UNKNOWN_CHANGE = DiagnosticKind(
    code="config/unknown-change",
    severity=Severity.ERROR,
    message="unknown {what} `{word}`",
    hint="{suggestion}",
    why="A misspelt code would be ignored silently. `toolspec changes` lists every kind of change.",
    example='[contract]\nignore = ["prose/titel-changed"]\n',
)
UNKNOWN_LEVEL = DiagnosticKind(
    code="config/unknown-level",
    severity=Severity.ERROR,
    message="unknown level `{word}`",
    hint="{suggestion}",
    why="A level is `break`, `risk` or `note`; `off` leaves the change out of reports.",
    example='[contract.level]\n"prose" = "warning"\n',
)
POLICY_CHANGED = DiagnosticKind(
    code="contract/policy-changed",
    severity=Severity.NOTE,
    message="this branch changes `[contract]` of the configuration",
    hint="review it; `{base}` has other settings",
    why="The settings decide which changes fail, so a branch that changes them is shown to reviewers.",
)
SUPPRESSED = DiagnosticKind(
    code="contract/suppressed",
    severity=Severity.NOTE,
    message="this branch suppresses a change of `{name}`, because: {reason}: {level} {code}",
    hint="review it; `{base}` does not have this suppression",
    why="A suppressed change fails nothing, so a new suppression is shown to reviewers.",
)
KINDS = (
    BAD_CONTRACT,
    UNWRITABLE,
    CONFLICTED,
    MISSING,
    EDITED,
    EXPIRED,
    NO_REASON,
    UNKNOWN_TOOL,
    UNACCEPTED,
    ACCEPTED,
    OUTDATED,
    UNKNOWN_CHANGE,
    UNKNOWN_LEVEL,
    POLICY_CHANGED,
    SUPPRESSED,
)
