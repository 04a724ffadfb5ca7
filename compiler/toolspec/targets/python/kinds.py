"""Diagnostic kinds of the Python target."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity
from toolspec.targets.template_kinds import TEMPLATE_FAILED

UNSAFE_OUTPUT = DiagnosticKind(
    code="python/unsafe-output",
    severity=Severity.ERROR,
    message="a text of the spec would be code in the generated `{path}`",
    hint="internal error, nothing was written: please report it with the spec",
    why=(
        "Each generated module is parsed before it is written, and every text of the spec has to be "
        "one whole constant where it was written. If one is not, it has become code, so the module "
        "is thrown away. No spec should be able to cause this; if one does, the compiler has a hole."
    ),
    example="# no spec is known to trigger this",
)

TEMPLATE_VALUE = DiagnosticKind(
    code="python/template-value",
    severity=Severity.ERROR,
    message="a value of the spec would not be a whole literal in `{path}`",
    hint="write each value alone, outside of quotes, comments and f-strings: `title = {{{{ tool.title }}}}`",
    why=(
        "A template writes every value of the spec as a Python literal, with its quotes. Each module is "
        "parsed before it is written, and each value has to be one constant in it; so no text of a "
        "spec can become code, whatever a template does."
    ),
    example='# own/types.py.jinja\ntitle = "{{ service.title }}"   # quotes around a literal',
)

TEMPLATE_SYNTAX = DiagnosticKind(
    code="python/template-syntax",
    severity=Severity.ERROR,
    message="`{path}` would not be valid Python: {reason}",
    hint="{suggestion}",
    why="Each module of a user's template is compiled before it is written, so none fails when it is imported.",
    example="# own/types.py.jinja\nclass Row(:   # a bracket that nothing closes",
)

HOOK_ROLE = DiagnosticKind(
    code="python/hook-role",
    severity=Severity.ERROR,
    message="hook `{hook}` is used as {first} and as {second}",
    hint="give the two hooks different names",
    why=(
        "A hook becomes one method of the service's hook class. `before`, `middleware`, `after` and "
        "`afterResponse` hooks take different arguments, so one method cannot serve two of them."
    ),
    example=(
        "tools:\n  - name: pay\n    before: [audit]\n    afterResponse: [audit]   # the same name"
    ),
)

KINDS = (UNSAFE_OUTPUT, TEMPLATE_FAILED, TEMPLATE_VALUE, TEMPLATE_SYNTAX, HOOK_ROLE)
