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
    why="User code is found by its path: it is never imported, so it can't be looked for.",
)
UNCHECKED_SERVICE = DiagnosticKind(
    code="config/unchecked-service",
    severity=Severity.WARNING,
    message="the handlers of {services} were not compared: no file is configured for them",
    hint="add `{example}` to `handlers` in the configuration, or name a service: `toolspec handlers {other}`",
    why="A comparison of some services would be taken for one of all.",
)
MISSING_HANDLERS = DiagnosticKind(
    code="project/missing-handlers",
    severity=Severity.ERROR,
    message="`{path}` does not exist",
    hint="write it with `toolspec init handlers {service} --to {path}`, or correct the path",
    why="The file that is named for the handlers of a service is not there.",
)
UNREADABLE = DiagnosticKind(
    code="handlers/unreadable-file",
    severity=Severity.ERROR,
    message="`{path}` cannot be read: {reason}",
    hint="make it a regular file that you may read",
    why="The file system refused to hand out the file.",
)
EXISTS = DiagnosticKind(
    code="init/file-exists",
    severity=Severity.ERROR,
    message="`{path}` already exists",
    hint="{advice}",
    why="What `init` writes is yours from then on. It is written once and never again.",
)
UNWRITABLE = DiagnosticKind(
    code="init/unwritable",
    severity=Severity.ERROR,
    message="cannot write `{path}`: {reason}",
    hint="nothing was changed; make the folder writable",
    why="The file system refused a write. Files that were already there keep their old text.",
)
KINDS = (
    UNKNOWN_SERVICE,
    NO_HANDLERS,
    UNCHECKED_SERVICE,
    MISSING_HANDLERS,
    UNREADABLE,
    EXISTS,
    UNWRITABLE,
)
