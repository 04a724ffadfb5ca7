"""Diagnostic kinds of binding and normalizing: contradictions and undeclared names."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

READ_ONLY_MUTATION = DiagnosticKind(
    code="safety/read-only-mutation",
    severity=Severity.ERROR,
    message="mutating tool is annotated read-only",
    hint="delete the line; the hint is derived from `mutation`",
    why=(
        "Hosts skip the confirmation step for read-only tools. A tool that changes something and "
        "says that it only reads would act without confirmation."
    ),
    example="mutation: true\nannotations:\n  readOnlyHint: true",
)

WRITING_READ = DiagnosticKind(
    code="safety/read-not-read-only",
    severity=Severity.ERROR,
    message="reading tool is annotated as not read-only",
    hint="delete the line, or set `mutation: true` if the tool does change something",
    why=(
        "`mutation: false` says that a call is safe at any time; `readOnlyHint: false` tells the "
        "client the opposite. One of the two is wrong, and only the author knows which."
    ),
    example="mutation: false\nannotations:\n  readOnlyHint: false",
)

DESTRUCTIVE_READ = DiagnosticKind(
    code="safety/destructive-read",
    severity=Severity.ERROR,
    message="reading tool is annotated destructive",
    hint="delete the line, or set `mutation: true` if the tool does delete or overwrite",
    why=(
        "A tool that may delete or overwrite changes something. Declared as reading, it would be "
        "called speculatively."
    ),
    example="mutation: false\nannotations:\n  destructiveHint: true",
)

CHANGING_READ = DiagnosticKind(
    code="safety/read-not-idempotent",
    severity=Severity.WARNING,
    message="reading tool is annotated as not idempotent",
    hint="delete the line, or set `mutation: true` if a second call has a further effect",
    why=(
        "A tool that changes nothing is idempotent. Clients that retry idempotent calls would not "
        "retry this one."
    ),
    example="mutation: false\nannotations:\n  idempotentHint: false",
)

REVERT_OF_READ = DiagnosticKind(
    code="safety/revert-of-read",
    severity=Severity.ERROR,
    message="reading tool declares that its effect can be undone",
    hint="delete `revert`, or set `mutation: true` if the tool does have an effect",
    why="`mutation: false` says that there is no effect, so `revert` has nothing to undo.",
    example="mutation: false\nrevert: true",
)

RISK_LOWERED = DiagnosticKind(
    code="safety/risk-lowered",
    severity=Severity.ERROR,
    message="risk tier {stated} is lower than the derived tier {derived}",
    hint="delete `risk`, or change what the tier is derived from: {reason}",
    why=(
        "The tier decides whether a call needs approval. It is derived from what the tool declares, and "
        "a document may only raise it: otherwise one line would remove the approval."
    ),
    example='mutation: true\nrisk: {tier: 0, reason: "it is harmless"}',
)

RESERVED_SERVICE = DiagnosticKind(
    code="naming/reserved-service",
    severity=Severity.ERROR,
    message="the service name `{name}` is reserved",
    hint="choose another name, such as `{name}-admin` or `notes`",
    why=(
        "Clients use `mcp`, `plugin`, `system` and `tool` for parts of their own: they put `mcp__` "
        "before the names of tools, and `system` and `tool` are roles in a conversation. A tool "
        "`mcp_search` or `system_read` would look like one of theirs."
    ),
    example="service: {name: system, description: …}",
)

UNKNOWN_SCOPE = DiagnosticKind(
    code="bind/unknown-scope",
    severity=Severity.ERROR,
    message="scope `{name}` is not among the service's `auth.scopes`",
    hint="{suggestion}",
    why=(
        "A scope that the authorization server was never asked for is never granted: every call of "
        "the tool would be refused."
    ),
    example=(
        "auth: {type: oauth2, scopes: {repo: Read and write repositories}, …}\nscopes: [repos]"
    ),
)

UNKNOWN_ERROR = DiagnosticKind(
    code="bind/unknown-error",
    severity=Severity.ERROR,
    message="the example ends in the undeclared error `{name}`",
    hint="{suggestion}",
    why=(
        "An example shows what a caller can expect. Its error is one of the tool's `errors`, or one "
        "of the categories that every tool can answer with."
    ),
    example=(
        "errors: [{code: not_here, description: No such issue.}]\n"
        "examples: [{input: {}, error: not_her}]"
    ),
)

DUPLICATE_DEFINITION = DiagnosticKind(
    code="bind/duplicate-definition",
    severity=Severity.ERROR,
    message="the shared schema `{name}` is defined twice",
    hint="rename one of them, or delete it if they are the same",
    why=(
        "A service and the files it includes share their `$defs`, and in generated code a definition "
        "is one type."
    ),
    example="# service.yaml and tools/a.yaml both say\n$defs: {Money: {type: object}}",
)

STREAMING_TASK = DiagnosticKind(
    code="bind/streaming-task",
    severity=Severity.ERROR,
    message="a streaming tool cannot have `taskSupport: required`",
    hint="write `taskSupport: optional`, or delete `streaming`",
    why=(
        "A task answers once, when it is polled for; a streaming tool answers in pieces while it "
        "runs. A tool that may only run as a task could never stream."
    ),
    example="streaming: true\ntaskSupport: required",
)

CHUNK_WITHOUT_STREAMING = DiagnosticKind(
    code="shape/chunk-without-streaming",
    severity=Severity.ERROR,
    message="`chunkSchema` is given, but the tool does not stream",
    hint="set `streaming: true`, or delete `chunkSchema`",
    why="A chunk is a piece of a streamed result. A tool that does not stream has none.",
    example="chunkSchema: {type: string}\nstreaming: false",
)

MISSING_CHUNK = DiagnosticKind(
    code="shape/missing-chunk",
    severity=Severity.ERROR,
    message="the chunk of this stream can't be derived from `outputSchema`",
    hint="add `chunkSchema`; the last chunk is then the result",
    why=(
        "A string streams as pieces of text that are joined, an array as its items. For any other "
        "result the document has to say what a piece looks like."
    ),
    example="streaming: true\noutputSchema: {type: object}",
)

INPUT_NOT_OBJECT = DiagnosticKind(
    code="shape/input-not-object",
    severity=Severity.ERROR,
    message="the root of `inputSchema` is {found}, not an object",
    hint="{suggestion}",
    why=(
        "A call's arguments are named, so they are an object, and clients demand that the schema "
        "says so at its root. Two more forms exist: `true` for arguments of any kind, and `type: "
        "string` for one free-form text."
    ),
    example="inputSchema: {type: array, items: {type: string}}",
)

RESERVED_ARGUMENT = DiagnosticKind(
    code="bind/reserved-argument",
    severity=Severity.ERROR,
    message="the argument `{name}` is added by `{source}`, and the tool has its own",
    hint="rename the property, or delete it and let `{source}` add it",
    why=(
        "The runtime reads `idempotency_key`, and `instance` where the service has several, and "
        "strips them before the handler is called. A property of that name would never reach the "
        "handler."
    ),
    example=(
        "idempotency: required\n"
        "inputSchema: {type: object, properties: {idempotency_key: {type: string}}}"
    ),
)

SEALED_ARGUMENTS = DiagnosticKind(
    code="bind/sealed-arguments",
    severity=Severity.ERROR,
    message="`inputSchema` rejects the added argument `{name}`",
    hint="declare the properties at the root of `inputSchema`, or delete `{keyword}` there",
    why=(
        "`idempotency` and `service.instances` add an argument. It can be added beside properties at the root; a schema "
        "that is closed further down, or limits the names or the number of all its properties, would "
        "refuse it."
    ),
    example=(
        "idempotency: required\ninputSchema: {type: object, allOf: [{additionalProperties: false}]}"
    ),
)

CONTENT_TYPE_NOT_TEXT = DiagnosticKind(
    code="bind/content-type-needs-text",
    severity=Severity.ERROR,
    message="a result of type `{media_type}` needs an `outputSchema` of `type: string`",
    hint="write `outputSchema: {{type: string}}`; for bytes add `contentEncoding: base64`",
    why=(
        "A result that is not JSON travels as text. Any other schema would describe something that "
        "is never sent."
    ),
    example="outputContentType: image/png\noutputSchema: {type: object}",
)

KINDS = (
    READ_ONLY_MUTATION,
    WRITING_READ,
    DESTRUCTIVE_READ,
    CHANGING_READ,
    REVERT_OF_READ,
    RISK_LOWERED,
    RESERVED_SERVICE,
    UNKNOWN_SCOPE,
    UNKNOWN_ERROR,
    DUPLICATE_DEFINITION,
    STREAMING_TASK,
    CHUNK_WITHOUT_STREAMING,
    MISSING_CHUNK,
    INPUT_NOT_OBJECT,
    RESERVED_ARGUMENT,
    SEALED_ARGUMENTS,
    CONTENT_TYPE_NOT_TEXT,
)
