"""Diagnostic kinds of handlers: missing, extra, or incompatible methods."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

SYNTAX = DiagnosticKind(
    code="handlers/syntax",
    severity=Severity.ERROR,
    message="`{path}` is not Python: {reason}",
    hint="fix the file; it is read as Python {version} reads it, in UTF-8",
    why="Handlers are compared with their spec as text. A file that does not parse has none.",
    example="class Github(GithubHandlers:",
)
NO_CLASS = DiagnosticKind(
    code="handlers/no-class",
    severity=Severity.ERROR,
    message="`{path}` has no class with the handlers of {service}",
    hint="inherit from `{stem}Handlers` or `{stem}Stubs`, or name the class as `{path}:CLASS`{near}",
    why=(
        "The class is found by what it inherits from. A class that inherits from neither is found "
        "where the configuration, or `--in`, names it behind the file."
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
    hint="name the one that is meant: `{path}:CLASS`",
    why="Which of them is served is decided where the program runs, and that code is never run here.",
    example=("class Old(GithubHandlers): ...\nclass New(GithubHandlers): ..."),
)
MISSING = DiagnosticKind(
    code="handlers/missing",
    severity=Severity.ERROR,
    message="`{owner}` has no `{method}`",
    hint="write `{signature}`, or let `toolspec handlers --apply` add it",
    why=(
        "Every tool needs its handler, and a tool with `verify` or `revert` a second method. "
        "`bind` refuses a service with fewer when the program starts."
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
    message="`{owner}` leaves `{method}` to the stubs",
    hint="write `{signature}`, or let `toolspec handlers --apply` add it",
    why=(
        "The class inherits from the stubs, so the service starts, and every call of this tool is "
        "answered with the error `not_implemented`."
    ),
    example=("class Github(GithubStubs):\n    pass                # list_issues is inherited"),
)
UNSEEN_BASE = DiagnosticKind(
    code="handlers/unseen-base",
    severity=Severity.NOTE,
    message="{count} of `{service}` may be written in `{base}`, which this file does not define",
    hint="nothing to do if they are; {methods}",
    why=(
        "A base class from another file is not looked at, because user code is never imported. "
        "Methods that are not found are then not called missing."
    ),
    example=("from app.base import Issues\n\nclass Github(Issues, GithubHandlers):\n    ..."),
)
EXTRA = DiagnosticKind(
    code="handlers/extra",
    severity=Severity.ERROR,
    message="`{method}` is written like a handler and belongs to no tool",
    hint="{advice}",
    why=(
        "Its first parameter is `input`, or its second is `ctx`, but no tool asks for it. `bind` "
        "refuses it when the program starts: most often it is the handler of a tool that was "
        "renamed, which nobody calls any more."
    ),
    example=(
        "class Github(GithubHandlers):\n"
        "    async def list_isues(self, input, ctx): ...   # misspelt"
    ),
)
KIND = DiagnosticKind(
    code="handlers/wrong-kind",
    severity=Severity.ERROR,
    message="`{method}` is {found}, but {needs}",
    hint="{advice}",
    why=(
        "A tool that streams is written as an async generator: `async def` with `yield`. Any other "
        "is `async def`, or a plain `def` that runs in a worker thread, without `yield`."
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
        "A handler is called with its input and, if it takes it, the context; both by position. A "
        "verify method also gets the output, a revert method the output and the metadata."
    ),
    example="async def list_issues(self, input, ctx, user): ...   # nobody gives a user",
)
TYPE = DiagnosticKind(
    code="handlers/wrong-type",
    severity=Severity.ERROR,
    message="{role} of `{method}` is annotated `{found}`, the type of something else",
    hint="write `{expected}`",
    why=(
        "The annotation names a generated type that belongs to another tool, or to another part of "
        "this one. Annotations that name no generated type of this kind are left to type checkers."
    ),
    example="async def list_issues(self, input: CreateIssueInput, ctx): ...",
)
UNKNOWN_NAME = DiagnosticKind(
    code="handlers/unknown-name",
    severity=Severity.ERROR,
    message="`{package}` has no `{name}`",
    hint="{suggestion}",
    why="The generated package is made anew from the spec: a tool that is renamed takes its types along.",
    example="from generated.github import ListIsuesInput",
)
UNLISTED_ERROR = DiagnosticKind(
    code="handlers/unlisted-error",
    severity=Severity.WARNING,
    message="`{tool}` raises `{code}`, which its `errors` does not list",
    hint="{suggestion} it in the spec: `errors: [{{code: {code}, description: …}}]`",
    why=(
        "A caller, or a model, reacts to a code that it knows. The documentation and the catalog name "
        "the codes that a tool lists, and whether a call may be repeated. A category, such as "
        "`not_found`, needs no entry. At run time the first such error of a tool and code is logged."
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
        "What was about to be written is parsed and compared with the file first: apart from the "
        "new methods and imports it must be the same program. Here it was not."
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
