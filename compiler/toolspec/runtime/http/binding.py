"""HTTP request of a tool, as compiled from its spec."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Place: TypeAlias = Literal["path", "query", "querystring", "header", "cookie", "body"]
    Style: TypeAlias = Literal[
        "",
        "simple",
        "label",
        "matrix",
        "form",
        "spaceDelimited",
        "pipeDelimited",
        "deepObject",
        "cookie",
    ]
    Nulls: TypeAlias = Literal["send", "omit", "empty"]
    Alternative: TypeAlias = tuple[tuple[str, str, str], ...] | None


class HttpArgument(Record):
    """Position of an argument. `name` is empty where it is that of the argument."""

    argument: str
    place: Place
    name: str = ""
    style: Style = ""
    explode: bool = False
    allow_reserved: bool = False
    content_type: str = ""
    nulls: Nulls = "omit"
    is_base64: bool = False
    """Whether texts of the value are base64 of bytes."""
    is_json: bool = False
    """Whether a text is JSON already, and so is the body as it is."""
    is_file: bool = False
    """Whether the value is the path of a file, or several, whose bytes are sent."""

    @property
    def wire_name(self) -> str:
        """The name in the request."""
        return self.name or self.argument


class HttpBinding(Record):
    """Request that does a tool's work.

    `server` has names of settings in braces, `path` names of path arguments. `security` has
    alternatives: each is the fields of the credentials with place and name, or None for a scheme
    that only a program can apply. With `body_argument` that argument is the whole body, else the body
    is an object of all arguments in it. `content_type` is empty without a body.
    """

    method: str
    path: str
    server: str
    accept: str
    security: tuple[Alternative, ...] = ()
    arguments: tuple[HttpArgument, ...] = ()
    body_argument: str = ""
    body_binary: tuple[str, ...] = ()
    """Members of the body argument that are base64 of bytes, where each is a field of a form."""
    content_type: str = ""
