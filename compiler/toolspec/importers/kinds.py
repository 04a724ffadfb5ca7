"""Diagnostic kinds of imports: guessed, changed and dropped values."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

NO_TOOLS = DiagnosticKind(
    code="import/no-tools",
    severity=Severity.ERROR,
    message="no list of tools in this file",
    hint="pass the response to `tools/list`, an object with `tools`, or the list of tools itself",
    why=(
        "An import reads a server's response to `tools/list`: the whole response, its result, a dump "
        "with `tools` beside `serverInfo`, or a bare list of tools."
    ),
    example='{"error": {"code": -32601, "message": "Method not found"}}',
)

NO_FUNCTIONS = DiagnosticKind(
    code="import/no-functions",
    severity=Severity.ERROR,
    message="no tool of a {provider} list in this file",
    hint="pass the list that goes to the provider as `tools`, a request with it, or one of its tools",
    why=(
        "Each provider has its own form of a tool. `toolspec import` has a command for each: `openai`, "
        "`anthropic`, `gemini`, `bedrock` and `mistral`, and `mcp-tools` for the lists of MCP servers."
    ),
    example='{"model": "gpt-6", "messages": []}',
)

LOST = DiagnosticKind(
    code="import/lost",
    severity=Severity.WARNING,
    message="`{member}` of `{owner}` is left out: {problem}",
    hint="write what it did into the description, the handler or the client, if it matters",
    why=(
        "A spec describes what a tool does. What a list says to one provider only, such as caching or "
        "deferred loading, has no field in it."
    ),
    example='{"tools": [{"name": "search", "input_schema": {}, "cache_control": {"type": "ephemeral"}}]}',
)

STRICT_NULL = DiagnosticKind(
    code="import/strict-null",
    severity=Severity.NOTE,
    message="`{member}` of `{owner}` {meaning}",
    hint="choose another meaning for all with `--strict-nulls optional`, `required` or `nullable`",
    why=(
        "A strict schema requires every property. An optional one accepts null, which then means that "
        "it is missing; a list does not say where null is a value."
    ),
    example=(
        '{"name": "search", "strict": true, "parameters": {"type": "object", "required": ["limit"],'
        ' "properties": {"limit": {"type": ["integer", "null"]}}}}'
    ),
)

NAO_NOT_A_TOOL = DiagnosticKind(
    code="import/not-a-nao-tool",
    severity=Severity.ERROR,
    message="the file is not a tool of Nao: its root is not an object",
    hint="pass the files in the folder `tools` of a Nao workspace",
    why="Nao reads one tool from each JSON file.",
    example='[{"name": "convert"}]',
)

UNKNOWN_MEMBER = DiagnosticKind(
    code="import/unknown-member",
    severity=Severity.ERROR,
    message="`{member}` is not a member of {owner}",
    hint="{suggestion}",
    why="Nao refuses a file with an unknown member, so that a misspelt one is not ignored.",
    example='{"name": "convert", "execution": {"type": "process", "command": "pandoc", "args": []}, "timeout": 5}',
)

MISSING_MEMBER = DiagnosticKind(
    code="import/missing-member",
    severity=Severity.ERROR,
    message="{owner} needs `{member}`",
    hint="add it, as Nao requires it",
    why="Nao refuses a file without it. A tool is executable unless its `kind` is `prompt`.",
    example='{"name": "convert", "kind": "executable"}',
)

WRONG_MEMBER = DiagnosticKind(
    code="import/wrong-member",
    severity=Severity.ERROR,
    message="`{member}` of {owner} {problem}",
    hint="correct the file until Nao loads it",
    why=(
        "Nao refuses such a file. A prompt is completed by a model, so it has no execution, no runtime, "
        "and nothing to verify or to revert."
    ),
    example='{"name": "summarize", "kind": "prompt", "prompt": {"role": "Editor"}, "revert": {"type": "process"}}',
)

BAD_SERVICE_NAME = DiagnosticKind(
    code="import/service-name",
    severity=Severity.ERROR,
    message="`{name}` cannot be the name of a service",
    hint="use `{legal}`, or another name of letters, digits and single hyphens",
    why=(
        "The name of a service has no underscore, so that the first underscore of a full tool name "
        "always separates service and tool."
    ),
    example="toolspec import mcp-tools dump.json --name my_service",
)

NOT_A_TOOL = DiagnosticKind(
    code="import/not-a-tool",
    severity=Severity.WARNING,
    message="entry {number} of the list is not a tool and is left out: {problem}",
    hint="every tool is an object with a `name`",
    why="Callers identify a tool by its name.",
    example='{"tools": [{"description": "A tool without a name"}]}',
)

MORE_PAGES = DiagnosticKind(
    code="import/more-pages",
    severity=Severity.WARNING,
    message="the list is incomplete: the server has more pages",
    hint="fetch the next page with this cursor, and import all pages as one list",
    why="A `nextCursor` beside the tools means that the response is one page of several.",
    example='{"tools": [], "nextCursor": "page2"}',
)

SERVICE_RENAMED = DiagnosticKind(
    code="import/service-renamed",
    severity=Severity.NOTE,
    message="the service is named `{name}`, after `{origin}`",
    hint="choose another name with `--name`",
    why=(
        "Service names consist of lower-case words and hyphens, and begin the name of every tool. "
        "Words such as `api`, `mcp` and `server` at the ends of a server's name add nothing and are "
        "dropped."
    ),
    example='{"serverInfo": {"name": "Slack MCP Server"}, "tools": []}',
)

VERSION_GENERATED = DiagnosticKind(
    code="import/version",
    severity=Severity.NOTE,
    message="the service gets version 0.1.0: {problem}",
    hint="set the version in the document",
    why="A service's version follows semantic versioning, three numbers with dots.",
    example='{"serverInfo": {"name": "git", "version": "2024a"}, "tools": []}',
)

SERVICE_DESCRIPTION_GENERATED = DiagnosticKind(
    code="import/service-description",
    severity=Severity.NOTE,
    message="the server has no description, so the service gets a generated one",
    hint="describe the purpose of the service in one sentence",
    why="People choose services by their descriptions. Few dumps have one.",
    example='{"serverInfo": {"name": "git"}, "tools": []}',
)

TOOL_RENAMED = DiagnosticKind(
    code="import/tool-renamed",
    severity=Severity.NOTE,
    message="`{origin}` becomes `{name}`",
    hint="the old name is kept as an alias or a `wireName`, else as `name` under `x-mcp`",
    why=(
        "Tool names consist of letters and digits with single `_` or `-` between them, so that every "
        "model provider accepts them. They are unique in a service."
    ),
    example='{"tools": [{"name": "notes.list", "inputSchema": {"type": "object"}}]}',
)

PREFIX_DROPPED = DiagnosticKind(
    code="import/prefix-dropped",
    severity=Severity.NOTE,
    message="`{origin}` becomes `{name}`: every full name begins with the service's name",
    hint="callers see `{full}`",
    why="With the prefix, callers would see the service's name twice.",
    example='{"serverInfo": {"name": "git"}, "tools": [{"name": "git_status"}]}',
)

NO_DESCRIPTION = DiagnosticKind(
    code="import/no-description",
    severity=Severity.WARNING,
    message="`{tool}` has no description and gets a placeholder",
    hint="describe what the tool does: models choose tools by their descriptions",
    why="A description is required, because a model cannot use a tool without knowing what it does.",
    example='{"tools": [{"name": "status", "inputSchema": {"type": "object"}}]}',
)

MUTATION_GUESSED = DiagnosticKind(
    code="import/mutation-guessed",
    severity=Severity.NOTE,
    message="`{tool}` is imported with `mutation: true`: nothing marks it as read-only",
    hint="write `mutation: false` if it only reads",
    why=(
        "Clients ask before they call a tool that changes something. Without `readOnlyHint` in the "
        "dump, the worst case is assumed, as in MCP."
    ),
    example='{"tools": [{"name": "status", "description": "Status."}]}',
)

HINT_DROPPED = DiagnosticKind(
    code="import/hint-dropped",
    severity=Severity.NOTE,
    message="`destructiveHint: true` of `{tool}` is dropped: the tool is read-only",
    hint="write `mutation: true` if the tool destroys something",
    why=(
        "In MCP, `destructiveHint` has a meaning only if `readOnlyHint` is false. In a spec, a "
        "destructive read-only tool is an error."
    ),
    example='{"annotations": {"readOnlyHint": true, "destructiveHint": true}}',
)

HINT_CLAIMED = DiagnosticKind(
    code="import/hint-claimed",
    severity=Severity.NOTE,
    message="`mutation` of `{tool}` is what the server claims with `readOnlyHint`",
    hint="check that it is true before you allow calls without approval",
    why="Hints are claims of the server. MCP asks clients not to trust those of unknown servers.",
    example='{"tools": [{"name": "status", "annotations": {"readOnlyHint": true}}]}',
)

HINT_CONTRADICTED = DiagnosticKind(
    code="import/hint-contradicted",
    severity=Severity.NOTE,
    message="`readOnlyHint` of `{tool}` is dropped: it contradicts `mutation`",
    hint="check which of the two is right",
    why="`readOnlyHint` is derived from `mutation`; a contradiction is an error.",
    example='{"name": "status", "mutation": true, "annotations": {"readOnlyHint": true}}',
)

KEY_TAKEN_OVER = DiagnosticKind(
    code="import/key-taken-over",
    severity=Severity.NOTE,
    message="the argument `idempotency_key` of `{tool}` becomes its field `idempotency`",
    hint="callers see the same argument; the runtime answers a repeated key without running the handler again",
    why=(
        "With the field, the runtime stores the keys and generated clients create them. An ordinary "
        "argument of that name would leave both to the handler."
    ),
    example='{"inputSchema": {"type": "object", "properties": {"idempotency_key": {"type": "string"}}}}',
)

INSTANCES_TAKEN_OVER = DiagnosticKind(
    code="import/instances-taken-over",
    severity=Severity.NOTE,
    message="the argument `instance` of all tools becomes `service.instances`: {names}",
    hint="pass settings and credentials for each instance",
    why=(
        "If every tool requires the same choice of a target (a workspace, a region), the choice belongs to "
        "the service. The runtime adds the argument to each tool, removes it before it calls the handler, "
        "and passes the settings and credentials of that instance."
    ),
    example=(
        '{"tools": [{"name": "post", "inputSchema": {"type": "object", "required": ["instance"],'
        ' "properties": {"instance": {"type": "string", "enum": ["main", "staging"]}}}}]}'
    ),
)

BOUNDS_REWRITTEN = DiagnosticKind(
    code="import/bounds-rewritten",
    severity=Severity.NOTE,
    message="exclusive bounds in `{schema}` of `{tool}` become numbers",
    hint="nothing to do: the same values are valid",
    why="In draft-04, `exclusiveMinimum: true` modifies `minimum`; since draft-06 it is the bound itself.",
    example='{"minimum": 0, "exclusiveMinimum": true}',
)

SUPPRESSED = DiagnosticKind(
    code="import/suppressed",
    severity=Severity.WARNING,
    message="`{code}` is suppressed for {what}: {problem}",
    hint="fix it and delete the suppression under `x-toolspec-allow`",
    why=(
        "A rule of the project rejects the server's declaration. The import writes a suppression with "
        "its reason, so that the document compiles."
    ),
    example='{"properties": {"confirm": {"type": "boolean", "default": true}}}',
)

FORMATS_ANNOTATED = DiagnosticKind(
    code="import/formats-annotated",
    severity=Severity.NOTE,
    message="`{tool}` gets `formats: annotate`: {problem}",
    hint="correct the value or its `format`, and delete `formats`",
    why=(
        "A default or an example of the tool does not match the format of its schema, so the server does "
        "not check formats. With `formats: annotate`, the runtime does not either."
    ),
    example='{"properties": {"homepage": {"type": "string", "format": "uri", "default": ""}}}',
)

LEFT_OUT = DiagnosticKind(
    code="import/left-out",
    severity=Severity.ERROR,
    message="`{tool}` is left out: {problem}",
    hint="correct the tool in the list, and import it again",
    why="An import writes only documents that compile. The error in this tool cannot be fixed safely.",
    example='{"tools": [{"name": "status", "inputSchema": {"type": "object", "required": 5}}]}',
)

INPUT_ROOT = DiagnosticKind(
    code="import/input-root",
    severity=Severity.NOTE,
    message="the input schema of `{tool}` gets `type: object`",
    hint="nothing to do: the arguments of a call are always an object",
    why=(
        "MCP requires an object at the root of an input schema. Some servers leave the type out, and "
        "the schema would accept values that are not objects."
    ),
    example='{"tools": [{"name": "status", "inputSchema": {}}]}',
)

INPUT_REPLACED = DiagnosticKind(
    code="import/input-replaced",
    severity=Severity.WARNING,
    message="the input schema of `{tool}` is {problem}; any object is accepted instead",
    hint="describe the arguments that the tool takes",
    why=(
        "The arguments of a call are an object. The original schema, if any, is kept under `x-mcp`."
    ),
    example='{"tools": [{"name": "status", "inputSchema": {"type": "string"}}]}',
)

OUTPUT_UNKNOWN = DiagnosticKind(
    code="import/output-unknown",
    severity=Severity.NOTE,
    message="`{tool}` has no output schema and gets `outputSchema: true`",
    hint="describe the result in `outputSchema`, so that callers get a type",
    why=(
        "In MCP an output schema is optional, and most servers have none. In a spec it is required; "
        "`true` accepts any result."
    ),
    example='{"tools": [{"name": "status", "inputSchema": {"type": "object"}}]}',
)

KEPT_ASIDE = DiagnosticKind(
    code="import/kept-aside",
    severity=Severity.NOTE,
    message="{what} of `{owner}` is kept under `x-mcp`: {problem}",
    hint="nothing to do: the MCP manifests contain it unchanged",
    why=(
        "Servers send members and values that no field of a spec accepts. They are kept, so that "
        "nothing is lost."
    ),
    example='{"tools": [{"name": "status", "_meta": {"tags": ["read"]}}]}',
)

NULL_LEFT_OUT = DiagnosticKind(
    code="import/null-left-out",
    severity=Severity.NOTE,
    message="{what} of `{owner}` is null and is left out",
    hint="nothing to do: null means the same as a missing member",
    why="Some dumps contain every possible member of a tool, with null for the missing ones.",
    example='{"tools": [{"name": "status", "outputSchema": null}]}',
)

MEMBERS_LEFT_OUT = DiagnosticKind(
    code="import/members-left-out",
    severity=Severity.NOTE,
    message="{members} of the list do not describe the service and are left out",
    hint="nothing to do",
    why="A list can come with facts about its origin, its transport or the request that it is for. A spec has no fields for them.",
    example='{"capabilities": {"tools": {}}, "tools": []}',
)

KINDS = (
    NO_TOOLS,
    NO_FUNCTIONS,
    NAO_NOT_A_TOOL,
    UNKNOWN_MEMBER,
    MISSING_MEMBER,
    WRONG_MEMBER,
    LOST,
    STRICT_NULL,
    BAD_SERVICE_NAME,
    NOT_A_TOOL,
    MORE_PAGES,
    SERVICE_RENAMED,
    VERSION_GENERATED,
    SERVICE_DESCRIPTION_GENERATED,
    TOOL_RENAMED,
    PREFIX_DROPPED,
    NO_DESCRIPTION,
    MUTATION_GUESSED,
    HINT_DROPPED,
    HINT_CLAIMED,
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
