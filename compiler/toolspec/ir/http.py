"""HTTP request of a tool: where its arguments and credentials go."""

from __future__ import annotations

from enum import StrEnum

from toolspec.shared.records import dataclass


class HttpPlace(StrEnum):
    """Part of a request that carries an argument."""

    PATH = "path"
    QUERY = "query"
    QUERYSTRING = "querystring"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"


class HttpStyle(StrEnum):
    """Serialization of arrays and objects, as in OpenAPI."""

    SIMPLE = "simple"
    LABEL = "label"
    MATRIX = "matrix"
    FORM = "form"
    SPACE_DELIMITED = "spaceDelimited"
    PIPE_DELIMITED = "pipeDelimited"
    DEEP_OBJECT = "deepObject"
    COOKIE = "cookie"


class HttpNulls(StrEnum):
    """Serialization of null: JSON's, nothing, or an empty value."""

    SEND = "send"
    OMIT = "omit"
    EMPTY = "empty"


class CredentialPlace(StrEnum):
    """Part of a request that carries a credential."""

    HEADER = "header"
    QUERY = "query"
    COOKIE = "cookie"
    BEARER = "bearer"
    BASIC_USERNAME = "basicUsername"
    BASIC_PASSWORD = "basicPassword"  # noqa: S105 - a position


@dataclass(frozen=True, slots=True)
class HttpArgument:
    """Position of an argument; `style` is None where `content_type` or JSON decides."""

    argument: str
    place: HttpPlace
    name: str
    style: HttpStyle | None = None
    explode: bool = False
    allow_reserved: bool = False
    content_type: str = ""
    nulls: HttpNulls = HttpNulls.OMIT
    is_base64: bool = False
    """Whether texts of the value are base64 of bytes."""
    is_json: bool = False
    """Whether texts of the value are JSON already, as `contentMediaType` says."""
    is_file: bool = False
    """Whether the value is the path of a file, or several, whose bytes are sent."""


@dataclass(frozen=True, slots=True)
class HttpBody:
    """Body of a request: one argument, or an object of all that go into it if `argument` is empty.

    `binary` are the members of that one argument whose texts are base64 of bytes, where each member is
    a field of a form.
    """

    argument: str = ""
    content_type: str = "application/json"
    binary: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HttpCredential:
    """Position of a field of the credentials; `name` is empty for bearer tokens and basic."""

    field: str
    place: CredentialPlace
    name: str = ""


@dataclass(frozen=True, slots=True)
class HttpSecurity:
    """Credentials that are sent together; `custom` for a scheme that only a program can apply."""

    credentials: tuple[HttpCredential, ...] = ()
    custom: bool = False


@dataclass(frozen=True, slots=True)
class HttpBinding:
    """Request that does a tool's work. `security` has alternatives, the preferred one first.

    `server` is a URL with names of settings in braces, `path` has names of path arguments.
    `arguments` has every declared argument of the handler, and `idempotency_key` where it is sent.
    """

    method: str
    path: str
    server: str
    accept: str
    security: tuple[HttpSecurity, ...] = ()
    arguments: tuple[HttpArgument, ...] = ()
    body: HttpBody | None = None
