"""Diagnostic kind of a user's template in place of a built-in one."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

TEMPLATE_FAILED = DiagnosticKind(
    code="target/template",
    severity=Severity.ERROR,
    message="the template `{template}` fails: {reason}",
    hint="fix the template, or remove it to use the built-in one",
    why=(
        "A template of the project that replaces a built-in one runs in a sandbox over the documented "
        "view. A misspelt field is an error there, and never an empty text."
    ),
    example="{# own/service.md.jinja #}\n# {{ service.titel }}",
)
