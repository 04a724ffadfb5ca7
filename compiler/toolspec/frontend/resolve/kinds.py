"""Diagnostic kinds of resolving references."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

DANGLING_REFERENCE = DiagnosticKind(
    code="resolve/dangling-reference",
    severity=Severity.ERROR,
    message="{reference} does not resolve",
    hint="{suggestion}",
    why=(
        "A reference is looked up in its own schema first, then in its document, then among the "
        "`$defs` of the service. A validator refuses a schema whose reference leads nowhere."
    ),
    example='outputSchema: {type: array, items: {$ref: "#/$defs/Repositry"}}',
)

MISSING_FILE = DiagnosticKind(
    code="resolve/missing-file",
    severity=Severity.ERROR,
    message="{reference} refers to a missing file: `{path}`",
    hint="a path is relative to the file that contains it, `{source}`",
    why="A reference may reach another file of the project by its relative path. Nothing is fetched.",
    example='outputSchema: {$ref: "shared/money.yaml#/$defs/Money"}',
)

TOO_MANY_DEFINITIONS = DiagnosticKind(
    code="resolve/too-many-definitions",
    severity=Severity.ERROR,
    message="the service has {count:,} definitions, the limit is {limit:,}",
    hint="delete the definitions that nothing uses, or split the service",
    why=(
        "Each definition is checked beside all others, and generated code loads with all of them. "
        "The largest public APIs have about a thousand."
    ),
    example="$defs: {Item1: {type: string}, Item2: {type: string}}  # and 4,999 more",
)

TOO_MANY_LOST_REFERENCES = DiagnosticKind(
    code="resolve/too-many-lost-references",
    severity=Severity.ERROR,
    message="more than {limit} references do not resolve; the rest are not checked",
    hint="fix the reported ones, then check again",
    why=(
        "So many references are lost when a part of the document is missing. Schemas with references "
        "that were not looked up are not checked further."
    ),
    example='outputSchema: {$ref: "#/$defs/Missing201"}  # and 200 others before it',
)

KINDS = (DANGLING_REFERENCE, MISSING_FILE, TOO_MANY_DEFINITIONS, TOO_MANY_LOST_REFERENCES)
