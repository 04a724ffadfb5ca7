"""What resolving references and checking tools' examples finds."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

DANGLING_REFERENCE = DiagnosticKind(
    code="resolve/dangling-reference",
    severity=Severity.ERROR,
    message="{reference} leads to nothing",
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
    message="{reference} names a file that is not there: `{path}`",
    hint="a path is relative to the file that it stands in, `{source}`",
    why="A reference may reach another file of the project by its relative path. Nothing is fetched.",
    example='outputSchema: {$ref: "shared/money.yaml#/$defs/Money"}',
)

EXAMPLE_INPUT = DiagnosticKind(
    code="resolve/example-input",
    severity=Severity.ERROR,
    message="the example's input does not satisfy `inputSchema`: {problem}",
    hint="correct the example, or the schema{formats}",
    why=(
        "Examples are worked calls: they feed the documentation, the mocks and the tests. One that "
        "the tool itself would refuse misleads everybody who reads it."
    ),
    example="inputSchema: {type: object, required: [id]}\nexamples: [{input: {}, output: {}}]",
)

EXAMPLE_OUTPUT = DiagnosticKind(
    code="resolve/example-output",
    severity=Severity.ERROR,
    message="the example's output does not satisfy `outputSchema`: {problem}",
    hint="correct the example, or the schema{formats}",
    why=(
        "A mock answers with the examples' outputs, and a result that breaks its schema is an error "
        "of the tool. The two have to agree."
    ),
    example="outputSchema: {type: array}\nexamples: [{input: {}, output: {}}]",
)

KINDS = (DANGLING_REFERENCE, MISSING_FILE, EXAMPLE_INPUT, EXAMPLE_OUTPUT)
