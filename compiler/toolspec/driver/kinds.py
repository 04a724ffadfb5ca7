"""Diagnostic kinds about the project around the documents: files, configuration, imports."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

NO_SPECS = DiagnosticKind(
    code="project/no-specs",
    severity=Severity.ERROR,
    message="no service documents found in {locations}",
    hint="{suggestion}",
    why=(
        "A build without documents is almost always caused by a wrong path, so it fails instead of "
        "succeeding without effect."
    ),
)
MISSING_PATH = DiagnosticKind(
    code="project/missing-path",
    severity=Severity.ERROR,
    message="`{path}` does not exist",
    hint="name a file, a folder or a glob that exists",
    why="A path on the command line or in `specs` of the configuration does not exist.",
)
UNREADABLE = DiagnosticKind(
    code="project/unreadable-file",
    severity=Severity.ERROR,
    message="`{path}` cannot be read: {reason}",
    hint="make it a regular file that you may read",
    why="The operating system refused to read the file.",
)
UNLISTED = DiagnosticKind(
    code="project/unreadable-folder",
    severity=Severity.ERROR,
    message="the folder `{path}` cannot be listed: {reason}",
    hint="make it a folder that you may read, or name the documents themselves",
    why=(
        "The operating system refused to list a folder that is searched for documents. Without its "
        "documents a compile would remove their generated files."
    ),
)
OUTSIDE = DiagnosticKind(
    code="project/outside-reference",
    severity=Severity.ERROR,
    message="`{path}` is outside the project",
    hint="move included and referenced files below {root}",
    why="Documents are untrusted text: files that they refer to are read only below the project's folder.",
)
OUTSIDE_LINK = DiagnosticKind(
    code="project/outside-link",
    severity=Severity.ERROR,
    message="`{path}` is a link to a {what} outside the project",
    hint="copy the {what}, or name the {what} itself on the command line or in `specs`",
    why=(
        "A repository may contain a link to any file that you can read, and diagnostics quote files. "
        "Links are followed inside the project, and for files and folders that are named explicitly."
    ),
)
CONFIG_SYNTAX = DiagnosticKind(
    code="config/syntax",
    severity=Severity.ERROR,
    message="invalid TOML: {reason}",
    hint="fix the syntax; the rest of the configuration was not read",
    why="Nothing is built from a configuration that was read only in part.",
)
CONFIG_UNKNOWN_KEY = DiagnosticKind(
    code="config/unknown-key",
    severity=Severity.ERROR,
    message="unknown configuration key `{key}`",
    hint="{suggestion}",
    why="A misspelt key would otherwise be ignored silently.",
)
CONFIG_WRONG_TYPE = DiagnosticKind(
    code="config/wrong-type",
    severity=Severity.ERROR,
    message="`{key}` must be {expected}",
    hint="for example `{example}`",
    why="Every key of the configuration has one type.",
)
SEARCHED_OUTPUT = DiagnosticKind(
    code="config/searched-output",
    severity=Severity.ERROR,
    message="the output folder `{out}` {relation} searched for documents",
    hint="choose another folder {option}",
    why=(
        "The next run would read generated files as documents. The configured output folder may lie in a "
        "folder of documents, since it is left out of every search; another one may not."
    ),
)
RENDER_TEMPLATE = DiagnosticKind(
    code="config/render-template",
    severity=Severity.ERROR,
    message="the template `{path}` {problem}",
    hint="name a text file below the project's folder",
    why="A template of `[[render]]` is a file of the project: UTF-8, at most 1 MiB.",
)
RENDER_FOR = DiagnosticKind(
    code="config/render-for",
    severity=Severity.ERROR,
    message="`for` of `[[render]]` must be `project`, `service` or `tool`",
    hint="{suggestion}",
    why="A template generates one file for the project, for each service, or for each tool.",
)
RENDER_TO = DiagnosticKind(
    code="config/render-to",
    severity=Severity.ERROR,
    message="the path `{path}` {problem}",
    hint="{suggestion}",
    why=(
        "`to` of `[[render]]` is a path below the output folder. A template for each service has "
        "`{{service}}` in it, one for each tool `{{tool}}`, so that every file has its own path."
    ),
)
TEMPLATES = DiagnosticKind(
    code="config/templates",
    severity=Severity.ERROR,
    message="`{path}` {problem}",
    hint="name a folder of templates",
    why=(
        "The templates of a target are text files in one folder, each at most 1 MiB and with the name "
        "of the built-in template that it replaces."
    ),
)
UNKNOWN_TEMPLATE = DiagnosticKind(
    code="config/unknown-template",
    severity=Severity.ERROR,
    message="the template `{path}` replaces no template of a target",
    hint="{suggestion}",
    why=(
        "A template in the folder of `templates` replaces the built-in one of the same name. One with "
        "another name is never used, unless it begins with one `_`: other templates may include it."
    ),
)
UNKNOWN_TARGET = DiagnosticKind(
    code="config/unknown-target",
    severity=Severity.ERROR,
    message="unknown target `{name}`",
    hint="{suggestion}",
    why="Targets are selected by name.",
)
TARGET_FILE = DiagnosticKind(
    code="config/target-file",
    severity=Severity.ERROR,
    message="`{path}` of `{option}` {problem}",
    hint="{suggestion}",
    why=(
        "An option of a target can name files of the project, or folders of them: at most 1,000 files of at "
        "most 1 MiB each, inside of the project."
    ),
)
TARGET_OPTION = DiagnosticKind(
    code="config/target-option",
    severity=Severity.ERROR,
    message="`[target.{target}]` is invalid: {reason}",
    hint="remove or correct the option",
    why="Each target declares the schema of its options.",
)
NO_ENGINE = DiagnosticKind(
    code="config/no-executor",
    severity=Severity.ERROR,
    message="`{name}` is not an executor: {reason}",
    hint="name a function as `module:function` that returns a `concurrent.futures.Executor`",
    why="`--executor` replaces the processes of a large build.",
)
EXECUTOR_FAILED = DiagnosticKind(
    code="config/executor-failed",
    severity=Severity.ERROR,
    message="the executor `{name}` failed: {reason}",
    hint="start the service that it connects to, or compile without `--executor`",
    why=(
        "The executor could not be started, or did not return the results of its workers. Nothing was "
        "written."
    ),
)
IMPORT_EXISTS = DiagnosticKind(
    code="import/document-exists",
    severity=Severity.ERROR,
    message="`{path}` already exists",
    hint="import into another folder, merge OpenAPI with `--update`, or replace it with `--force`",
    why="Imported documents are meant to be edited, so an import overwrites them only with `--force`.",
)
UNMERGED = DiagnosticKind(
    code="import/unmerged",
    severity=Severity.ERROR,
    message="`{path}` is not updated: merged with the API as it is now, it does not compile",
    hint="correct `{merged}` and put it in place of the document, or edit the document and update again",
    why=(
        "Edits of the document and changes of the API fit each by itself, and not together. The document "
        "stays as it is; the merge is beside it, and the errors are about that text."
    ),
    example="toolspec import openapi api.yaml --to specs --update",
)
SUMMARY_UNWRITABLE = DiagnosticKind(
    code="output/step-summary",
    severity=Severity.WARNING,
    message="the step summary `{path}` cannot be written: {reason}",
    hint="set `GITHUB_STEP_SUMMARY` to a writable file, or unset it",
    why="The diagnostics are printed; only the page of the workflow step does not show them.",
)
REPORT_UNWRITABLE = DiagnosticKind(
    code="output/report",
    severity=Severity.ERROR,
    message="the report `{path}` cannot be written: {reason}",
    hint="`--format FORMAT=PATH` requires a file in an existing, writable folder",
    why="A later step would find no report, or that of an earlier run.",
)

KINDS = (
    SUMMARY_UNWRITABLE,
    REPORT_UNWRITABLE,
    NO_SPECS,
    MISSING_PATH,
    UNREADABLE,
    UNLISTED,
    OUTSIDE,
    OUTSIDE_LINK,
    CONFIG_SYNTAX,
    CONFIG_UNKNOWN_KEY,
    CONFIG_WRONG_TYPE,
    SEARCHED_OUTPUT,
    RENDER_TEMPLATE,
    RENDER_FOR,
    RENDER_TO,
    TEMPLATES,
    UNKNOWN_TEMPLATE,
    UNKNOWN_TARGET,
    TARGET_FILE,
    TARGET_OPTION,
    NO_ENGINE,
    EXECUTOR_FAILED,
    IMPORT_EXISTS,
    UNMERGED,
)
