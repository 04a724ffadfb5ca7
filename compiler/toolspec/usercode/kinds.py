"""Diagnostic kinds of handlers: missing, extra, or incompatible methods."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

SYNTAX = DiagnosticKind(
    code="handlers/syntax",
    severity=Severity.ERROR,
    message="`{path}` is not Python: {reason}",
    hint="fix the file; it has to be valid Python {version} in UTF-8",
    why="Handlers are compared with their spec without being run, so the file has to parse.",
    example="class Github(GithubHandlers:",
)
NO_CLASS = DiagnosticKind(
    code="handlers/no-class",
    severity=Severity.ERROR,
    message="`{path}` has no class with the handlers of {service}",
    hint="inherit from `{stem}Handlers` or `{stem}Stubs`, or name the class as `{path}:CLASS`{near}",
    why=(
        "A class is found by its base classes. One with other base classes has to be named after the "
        "file, in the configuration or in `--in`."
    ),
    example=(
        "# app/github.py\n"
        "class Github:          # inherits from neither class of the package\n"
        "    ..."
    ),
)
SEVERAL_CLASSES = DiagnosticKind(
    code="handlers/several-classes",
    severity=Severity.ERROR,
    message="several classes are handlers of `{service}`: {names}",
    hint="name one of them: `{path}:CLASS`",
    why="The compiler never runs your code, so it cannot know which of them is served.",
    example=("class Old(GithubHandlers): ...\nclass New(GithubHandlers): ..."),
)
MISSING = DiagnosticKind(
    code="handlers/missing",
    severity=Severity.ERROR,
    message="`{owner}` has no `{method}`",
    hint="write `{signature}`, or let `toolspec handlers --apply` add it",
    why=(
        "Every tool needs a handler, and a tool with `verify` or `revert` a second method. `bind` "
        "rejects a class without them when the program starts."
    ),
    example=(
        "# the spec has a tool `listIssues`\n"
        "class Github(GithubHandlers):\n"
        "    pass                # and no list_issues"
    ),
)
UNWRITTEN = DiagnosticKind(
    code="handlers/unwritten",
    severity=Severity.WARNING,
    message="`{owner}` inherits `{method}` from the stubs",
    hint="write `{signature}`, or let `toolspec handlers --apply` add it",
    why=(
        "The class inherits from the stubs, so the service starts, but every call of this tool fails "
        "with `not_implemented`."
    ),
    example=("class Github(GithubStubs):\n    pass                # list_issues is inherited"),
)
UNSEEN_BASE = DiagnosticKind(
    code="handlers/unseen-base",
    severity=Severity.NOTE,
    message="{count} of `{service}` may be defined in `{base}`, which is from another file",
    hint="nothing to do if it defines {methods}",
    why=(
        "A base class from another file is not examined, because user code is never imported. So "
        "methods that this file does not define are not errors."
    ),
    example=("from app.base import Issues\n\nclass Github(Issues, GithubHandlers):\n    ..."),
)
EXTRA = DiagnosticKind(
    code="handlers/extra",
    severity=Severity.ERROR,
    message="no tool has the handler `{method}`",
    hint="{advice}",
    why=(
        "A public method is a handler if its first parameter is `input` or its second is `ctx`. "
        "`bind` rejects one without a tool when the program starts: usually the tool was renamed."
    ),
    example=(
        "class Github(GithubHandlers):\n"
        "    async def list_isues(self, input, ctx): ...   # misspelt"
    ),
)
KIND = DiagnosticKind(
    code="handlers/wrong-kind",
    severity=Severity.ERROR,
    message="`{method}` is {found}, but {requirement}",
    hint="{advice}",
    why=(
        "The handler of a streaming tool is an async generator: `async def` with `yield`. Any other "
        "handler is `async def`, or a plain `def` that runs in a worker thread, without `yield`."
    ),
    example=(
        "# the spec says `streaming: true`\n"
        "async def stream_message(self, input, ctx):\n"
        '    return "all at once"'
    ),
)
SIGNATURE = DiagnosticKind(
    code="handlers/wrong-signature",
    severity=Severity.ERROR,
    message="`{method}` cannot be called as `{call}`",
    hint="write `{signature}`",
    why=(
        "A handler is called with its input and, if it accepts one, the context, both by position. A "
        "verify method also gets the output; a revert method the output and the metadata."
    ),
    example="async def list_issues(self, input, ctx, user): ...   # no argument for `user`",
)
TYPE = DiagnosticKind(
    code="handlers/wrong-type",
    severity=Severity.ERROR,
    message="{role} of `{method}` is annotated `{found}`, a type of another tool or role",
    hint="write `{expected}`",
    why=(
        "The annotation names a generated type of another tool, or of another role of this one. Other "
        "annotations are left to type checkers."
    ),
    example="async def list_issues(self, input: CreateIssueInput, ctx): ...",
)
UNKNOWN_NAME = DiagnosticKind(
    code="handlers/unknown-name",
    severity=Severity.ERROR,
    message="`{package}` has no `{name}`",
    hint="{suggestion}",
    why="The package is generated from the spec: a renamed tool also renames its types.",
    example="from generated.github import ListIsuesInput",
)
UNLISTED_ERROR = DiagnosticKind(
    code="handlers/unlisted-error",
    severity=Severity.WARNING,
    message="`{tool}` raises `{code}`, which its `errors` does not list",
    hint="{suggestion} it in the spec: `errors: [{{code: {code}, description: …}}]`",
    why=(
        "Callers and models can handle only the codes that they know. The documentation and the "
        "catalog contain the codes that a tool lists, and whether a call may be repeated. A category, "
        "such as `not_found`, needs no entry. At run time the first such error of a tool and code is "
        "logged."
    ),
    example=(
        "# the spec has no error `taken`\n"
        "async def create(self, input, ctx):\n"
        '    raise ToolError.conflict("the name is taken", code="taken")'
    ),
)
CANNOT_APPLY = DiagnosticKind(
    code="handlers/cannot-apply",
    severity=Severity.ERROR,
    message="the missing methods could not be added to `{path}`",
    hint="nothing was changed; add them by hand: `toolspec handlers` lists their signatures",
    why=(
        "The new text is parsed and compared with the file before it is written: except for the added "
        "methods and imports it must be the same program, and it was not."
    ),
)

KINDS = (
    SYNTAX,
    NO_CLASS,
    SEVERAL_CLASSES,
    MISSING,
    UNWRITTEN,
    UNSEEN_BASE,
    EXTRA,
    KIND,
    SIGNATURE,
    TYPE,
    UNKNOWN_NAME,
    UNLISTED_ERROR,
    CANNOT_APPLY,
)
