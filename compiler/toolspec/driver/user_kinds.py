"""Diagnostic kinds about the user's own files: handler locations, files in the way of `init`."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNKNOWN_SERVICE = DiagnosticKind(
    code="project/missing-service",
    severity=Severity.ERROR,
    message="no service is named `{name}`",
    hint="{suggestion}",
    why="A service is named on the command line, or under `handlers` in the configuration.",
)
NO_HANDLERS = DiagnosticKind(
    code="config/no-handlers",
    severity=Severity.ERROR,
    message="no file is configured for the handlers of {services}",
    hint="write `handlers = {example}` into the configuration, or name the file: `--in FILE`",
    why="User code is never imported, so it is found only by its path.",
)
UNCHECKED_SERVICE = DiagnosticKind(
    code="config/unchecked-service",
    severity=Severity.WARNING,
    message="the handlers of {services} were not compared: no file is configured for them",
    hint="add `{example}` to `handlers` in the configuration, or name a service: `toolspec handlers {other}`",
    why="The comparison covers only services with a configured file.",
)
MISSING_HANDLERS = DiagnosticKind(
    code="project/missing-handlers",
    severity=Severity.ERROR,
    message="`{path}` does not exist",
    hint="write it with `toolspec init handlers {service} --to {path}`, or correct the path",
    why="The configured file of a service's handlers does not exist.",
)
UNREADABLE = DiagnosticKind(
    code="handlers/unreadable-file",
    severity=Severity.ERROR,
    message="`{path}` cannot be read: {reason}",
    hint="make it a regular file that you may read",
    why="The operating system refused to read the file.",
)
EXISTS = DiagnosticKind(
    code="init/file-exists",
    severity=Severity.ERROR,
    message="`{path}` already exists",
    hint="{advice}",
    why="Files that `init` writes are yours. It never overwrites a file.",
)
UNWRITABLE = DiagnosticKind(
    code="init/unwritable",
    severity=Severity.ERROR,
    message="cannot write `{path}`: {reason}",
    hint="nothing was changed; make the folder writable",
    why="The operating system refused a write. Existing files are unchanged.",
)
LINE_UNWRITABLE = DiagnosticKind(
    code="init/line-unwritable",
    severity=Severity.WARNING,
    message="cannot add a line to `{path}`: {reason}",
    hint="add `{line}`",
    why="The project is complete without the line, which tells a host of repositories what to review.",
)
KINDS = (
    UNKNOWN_SERVICE,
    NO_HANDLERS,
    UNCHECKED_SERVICE,
    MISSING_HANDLERS,
    UNREADABLE,
    EXISTS,
    UNWRITABLE,
    LINE_UNWRITABLE,
)
