"""Diagnostic kinds of HTTP requests: arguments, placeholders, credentials and servers that do not fit."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNBOUND_PLACEHOLDER = DiagnosticKind(
    code="http/unbound-placeholder",
    severity=Severity.ERROR,
    message="no argument fills `{{{name}}}` of the path",
    hint="{suggestion}",
    why="The request would be sent to a path with braces in it.",
    example="http: {method: GET, path: '/users/{id}'}\ninputSchema: {type: object}",
)

UNUSED_PATH_ARGUMENT = DiagnosticKind(
    code="http/unused-path-argument",
    severity=Severity.ERROR,
    message="`{{{name}}}` of the argument `{argument}` is not in the path",
    hint="write `{{{name}}}` into `path`, or put the argument somewhere else",
    why="A caller's argument would be ignored.",
    example="http: {method: GET, path: /users, in: {id: {in: path}}}",
)

OPTIONAL_PATH_ARGUMENT = DiagnosticKind(
    code="http/optional-path-argument",
    severity=Severity.ERROR,
    message="the path needs the argument `{argument}`, which is optional",
    hint="list `{argument}` in `required`, or give it a `default`",
    why="Without the argument the path would be another one, and so the operation.",
    example=(
        "http: {method: DELETE, path: '/users/{id}'}\n"
        "inputSchema: {type: object, properties: {id: {type: string}}}"
    ),
)

UNKNOWN_ARGUMENT = DiagnosticKind(
    code="http/unknown-argument",
    severity=Severity.ERROR,
    message="`inputSchema` has no argument `{argument}`",
    hint="{suggestion}",
    why="The request would lack it in every call.",
    example="http: {method: GET, path: /users, in: {pge: {in: query}}}",
)

SHARED_POSITION = DiagnosticKind(
    code="http/shared-position",
    severity=Severity.ERROR,
    message="the arguments `{argument}` and `{other}` are both `{name}` in the {place}",
    hint="give one of them another `name` or `in`",
    why="The server would take one of the values, and another server or proxy the other.",
    example="http: {method: GET, path: /users, in: {page: {name: p}, part: {name: p}}}",
)

BAD_NAME = DiagnosticKind(
    code="http/bad-name",
    severity=Severity.ERROR,
    message="`{name}` of the argument `{argument}` cannot name a {place}",
    hint="write `name` with letters, digits and `-`",
    why="Names of headers and cookies are tokens of HTTP; others would end or split a header.",
    example="http: {method: GET, path: /users, in: {user agent: {in: header}}}",
)

FORBIDDEN_HEADER = DiagnosticKind(
    code="http/forbidden-header",
    severity=Severity.ERROR,
    message="the argument `{argument}` sets the header `{name}`",
    hint="{suggestion}",
    why=(
        "Whoever calls the tool, often a model, would choose the host that gets the request, the "
        "credentials in it, or where it ends."
    ),
    example="http: {method: GET, path: /users, in: {token: {in: header, name: Authorization}}}",
)

CREDENTIAL_ARGUMENT = DiagnosticKind(
    code="http/credential-argument",
    severity=Severity.ERROR,
    message="the argument `{argument}` replaces the credential `{field}`: both are `{name}` in the {place}",
    hint="delete the argument; `security` sets it",
    why="Whoever calls the tool, often a model, would choose the credentials.",
    example=(
        "http:\n  method: GET\n  path: /users\n  in: {key: {in: header, name: X-API-Key}}\n"
        "  security: [{apiKey: {in: header, name: X-API-Key}}]"
    ),
)

UNKNOWN_CREDENTIAL = DiagnosticKind(
    code="http/unknown-credential",
    severity=Severity.ERROR,
    message="the credentials of the service have no field `{name}`",
    hint="{suggestion}",
    why="The alternative could never be used.",
    example=(
        "auth: {type: custom, fields: {type: object, properties: {apiKey: {type: string}}}}\n"
        "http: {method: GET, path: /users, security: [{key: {in: bearer}}]}"
    ),
)

INCOMPATIBLE_CREDENTIALS = DiagnosticKind(
    code="http/incompatible-credentials",
    severity=Severity.ERROR,
    message="the alternative {reason}",
    hint="write alternatives as entries of their own; basic needs `basicUsername` and `basicPassword`",
    why="A request has one header `Authorization`, and one header, parameter or cookie of a name.",
    example="security: [{token: {in: bearer}, user: {in: basicUsername}}]",
)

UNKNOWN_SETTING = DiagnosticKind(
    code="http/unknown-setting",
    severity=Severity.ERROR,
    message="`server` needs the setting `{name}`, which is not a text or integer of the service",
    hint="{suggestion}",
    why="The request would have no host.",
    example="settings: {type: object}\nhttp: {method: GET, path: /users}",
)

BODY_OF_READ = DiagnosticKind(
    code="http/body-not-allowed",
    severity=Severity.ERROR,
    message="a {method} request has no body, and {reason}",
    hint="put the argument into the query, or use another method",
    why="Servers and proxies ignore the body of such a request, or refuse it.",
    example="http: {method: GET, path: /users, in: {filter: {in: body}}}",
)

BODY_CONFLICT = DiagnosticKind(
    code="http/body-conflict",
    severity=Severity.ERROR,
    message="the argument `{argument}` is in a body that {reason}",
    hint="{suggestion}",
    why="The argument would not be sent.",
    example="http: {method: PUT, path: /a, body: {argument: text}, in: {more: {in: body}}}",
)

UNFIT_STYLE = DiagnosticKind(
    code="http/unfit-style",
    severity=Severity.ERROR,
    message="`{member}: {value}` does not fit the {place}",
    hint="{suggestion}",
    why="OpenAPI defines each style for some parts of a request; others have no meaning.",
    example="http: {method: GET, path: /users, in: {ids: {in: query, style: simple}}}",
)

QUERY_CONFLICT = DiagnosticKind(
    code="http/query-conflict",
    severity=Severity.ERROR,
    message="the argument `{argument}` is the whole query, and {reason}",
    hint="{suggestion}",
    why="One value is written as the query. What else were in it would be read as a part of that value.",
    example=(
        "http:\n  method: GET\n  path: /users\n"
        "  in: {filter: {in: querystring, contentType: application/json}, page: {in: query}}"
    ),
)

UNFIT_FILE = DiagnosticKind(
    code="http/unfit-file",
    severity=Severity.ERROR,
    message="the argument `{argument}` cannot be the path of a file: {reason}",
    hint="{suggestion}",
    why=(
        "Whoever calls the tool, often a model, names a file of the machine that runs it. It is read "
        "only where a permission allows it, and sent as bytes."
    ),
    example="http: {method: POST, path: /photos, body: {contentType: multipart/form-data}, in: {photo: {file: true}}}",
)

KINDS = (
    UNBOUND_PLACEHOLDER,
    UNUSED_PATH_ARGUMENT,
    OPTIONAL_PATH_ARGUMENT,
    UNKNOWN_ARGUMENT,
    SHARED_POSITION,
    BAD_NAME,
    FORBIDDEN_HEADER,
    CREDENTIAL_ARGUMENT,
    UNKNOWN_CREDENTIAL,
    INCOMPATIBLE_CREDENTIALS,
    UNKNOWN_SETTING,
    BODY_OF_READ,
    BODY_CONFLICT,
    UNFIT_STYLE,
    QUERY_CONFLICT,
    UNFIT_FILE,
)
