"""Diagnostic kinds of imports: guessed, changed and dropped values."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

NO_TOOLS = DiagnosticKind(
    code="import/no-tools",
    severity=Severity.ERROR,
    message="this file holds no list of tools",
    hint="give the answer to `tools/list`, an object with `tools`, or the list of tools itself",
    why=(
        "An import reads what a server answered to `tools/list`: the whole response, its result, a "
        "dump that has `tools` beside `serverInfo`, or a bare list of tools. Nothing else says which "
        "tools there are."
    ),
    example='{"error": {"code": -32601, "message": "Method not found"}}',
)

BAD_SERVICE_NAME = DiagnosticKind(
    code="import/service-name",
    severity=Severity.ERROR,
    message="`{name}` cannot be the name of a service",
    hint="use `{legal}`, or another name of letters, digits and single hyphens",
    why=(
        "A service's name holds no underscore, so that the first underscore of a full tool name is "
        "always the boundary between service and tool."
    ),
    example="toolspec import mcp-tools dump.json --name my_service",
)

NOT_A_TOOL = DiagnosticKind(
    code="import/not-a-tool",
    severity=Severity.WARNING,
    message="entry {number} of the list is no tool and is left out: {problem}",
    hint="every tool is an object with a `name`",
    why="Without a name there is nothing that a caller could ask for.",
    example='{"tools": [{"description": "A tool without a name"}]}',
)

MORE_PAGES = DiagnosticKind(
    code="import/more-pages",
    severity=Severity.WARNING,
    message="the list is not complete: the server has more pages",
    hint="ask for the next page with this cursor, and import all pages as one list",
    why="A `nextCursor` beside the tools means that the answer was only one page of several.",
    example='{"tools": [], "nextCursor": "page2"}',
)

SERVICE_RENAMED = DiagnosticKind(
    code="import/service-renamed",
    severity=Severity.NOTE,
    message="the service is named `{name}`, after `{origin}`",
    hint="name it yourself if you would rather have another name",
    why=(
        "Service names are made of lower-case words and hyphens, and begin the name of every tool. "
        "Words like `api`, `mcp` and `server` at the ends of a server's name say nothing there and are "
        "dropped."
    ),
    example='{"serverInfo": {"name": "Slack MCP Server"}, "tools": []}',
)

VERSION_MADE_UP = DiagnosticKind(
    code="import/version",
    severity=Severity.NOTE,
    message="the service gets version 0.1.0: {problem}",
    hint="write the version you want into the document",
    why="A service's version follows semantic versioning, three numbers with dots.",
    example='{"serverInfo": {"name": "git", "version": "2024a"}, "tools": []}',
)

SERVICE_DESCRIPTION_MADE_UP = DiagnosticKind(
    code="import/service-description",
    severity=Severity.NOTE,
    message="the server does not describe itself, so the service's description is made up",
    hint="say in one sentence what the service is for",
    why="A service has a description, because people choose services by it. A dump seldom has one.",
    example='{"serverInfo": {"name": "git"}, "tools": []}',
)

TOOL_RENAMED = DiagnosticKind(
    code="import/tool-renamed",
    severity=Severity.NOTE,
    message="`{origin}` becomes `{name}`",
    hint="the old name is kept as an alias or a `wireName`, else as `name` under `x-mcp`",
    why=(
        "Tool names are letters and digits with single `_` or `-` between them, so that they are "
        "legal with every model provider; and a service has each name once."
    ),
    example='{"tools": [{"name": "notes.list", "inputSchema": {"type": "object"}}]}',
)

PREFIX_DROPPED = DiagnosticKind(
    code="import/prefix-dropped",
    severity=Severity.NOTE,
    message="`{origin}` becomes `{name}`: the service's name begins every full name anyway",
    hint="callers see `{full}`",
    why="With the prefix left in place, callers would see the service's name twice.",
    example='{"serverInfo": {"name": "git"}, "tools": [{"name": "git_status"}]}',
)

NO_DESCRIPTION = DiagnosticKind(
    code="import/no-description",
    severity=Severity.WARNING,
    message="`{tool}` has no description, and gets a placeholder",
    hint="write what the tool does: a model chooses tools by nothing else",
    why="The description is required, because a model that cannot read what a tool does cannot use it.",
    example='{"tools": [{"name": "status", "inputSchema": {"type": "object"}}]}',
)

MUTATION_GUESSED = DiagnosticKind(
    code="import/mutation-guessed",
    severity=Severity.NOTE,
    message="`{tool}` is imported as changing state: nothing marks it as read-only",
    hint="write `mutation: false` if it only reads",
    why=(
        "Whether a tool only reads is what a client goes by when it decides to ask first. Where the "
        "dump has no `readOnlyHint`, the worst case is assumed, as MCP itself does."
    ),
    example='{"tools": [{"name": "status", "description": "Status."}]}',
)

HINT_DROPPED = DiagnosticKind(
    code="import/hint-dropped",
    severity=Severity.NOTE,
    message="`destructiveHint: true` of `{tool}` is dropped: the tool says that it only reads",
    hint="write `mutation: true` if it does destroy something",
    why=(
        "MCP gives `destructiveHint` a meaning only where `readOnlyHint` is false. In the language a "
        "tool that only reads and destroys is a contradiction and an error."
    ),
    example='{"annotations": {"readOnlyHint": true, "destructiveHint": true}}',
)

HINT_CONTRADICTED = DiagnosticKind(
    code="import/hint-contradicted",
    severity=Severity.NOTE,
    message="`readOnlyHint` of `{tool}` is dropped: its `mutation` says the contrary",
    hint="see which of the two is right",
    why="A document that says `mutation` derives `readOnlyHint` from it; two that differ are an error.",
    example='{"name": "status", "mutation": true, "annotations": {"readOnlyHint": true}}',
)

KEY_TAKEN_OVER = DiagnosticKind(
    code="import/key-taken-over",
    severity=Severity.NOTE,
    message="the argument `idempotency_key` of `{tool}` becomes its field `idempotency`",
    hint="callers see the same argument; the runtime answers a repeated key without a second effect",
    why=(
        "With the field the runtime keeps the keys, and generated clients make them up. An ordinary "
        "argument of that name would reach the handler, which would have to do both."
    ),
    example='{"inputSchema": {"type": "object", "properties": {"idempotency_key": {"type": "string"}}}}',
)

INSTANCES_TAKEN_OVER = DiagnosticKind(
    code="import/instances-taken-over",
    severity=Severity.NOTE,
    message="the argument `instance` of all tools becomes `service.instances`: {names}",
    hint="settings and credentials are then given for each instance",
    why=(
        "Where every tool requires the same choice of a target (a workspace, a region), the choice is the "
        "service's. The runtime adds the argument to each tool, takes it out again before the handler, and "
        "gives the handler the settings and credentials of that instance."
    ),
    example=(
        '{"tools": [{"name": "post", "inputSchema": {"type": "object", "required": ["instance"],'
        ' "properties": {"instance": {"type": "string", "enum": ["main", "staging"]}}}}]}'
    ),
)

BOUNDS_REWRITTEN = DiagnosticKind(
    code="import/bounds-rewritten",
    severity=Severity.NOTE,
    message="exclusive bounds in `{schema}` of `{tool}` are written as numbers",
    hint="nothing to do: the same values are valid",
    why="In draft-04 `exclusiveMinimum: true` stood beside `minimum`; since draft-06 it is the bound.",
    example='{"minimum": 0, "exclusiveMinimum": true}',
)

SUPPRESSED = DiagnosticKind(
    code="import/suppressed",
    severity=Severity.WARNING,
    message="`{code}` is suppressed for {what}: {problem}",
    hint="fix it and delete the suppression under `x-toolspec-allow`",
    why=(
        "A rule of the project refuses what the server declares. The document compiles with a "
        "suppression, which names the import as its reason."
    ),
    example='{"properties": {"confirm": {"type": "boolean", "default": true}}}',
)

FORMATS_ANNOTATED = DiagnosticKind(
    code="import/formats-annotated",
    severity=Severity.NOTE,
    message="`{tool}` gets `formats: annotate`: {problem}",
    hint="correct the value or its `format`, and delete `formats`",
    why=(
        "A default or an example of the tool is not of the format that its schema states, so the server "
        "does not check formats. With `formats: annotate` the tool keeps its meaning."
    ),
    example='{"properties": {"homepage": {"type": "string", "format": "uri", "default": ""}}}',
)

LEFT_OUT = DiagnosticKind(
    code="import/left-out",
    severity=Severity.ERROR,
    message="`{tool}` is left out: {problem}",
    hint="correct the tool in the list, and import it again",
    why="An import writes only what compiles. What is wrong with this tool cannot be rewritten safely.",
    example='{"tools": [{"name": "status", "inputSchema": {"type": "object", "required": 5}}]}',
)

INPUT_ROOT = DiagnosticKind(
    code="import/input-root",
    severity=Severity.NOTE,
    message="the input schema of `{tool}` now says `type: object`",
    hint="nothing to do: the arguments of a call are always an object",
    why=(
        "MCP asks for an object at the root of an input schema. Some servers leave the type out; "
        "here its absence would mean that a schema accepts things that are not objects."
    ),
    example='{"tools": [{"name": "status", "inputSchema": {}}]}',
)

INPUT_REPLACED = DiagnosticKind(
    code="import/input-replaced",
    severity=Severity.WARNING,
    message="the input schema of `{tool}` is {problem}, and any object is accepted in its place",
    hint="describe the arguments that the tool takes",
    why=(
        "The arguments of a call are an object, in MCP and here. What stood there is kept under "
        "`x-mcp` where there was something."
    ),
    example='{"tools": [{"name": "status", "inputSchema": {"type": "string"}}]}',
)

OUTPUT_UNKNOWN = DiagnosticKind(
    code="import/output-unknown",
    severity=Severity.NOTE,
    message="`{tool}` has no output schema, so its output is `true`: anything",
    hint="describe the result with an `outputSchema`, and callers get a type for it",
    why=(
        "MCP does not ask for an output schema, and most servers give none. The language asks for "
        "one; `true` is the way to say openly that there is none."
    ),
    example='{"tools": [{"name": "status", "inputSchema": {"type": "object"}}]}',
)

KEPT_ASIDE = DiagnosticKind(
    code="import/kept-aside",
    severity=Severity.NOTE,
    message="{what} of `{owner}` is kept under `x-mcp`: {problem}",
    hint="nothing to do: the MCP manifests carry it as it was",
    why=(
        "Servers send members that the language has no field for, or values that a field of the "
        "language does not take. Nothing of it is thrown away."
    ),
    example='{"tools": [{"name": "status", "_meta": {"tags": ["read"]}}]}',
)

NULL_LEFT_OUT = DiagnosticKind(
    code="import/null-left-out",
    severity=Severity.NOTE,
    message="{what} of `{owner}` is null and left out",
    hint="nothing to do: null there means the same as nothing",
    why="Some dumps write every member that a tool could have, and null for those that it has not.",
    example='{"tools": [{"name": "status", "outputSchema": null}]}',
)

MEMBERS_LEFT_OUT = DiagnosticKind(
    code="import/members-left-out",
    severity=Severity.NOTE,
    message="{members} of the dump say nothing about a service and are left out",
    hint="nothing to do",
    why="A dump can say how and when it was taken, and what the transport can do. A spec does not.",
    example='{"capabilities": {"tools": {}}, "tools": []}',
)

KINDS = (
    NO_TOOLS,
    BAD_SERVICE_NAME,
    NOT_A_TOOL,
    MORE_PAGES,
    SERVICE_RENAMED,
    VERSION_MADE_UP,
    SERVICE_DESCRIPTION_MADE_UP,
    TOOL_RENAMED,
    PREFIX_DROPPED,
    NO_DESCRIPTION,
    MUTATION_GUESSED,
    HINT_DROPPED,
    HINT_CONTRADICTED,
    INSTANCES_TAKEN_OVER,
    KEY_TAKEN_OVER,
    BOUNDS_REWRITTEN,
    SUPPRESSED,
    FORMATS_ANNOTATED,
    LEFT_OUT,
    INPUT_ROOT,
    INPUT_REPLACED,
    OUTPUT_UNKNOWN,
    KEPT_ASIDE,
    NULL_LEFT_OUT,
    MEMBERS_LEFT_OUT,
)
