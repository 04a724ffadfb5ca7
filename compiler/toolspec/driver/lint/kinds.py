"""Diagnostic kinds about `[lint]` of the configuration and about the baseline."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNKNOWN_RULE = DiagnosticKind(
    code="config/unknown-rule",
    severity=Severity.ERROR,
    message="there is no {what} `{word}`",
    hint="{suggestion}",
    why=(
        "A misspelt rule that is silently passed over stays as it was, and looks as if it did not. "
        "`toolspec rules` lists every rule by its code; its part before the `/` is its family."
    ),
    example='[lint]\nignore = ["docs/long-descriptoin"]\n',
)
BROKEN_RULES = DiagnosticKind(
    code="config/broken-rules",
    severity=Severity.ERROR,
    message="the rules `{family}` of another distribution cannot be used: {problem}",
    hint="install a version that works, or take `{family}` out",
    why=(
        "Another distribution may bring a family of rules: an entry point of the group "
        "`toolspec.rules` that names a package in which each module is a rule. A rule that is "
        "silently missing would look like clean documents."
    ),
    example='[lint]\nselect = ["acme"]\n',
)
UNKNOWN_PRESET = DiagnosticKind(
    code="config/unknown-preset",
    severity=Severity.ERROR,
    message="there is no preset `{name}`",
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
    message="there is no severity `{word}`",
    hint="{suggestion}",
    why="A finding is an `error`, a `warning` or a `note`; `off` turns its rule off.",
    example='[lint.severity]\n"docs/long-description" = "warn"\n',
)
RULE_OPTION = DiagnosticKind(
    code="config/rule-option",
    severity=Severity.ERROR,
    message="{what} of `{code}` {problem}",
    hint="{suggestion}",
    why="Each rule declares the schema of its own options; `toolspec explain` shows it.",
    example='[lint.options."docs/long-description"]\nlimt = 2048\n',
)
CONFLICT = DiagnosticKind(
    code="config/lint-conflict",
    severity=Severity.ERROR,
    message="`{word}` is turned on and off",
    hint="say one of the two",
    why=(
        "What is said of a rule wins over what is said of its family. Two opposite words about the "
        "same one have no order."
    ),
    example='[lint]\nselect = ["docs"]\nignore = ["docs"]\n',
)
BAD_ALLOWANCE = DiagnosticKind(
    code="config/bad-allowance",
    severity=Severity.ERROR,
    message="this `[[lint.allow]]` {problem}",
    hint="{suggestion}",
    why=(
        "What is allowed in the configuration names the rule, the tools, services or documents it is "
        "about, and the reason; in `security` and `safety` also its last day."
    ),
    example='[[lint.allow]]\nrule = "schema/any-output"\ntool = "billing_export*"\n',
)
NOT_SUPPRESSIBLE = DiagnosticKind(
    code="config/not-suppressible",
    severity=Severity.ERROR,
    message="`{word}` cannot be {verb}: it is no rule but an error of the documents themselves",
    hint="take it out, and fix what it reports",
    why=(
        "Only rules and warnings are a matter of opinion. Where a document does not say what is to be "
        "compiled, there is nothing to go on with."
    ),
    example='[lint]\nignore = ["schema/unsatisfiable"]\n',
)
BAD_BASELINE = DiagnosticKind(
    code="config/bad-baseline",
    severity=Severity.ERROR,
    message="the baseline {problem}",
    hint="restore the file, or write it anew: `toolspec baseline`",
    why=(
        "The baseline decides which findings are hidden, so nothing is taken from one that could "
        "only be read in part."
    ),
)
BASELINE_UNWRITABLE = DiagnosticKind(
    code="output/baseline",
    severity=Severity.ERROR,
    message="the baseline cannot be written: {reason}",
    hint="`toolspec.baseline.json` is next to the configuration: make file and folder writable",
    why="The file is replaced in one step or left as it was.",
)

KINDS = (
    UNKNOWN_RULE,
    BROKEN_RULES,
    UNKNOWN_PRESET,
    UNKNOWN_SEVERITY,
    RULE_OPTION,
    CONFLICT,
    BAD_ALLOWANCE,
    NOT_SUPPRESSIBLE,
    BAD_BASELINE,
    BASELINE_UNWRITABLE,
)
