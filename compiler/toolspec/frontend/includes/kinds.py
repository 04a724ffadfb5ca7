"""Diagnostic kinds of `include`."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

BAD_INCLUDE = DiagnosticKind(
    code="bind/include-refused",
    severity=Severity.ERROR,
    message="`{pattern}` is not included: it {reason}",
    hint="write a path relative to this file that stays inside the project, such as `tools/*.yaml`",
    why=(
        "A spec may come from anybody. What it can make the compiler read is limited to the project, "
        "by relative paths that mean the same on every machine."
    ),
    example="include: [../../secrets/*.yaml]",
)

INCLUDES_NOTHING = DiagnosticKind(
    code="bind/include-nothing",
    severity=Severity.ERROR,
    message="`{pattern}` matches no file",
    hint="`{path}` does not exist; paths are relative to the including file",
    why="An entry of `include` that matches nothing is a misspelt path: tools would silently be missing.",
    example="include: [tols/*.yaml]",
)

INCLUDES_FOLDER = DiagnosticKind(
    code="bind/include-folder",
    severity=Severity.ERROR,
    message="`{path}` is a folder, not a file",
    hint="include the files in it: `{files}`",
    why="An entry of `include` names a file, or files by a pattern: a folder may hold other files too.",
    example="include: [tools]",
)

INCLUDED_TWICE = DiagnosticKind(
    code="bind/include-twice",
    severity=Severity.WARNING,
    message="`{path}` is included twice",
    hint="delete one of the two entries",
    why="A file's tools belong to the service once, however often it is named.",
    example="include: [tools/*.yaml, tools/search.yaml]",
)

SELF_INCLUDE = DiagnosticKind(
    code="bind/include-self",
    severity=Severity.ERROR,
    message="the document includes itself",
    hint="delete the entry",
    why="A document's own tools belong to its service as it is.",
    example="# in specs/github.yaml\ninclude: [github.yaml]",
)

INCLUDES_SERVICE = DiagnosticKind(
    code="bind/include-service",
    severity=Severity.ERROR,
    message="`{path}` is a service document, not a file of tools",
    hint="keep only `$defs` and `tools` in it, or delete the entry: services are discovered automatically",
    why=(
        "An included file adds tools and shared schemas to the service that includes it. A document "
        "with a `service` of its own would belong to two."
    ),
    example="include: [other-service.yaml]",
)

KINDS = (
    BAD_INCLUDE,
    INCLUDES_NOTHING,
    INCLUDES_FOLDER,
    INCLUDED_TWICE,
    SELF_INCLUDE,
    INCLUDES_SERVICE,
)
