"""Diagnostic kinds of provider targets about services; those about single tools are rules."""

from toolspec.diagnostics import DiagnosticKind, Severity

SAME_NAME = DiagnosticKind(
    "target/same-name",
    Severity.ERROR,
    "`{tool}` and `{other}` are both called `{name}` by {target}",
    "rename one of them",
    why=(
        "If a provider does not accept a tool's name, the compiler derives another one from it. Two "
        "tools must not end up with the same name, nor with names that differ only in case: a call "
        "could mean either of them."
    ),
    example="# a separator that a provider does not accept in names\nseparator: '.'\n",
)
STRICT_BUDGET = DiagnosticKind(
    "target/strict-budget",
    Severity.WARNING,
    "{count} of {tools} tools of `{service}` are not sent strictly to {target}: one request takes {limits}",
    "make parameters required, or split the service",
    why=(
        "The provider compiles the strict schemas of one request together, and refuses a request with "
        "too many strict tools, optional parameters or parameters of several types. Destructive tools "
        "come first, then the others in the order of the document; one that no longer fits is "
        "sent in its loose form, and its arguments are checked by the runtime alone. The budget is "
        "planned for each service by itself."
    ),
    example=(
        "# 25 optional parameters and more in one service\n"
        "tools:\n"
        "  - name: search\n"
        "    inputSchema: {type: object, properties: {text: {type: string}, language: {type: string}}}\n"
    ),
)

KINDS = (SAME_NAME, STRICT_BUDGET)
