"""Diagnostic kinds about `[lint]` of the configuration and about the baseline."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNKNOWN_RULE = DiagnosticKind(
    code="config/unknown-rule",
    severity=Severity.ERROR,
    message="unknown {what} `{word}`",
    hint="{suggestion}",
    why=(
        "A misspelt rule would otherwise be ignored silently. `toolspec rules` lists every rule by its "
        "code; the part before the `/` is its family."
    ),
    example='[lint]\nignore = ["docs/long-descriptoin"]\n',
)
BROKEN_RULES = DiagnosticKind(
    code="config/broken-rules",
    severity=Severity.ERROR,
    message="the rules `{family}` of another distribution cannot be used: {problem}",
    hint="install a version that works, or remove `{family}`",
    why=(
        "Another distribution can provide a family of rules: an entry point of the group "
        "`toolspec.rules` names a package in which each module is a rule. If its rules were skipped "
        "silently, the documents would seem clean."
    ),
    example='[lint]\nselect = ["acme"]\n',
)
UNKNOWN_PRESET = DiagnosticKind(
    code="config/unknown-preset",
    severity=Severity.ERROR,
    message="unknown preset `{name}`",
    hint="{suggestion}",
    why=(
        "A preset sets which rules are on, and their severities. It has a date, and never changes once "
        "it is released."
    ),
    example='[lint]\npreset = "recomended-2026-11"\n',
)
UNKNOWN_SEVERITY = DiagnosticKind(
    code="config/unknown-severity",
    severity=Severity.ERROR,
    message="unknown severity `{word}`",
    hint="{suggestion}",
    why="A severity is `error`, `warning` or `note`; `off` turns the rule off.",
    example='[lint.severity]\n"docs/long-description" = "warn"\n',
)
RULE_OPTION = DiagnosticKind(
    code="config/rule-option",
    severity=Severity.ERROR,
    message="{what} of `{code}` {problem}",
    hint="{suggestion}",
    why="Each rule declares the schema of its options; `toolspec explain` shows it.",
    example='[lint.options."docs/long-description"]\nlimt = 2048\n',
)
CONFLICT = DiagnosticKind(
    code="config/lint-conflict",
    severity=Severity.ERROR,
    message="`{word}` is turned on and off",
    hint="remove one of the two",
    why=(
        "A setting of a rule takes precedence over one of its family. Two opposite settings of the "
        "same rule or family have no order."
    ),
    example='[lint]\nselect = ["docs"]\nignore = ["docs"]\n',
)
BAD_SUPPRESSION = DiagnosticKind(
    code="config/bad-suppression",
    severity=Severity.ERROR,
    message="this `[[{table}]]` {problem}",
    hint="{suggestion}",
    why=(
        "A suppression in the configuration names the rule or change, the tools, services or documents "
        "it applies to, and the reason; for `security` and `safety` also its end date."
    ),
    example='[[lint.allow]]\nrule = "schema/any-output"\ntool = "billing_export*"\n',
)
NOT_SUPPRESSIBLE = DiagnosticKind(
    code="config/not-suppressible",
    severity=Severity.ERROR,
    message="`{word}` cannot be {verb}: it is an error, not a rule",
    hint="remove it, and fix what it reports",
    why=("Only rules and warnings can be configured. A document with an error cannot be compiled."),
    example='[lint]\nignore = ["schema/unsatisfiable"]\n',
)
BAD_BASELINE = DiagnosticKind(
    code="config/bad-baseline",
    severity=Severity.ERROR,
    message="the baseline {problem}",
    hint="{suggestion}",
    why=(
        "The baseline decides which diagnostics are suppressed, so an invalid one is not used at all."
    ),
)
BASELINE_UNWRITABLE = DiagnosticKind(
    code="output/baseline",
    severity=Severity.ERROR,
    message="the baseline cannot be written: {reason}",
    hint="`toolspec.baseline.json` is next to the configuration: make file and folder writable",
    why="The file is replaced in one step, or remains unchanged.",
)

KINDS = (
    UNKNOWN_RULE,
    BROKEN_RULES,
    UNKNOWN_PRESET,
    UNKNOWN_SEVERITY,
    RULE_OPTION,
    CONFLICT,
    BAD_SUPPRESSION,
    NOT_SUPPRESSIBLE,
    BAD_BASELINE,
    BASELINE_UNWRITABLE,
)
