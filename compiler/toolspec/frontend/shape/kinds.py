"""Diagnostic kinds about the shape of documents."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

NOT_A_SERVICE = DiagnosticKind(
    code="shape/not-a-service",
    severity=Severity.ERROR,
    message="not a {form}: {found}",
    hint="{suggestion}",
    why=(
        "A service document is a mapping that begins with `toolspec`, the version of the language, "
        "and `service`. Anything else among the sources is most likely there by mistake."
    ),
    example="- just\n- a list",
)

UNSUPPORTED_VERSION = DiagnosticKind(
    code="shape/unsupported-version",
    severity=Severity.ERROR,
    message="unsupported language version `{version}`",
    hint="write `toolspec: 1`, or upgrade the compiler",
    why=(
        "`toolspec` says which version of the language a document is written in, so that a later "
        "version can change a meaning without changing old documents."
    ),
    example="toolspec: 2",
)

UNKNOWN_KEY = DiagnosticKind(
    code="shape/unknown-key",
    severity=Severity.ERROR,
    message="`{key}` is not a key of {holder}",
    hint="{suggestion}",
    why=(
        "An unknown key is most likely misspelt. If it was ignored, the tool would differ from what "
        "its author intended. Custom data goes under keys that begin with `x-`."
    ),
    example="tools:\n  - name: ping\n    muation: false",
)

MISSING_KEY = DiagnosticKind(
    code="shape/missing-key",
    severity=Severity.ERROR,
    message="{holder} lacks `{key}`",
    hint="{suggestion}",
    why="This cannot be derived, so the author has to state it.",
    example="tools:\n  - name: ping\n    description: Say whether the service is up.",
)

MISPLACED_KEY = DiagnosticKind(
    code="shape/misplaced-key",
    severity=Severity.ERROR,
    message="`{key}` cannot be used with {other}",
    hint="{suggestion}",
    why="The two keys exclude each other: with both, it would be unclear which one applies.",
    example="permissions: [{file: notes.txt, web: example.com, op: read}]",
)

WRONG_TYPE = DiagnosticKind(
    code="shape/wrong-type",
    severity=Severity.ERROR,
    message="{what} must be {expected}, not {found}",
    hint="{suggestion}",
    why=(
        "YAML decides the type of a value by its spelling. In YAML 1.2 `yes`, `no`, `on` and `off` "
        "are texts, `1.0` is a number, and a key without a value holds null."
    ),
    example="mutation: no",
)

NOT_ONE_OF = DiagnosticKind(
    code="shape/not-one-of",
    severity=Severity.ERROR,
    message="{found} is not one of the values of {what}",
    hint="{suggestion}",
    why="The field has a closed set of values, and each of them means something to the compiler.",
    example="taskSupport: optinal",
)

BAD_NAME = DiagnosticKind(
    code="shape/bad-name",
    severity=Severity.ERROR,
    message="`{name}` is not {what}",
    hint="{suggestion}",
    why=(
        "Names become parts of other names, of Python identifiers and of file names. The grammar is "
        "what all of them can hold, and keeps `service_tool` readable in one way only."
    ),
    example="service: {name: my_service, description: …}",
)

BAD_VERSION = DiagnosticKind(
    code="shape/bad-version",
    severity=Severity.ERROR,
    message="`{version}` is not {what}",
    hint="{suggestion}",
    why="Versions are compared, so their parts have to be numbers in an order.",
    example="service: {name: github, version: v1, description: …}",
)

BAD_DURATION = DiagnosticKind(
    code="shape/bad-duration",
    severity=Severity.ERROR,
    message="`{duration}` is not a duration",
    hint="write a number with its unit, such as `500ms`, `30s`, `2m` or `1h`, or a number of seconds",
    why="A limit of no time, or in an unknown unit, would stop every call or none.",
    example="timeout: {total: 5 minutes}",
)

TOO_SMALL = DiagnosticKind(
    code="shape/too-small",
    severity=Severity.ERROR,
    message="{what} is {found}, less than the minimum of {minimum}",
    hint="write a number of at least {minimum}, or delete the key",
    why="A limit of less would refuse every result.",
    example="limits: {resultBytes: 0}",
)

BAD_URL = DiagnosticKind(
    code="shape/bad-url",
    severity=Severity.ERROR,
    message="`{url}` is not {what}",
    hint="{suggestion}",
    why=(
        "Clients follow these URLs. Only `https` is let through (`http` for the local machine), "
        "without credentials; icons may also be `data:` URLs of PNG, JPEG or WebP images, which can "
        "hold no script."
    ),
    example='icons: [{src: "javascript:alert(1)"}]',
)

BAD_TEXT = DiagnosticKind(
    code="shape/bad-text",
    severity=Severity.ERROR,
    message="`{text}` is not {what}",
    hint="{suggestion}",
    why="The text has a form that clients rely on.",
    example="outputContentType: markdown",
)

EMPTY = DiagnosticKind(
    code="shape/empty",
    severity=Severity.ERROR,
    message="{what} is empty",
    hint="{suggestion}",
    why="A text is expected here; a blank one tells a person or a model nothing.",
    example='description: ""',
)

REPEATED = DiagnosticKind(
    code="shape/repeated",
    severity=Severity.ERROR,
    message="{what} contains {found} twice",
    hint="delete one of the two",
    why="The list is a set: a repeated item has no meaning, and is most likely a mistake.",
    example="tags: [read, paged, read]",
)

MAP_NAME_DIFFERS = DiagnosticKind(
    code="shape/map-name-differs",
    severity=Severity.ERROR,
    message="the tool is named `{name}`, but its key is `{key}`",
    hint="make them the same, or delete `name`: in a map the key is the name",
    why="In a map of tools the key is the name. A `name` may repeat it, and must then agree.",
    example="tools:\n  getIssue: {name: get_issue, …}",
)

KINDS = (
    NOT_A_SERVICE,
    UNSUPPORTED_VERSION,
    UNKNOWN_KEY,
    MISSING_KEY,
    MISPLACED_KEY,
    WRONG_TYPE,
    NOT_ONE_OF,
    BAD_NAME,
    BAD_VERSION,
    BAD_DURATION,
    TOO_SMALL,
    BAD_URL,
    BAD_TEXT,
    EMPTY,
    REPEATED,
    MAP_NAME_DIFFERS,
)
