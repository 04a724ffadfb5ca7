"""Diagnostic kinds of files from the user's templates."""

from toolspec.diagnostics import DiagnosticKind, Severity

TEMPLATE_FAILED = DiagnosticKind(
    code="render/template",
    severity=Severity.ERROR,
    message="the template `{template}` fails: {reason}",
    hint="fix the template, which was rendered for {of}; docs/templates.md lists values and filters",
    why=(
        "A template of `[[render]]` runs in a sandbox over the data of `catalog.json`. A misspelt "
        "value is an error there, and never an empty text."
    ),
    example="{# wiki.j2 #}\nh1. {{ service.titel }}",
)

KINDS = (TEMPLATE_FAILED,)
