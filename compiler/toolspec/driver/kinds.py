"""Diagnostic kinds about the project around the documents: files, configuration, imports."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

NO_SPECS = DiagnosticKind(
    code="project/no-specs",
    severity=Severity.ERROR,
    message="no service documents found in {locations}",
    hint="{suggestion}",
    why=(
        "A build without a single document is almost always a wrong path, so it fails instead of "
        "reporting success over nothing."
    ),
)
MISSING_PATH = DiagnosticKind(
    code="project/missing-path",
    severity=Severity.ERROR,
    message="`{path}` does not exist",
    hint="name a file, a folder or a glob that exists",
    why="A path on the command line or in `specs` of the configuration leads nowhere.",
)
UNREADABLE = DiagnosticKind(
    code="project/unreadable-file",
    severity=Severity.ERROR,
    message="`{path}` cannot be read: {reason}",
    hint="make it a regular file that you may read",
    why="The file system refused to hand out the file.",
)
OUTSIDE = DiagnosticKind(
    code="project/outside-reference",
    severity=Severity.ERROR,
    message="`{path}` lies outside the project",
    hint="keep what a document includes or references below {root}",
    why="Documents are untrusted text: what they name is read only below the project's folder.",
)
OUTSIDE_LINK = DiagnosticKind(
    code="project/outside-link",
    severity=Severity.ERROR,
    message="`{path}` is a link to a file outside the project",
    hint="copy the file, or name it itself on the command line or in `specs`",
    why=(
        "A repository may come with a link to whatever you can read, and a finding quotes what it is "
        "about. Links are followed inside the project, and where a person names the file."
    ),
)
CONFIG_SYNTAX = DiagnosticKind(
    code="config/syntax",
    severity=Severity.ERROR,
    message="invalid TOML: {reason}",
    hint="fix the syntax here; nothing else of the configuration was read",
    why="Nothing is built from a configuration that could only be read in part.",
)
CONFIG_UNKNOWN_KEY = DiagnosticKind(
    code="config/unknown-key",
    severity=Severity.ERROR,
    message="unknown configuration key `{key}`",
    hint="{suggestion}",
    why="A misspelt key that is silently ignored changes nothing and looks as if it did.",
)
CONFIG_WRONG_TYPE = DiagnosticKind(
    code="config/wrong-type",
    severity=Severity.ERROR,
    message="`{key}` must be {expected}",
    hint="write for example `{example}`",
    why="Every key of the configuration has one type.",
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
    why="A template makes one file of the project, or one for each service or for each tool.",
)
RENDER_TO = DiagnosticKind(
    code="config/render-to",
    severity=Severity.ERROR,
    message="the path `{path}` {problem}",
    hint="{suggestion}",
    why=(
        "`to` of `[[render]]` is a path below the output folder. A template for each service has "
        "`{{service}}` in it, one for each tool `{{tool}}`, so that no two files have one path."
    ),
)
TEMPLATES = DiagnosticKind(
    code="config/templates",
    severity=Severity.ERROR,
    message="`{path}` {problem}",
    hint="name a folder of templates",
    why=(
        "The templates of a target are text files in one folder, each at most 1 MiB, named as the "
        "built-in template that it replaces."
    ),
)
UNKNOWN_TEMPLATE = DiagnosticKind(
    code="config/unknown-template",
    severity=Severity.ERROR,
    message="the template `{path}` replaces no template of a target",
    hint="{suggestion}",
    why=(
        "A template in the folder of `templates` replaces the built-in one of its name. One with "
        "another name would never be used, unless it begins with one `_`: others may include it."
    ),
)
UNKNOWN_TARGET = DiagnosticKind(
    code="config/unknown-target",
    severity=Severity.ERROR,
    message="unknown target `{name}`",
    hint="{suggestion}",
    why="A target is found by its name; `toolspec compile --help` lists those that are installed.",
)
TARGET_OPTION = DiagnosticKind(
    code="config/target-option",
    severity=Severity.ERROR,
    message="`[target.{target}]` is not valid: {reason}",
    hint="the options of a target are closed: remove or correct the key",
    why="Each target declares the schema of its own options.",
)
NO_ENGINE = DiagnosticKind(
    code="config/no-executor",
    severity=Severity.ERROR,
    message="`{name}` names no executor: {reason}",
    hint="name a function as `module:function` that returns a `concurrent.futures.Executor`",
    why="`--executor` takes the place of the processes that a large build is spread over.",
)
EXECUTOR_FAILED = DiagnosticKind(
    code="config/executor-failed",
    severity=Severity.ERROR,
    message="the executor `{name}` failed: {reason}",
    hint="start what it connects to, or compile without `--executor`",
    why=(
        "The services of a build are made by the executor that `--executor` names. It could not be "
        "started, or did not return what its workers made. Nothing was written."
    ),
)
IMPORT_EXISTS = DiagnosticKind(
    code="import/document-exists",
    severity=Severity.ERROR,
    message="`{path}` already exists",
    hint="import into another folder, or replace it with `--force`",
    why="An imported document is meant to be edited, so a second import never overwrites it unasked.",
)
SUMMARY_UNWRITABLE = DiagnosticKind(
    code="output/step-summary",
    severity=Severity.WARNING,
    message="the step summary `{path}` cannot be written: {reason}",
    hint="`GITHUB_STEP_SUMMARY` must name a file that may be written, or be unset",
    why="The findings are printed all the same; only the page of the workflow lacks them.",
)
REPORT_UNWRITABLE = DiagnosticKind(
    code="output/report",
    severity=Severity.ERROR,
    message="the report `{path}` cannot be written: {reason}",
    hint="`--format FORMAT=PATH` takes a file in an existing, writable folder",
    why="A step that collects the report later would find none, or the one of an earlier run.",
)

KINDS = (
    SUMMARY_UNWRITABLE,
    REPORT_UNWRITABLE,
    NO_SPECS,
    MISSING_PATH,
    UNREADABLE,
    OUTSIDE,
    OUTSIDE_LINK,
    CONFIG_SYNTAX,
    CONFIG_UNKNOWN_KEY,
    CONFIG_WRONG_TYPE,
    RENDER_TEMPLATE,
    RENDER_FOR,
    RENDER_TO,
    TEMPLATES,
    UNKNOWN_TEMPLATE,
    UNKNOWN_TARGET,
    TARGET_OPTION,
    NO_ENGINE,
    EXECUTOR_FAILED,
    IMPORT_EXISTS,
)
