"""Diagnostic kinds of imports from OpenAPI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import DiagnosticKind, Severity
from toolspec.syntax.kinds import KEY_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic

NOT_OPENAPI = DiagnosticKind(
    code="import/not-openapi",
    severity=Severity.ERROR,
    message="this is not a document of OpenAPI 3.0, 3.1 or 3.2: {problem}",
    hint="pass a file with `openapi: 3.x.y` and `paths`",
    why="The import reads the three versions of OpenAPI 3, as YAML or JSON.",
    example="openapi: 4.0.0\npaths: {}",
)

OLD_VERSION = DiagnosticKind(
    code="import/openapi-2",
    severity=Severity.ERROR,
    message="the document is of Swagger {version}, which is not imported",
    hint="convert it first: `npx swagger2openapi {file} --outfile openapi.yaml`",
    why="OpenAPI 3 replaced Swagger 2.0 in 2017. Converters exist, so the import does not read it.",
    example='swagger: "2.0"\npaths: {}',
)

NO_OPERATIONS = DiagnosticKind(
    code="import/no-operations",
    severity=Severity.ERROR,
    message="no operation of this document is imported",
    hint="check `--include` and `--exclude`, and `x-mcp: false` in the document",
    why="Each operation becomes a tool, and a service needs tools.",
    example="openapi: 3.1.0\npaths: {}",
)

BAD_RULE = DiagnosticKind(
    code="import/bad-rule",
    severity=Severity.ERROR,
    message="`{rule}` is not a rule: {problem}",
    hint="write methods, a path and effects: `--rule 'POST /search* read'`",
    why=(
        "A rule names methods (`POST`, `GET,HEAD` or `*`), a pattern of paths, and what these operations do: "
        "`read`, `write`, `destructive`, `idempotent` or `skip`."
    ),
    example="toolspec import openapi api.yaml --to specs --rule 'POST /search'",
)

REFERENCE_REFUSED = DiagnosticKind(
    code="import/reference-refused",
    severity=Severity.ERROR,
    message="the reference `{reference}` {reason}",
    hint="copy the file into the project and refer to it by a relative path",
    why=(
        "An import follows references to files inside the project only, and fetches nothing. A schema in "
        "the place of the reference accepts any value."
    ),
    example="schema: {$ref: '../../secrets.yaml'}",
)

MISSING_TARGET = DiagnosticKind(
    code="import/missing-target",
    severity=Severity.WARNING,
    message="the reference `{reference}` leads to nothing",
    hint="correct the reference; until then a schema in its place accepts any value",
    why="Published documents contain such mistakes. The rest of the document is imported.",
    example="schema: {$ref: '#/components/schemas/Missing'}",
)

REFERENCE_CYCLE = DiagnosticKind(
    code="import/reference-cycle",
    severity=Severity.ERROR,
    message="the reference `{reference}` leads back to itself",
    hint="let one of the references lead to a definition",
    why="A chain of references without an end defines nothing.",
    example="components: {schemas: {A: {$ref: '#/components/schemas/A'}}}",
)

MALFORMED = DiagnosticKind(
    code="import/malformed",
    severity=Severity.WARNING,
    message="{what} must be {expected}, and is left out",
    hint="correct the document, and import it again",
    why="The specification of OpenAPI defines the type of every field.",
    example="paths: {/pets: {get: {parameters: [limit]}}}",
)

NOT_IMPORTED = DiagnosticKind(
    code="import/not-imported",
    severity=Severity.NOTE,
    message="{what} of `{owner}`: {reason}",
    hint="nothing to do, unless the tool needs it",
    why="A tool is one call with a result. Whatever of an operation does not fit is listed, so that no loss is silent.",
    example="paths: {/pets: {post: {callbacks: {created: {}}}}}",
)

EFFECT_GUESSED = DiagnosticKind(
    code="import/effect-guessed",
    severity=Severity.NOTE,
    message="`{tool}` is imported as {effect}: {reason}",
    hint="{suggestion}",
    why=(
        "The methods of HTTP state what is safe and idempotent, except for POST. A POST may search, "
        "create or destroy, so the worst case is assumed until a person decides."
    ),
    example="paths: {/search: {post: {}}}",
)

SHORT_NAME = DiagnosticKind(
    code="import/short-name",
    severity=Severity.NOTE,
    message="`{name}` is short for `{origin}`, whose name would be longer than {limit} characters",
    hint="choose a better name; `source.member` keeps the operation",
    why="Model providers refuse names of more than 64 characters. A name that is cut off misleads, so words are left out.",
    example="operationId: listAllTheDelayedNotificationsOfEverySubscriptionOfAnAccount",
)

ARGUMENT_RENAMED = DiagnosticKind(
    code="import/argument-renamed",
    severity=Severity.NOTE,
    message="`{origin}` of `{tool}` becomes the argument `{name}`",
    hint="nothing to do: `http.in` keeps the name in the request",
    why="Names of arguments are unique in a tool, and consist of characters that every model provider accepts.",
    example="parameters: [{in: query, name: 'expand[]'}]",
)

BODY_ARGUMENT = DiagnosticKind(
    code="import/body-argument",
    severity=Severity.NOTE,
    message="the body of `{tool}` is one argument `{name}`: {reason}",
    hint="nothing to do",
    why="Members of a body are arguments of their own where their names are free and the body is a plain object.",
    example="requestBody: {content: {application/json: {schema: {type: array}}}}",
)

FILE_ARGUMENT = DiagnosticKind(
    code="import/file-argument",
    severity=Severity.NOTE,
    message="`{name}` of `{tool}` is the path of a file that `{pattern}` covers",
    hint="nothing to do: `permissions` of the tool decides which files are read",
    why="With `--files`, a caller names a file in place of its bytes, which a model can hardly write.",
    example="toolspec import openapi api.yaml --to specs --files '~/uploads/**'",
)

BODY_REQUIRED = DiagnosticKind(
    code="import/body-required",
    severity=Severity.NOTE,
    message="`{tool}` requires its body, which has required members but not `required: true`",
    hint="delete names from `required` if a call without a body makes sense",
    why="`required` of a request body is false by default, and is often forgotten.",
    example="requestBody: {content: {application/json: {schema: {type: object, required: [name]}}}}",
)

SERVER_UNUSABLE = DiagnosticKind(
    code="import/server",
    severity=Severity.WARNING,
    message="the setting `{setting}` has no default: {problem}",
    hint="give it in the document, or as a setting of the service",
    why="A relative URL is resolved against the address of the document, which an imported file no longer has.",
    example="servers: [{url: /api/v3}]",
)

SCHEME_REVIEW = DiagnosticKind(
    code="import/security-scheme",
    severity=Severity.WARNING,
    message="the security scheme `{scheme}` {problem}",
    hint="check `service.auth` and `http.security`",
    why=(
        "A service has one kind of credentials: OAuth with an authorization code, or fields. Mutual TLS, "
        "OpenID discovery and other flows of OAuth need a program."
    ),
    example="securitySchemes: {corporate: {type: mutualTLS}}",
)

DISCRIMINATOR = DiagnosticKind(
    code="import/discriminator",
    severity=Severity.NOTE,
    message="`{name}` is any of {subtypes} by its `{member}`, or `{name}` with other members",
    hint="delete the last branch of the union if these are all forms",
    why=(
        "Schemas extend a base with `allOf`, and a discriminator in the base names the member that selects one. "
        "References to the base become a union; OpenAPI does not say whether it has other forms."
    ),
    example="Pet: {discriminator: {propertyName: kind}}\nCat: {allOf: [{$ref: '#/components/schemas/Pet'}]}",
)

PAGING = DiagnosticKind(
    code="import/paging",
    severity=Severity.NOTE,
    message="`{tool}` returns a page of its results: {arguments}; {following}",
    hint="nothing to do: a caller asks for each page, and no page is fetched unasked",
    why=(
        "A model has to know that a result is a part of many, and how it gets the rest. What a header "
        "of the response says is not in the result."
    ),
    example="parameters: [{in: query, name: cursor}, {in: query, name: limit}]",
)

VALUE_DROPPED = DiagnosticKind(
    code="import/value-dropped",
    severity=Severity.NOTE,
    message="`{pointer}` is left out: {problem}",
    hint="correct it in the OpenAPI document, or write it anew",
    why="A document of an import compiles. A part that the compiler refuses, and that narrows or explains a schema only, is left out.",
    example="schema: {type: string, pattern: '('}",
)

CONFLICT = DiagnosticKind(
    code="import/conflict",
    severity=Severity.ERROR,
    message="`{what}` of `{owner}` changed in the document and upstream, to {upstream}",
    hint="compare both, and edit the document; an update reports each change once",
    why=(
        "An update takes over what changed upstream, except where the document was edited: there it stays "
        "as it is, and a person decides."
    ),
    example="toolspec import openapi api.yaml --to specs --update",
)

CALL_LEFT_OUT = DiagnosticKind(
    code="import/call-left-out",
    severity=Severity.WARNING,
    message="`{tool}` has no `http`: {problem}",
    hint="write a handler for it, or `http` by hand",
    why="Some operations cannot be stated as a request of the language. The tool is imported without the call.",
    example="paths: {'/#Action=List': {get: {}}}",
)

MANY_TOOLS = DiagnosticKind(
    code="import/many-tools",
    severity=Severity.NOTE,
    message="{count} tools cost a model about {tokens} tokens in every request",
    hint="import fewer with `--include` and `--exclude`; split them with `--group tag`",
    why="Models choose worse among many tools, and pay for each. A few that are chosen with care do more.",
    example="toolspec import openapi stripe.yaml --to specs",
)

APP_FAILED = DiagnosticKind(
    code="import/app",
    severity=Severity.ERROR,
    message="`{target}` gives no OpenAPI document: {reason}",
    hint="name a module and an application in it, as in `app.main:app`; it needs a method `openapi`",
    why="An argument `MODULE:APP` imports the module, which runs it, and calls `openapi()` of the application.",
    example="toolspec import openapi app.main:app --to specs",
)

KINDS = (
    NOT_OPENAPI,
    OLD_VERSION,
    NO_OPERATIONS,
    BAD_RULE,
    REFERENCE_REFUSED,
    MISSING_TARGET,
    REFERENCE_CYCLE,
    MALFORMED,
    NOT_IMPORTED,
    EFFECT_GUESSED,
    SHORT_NAME,
    ARGUMENT_RENAMED,
    BODY_ARGUMENT,
    FILE_ARGUMENT,
    BODY_REQUIRED,
    SERVER_UNUSABLE,
    DISCRIMINATOR,
    PAGING,
    SCHEME_REVIEW,
    VALUE_DROPPED,
    CONFLICT,
    CALL_LEFT_OUT,
    MANY_TOOLS,
    APP_FAILED,
)


def accepted(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a file that matter here: keys such as `200` are texts in OpenAPI."""
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.kind is not KEY_TYPE)
