"""Requests of a handler to its client, their results, and the callbacks that answer them."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Literal, Protocol, TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    Action: TypeAlias = Literal["accept", "decline", "cancel"]
    LogLevel: TypeAlias = Literal[
        "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"
    ]
    ElicitCallback: TypeAlias = Callable[["FormRequest"], "ElicitResult | Awaitable[ElicitResult]"]
    UrlCallback: TypeAlias = Callable[["UrlRequest"], "ElicitResult | Awaitable[ElicitResult]"]
    SampleCallback: TypeAlias = Callable[
        ["SampleRequest"], "SampleResult | Awaitable[SampleResult]"
    ]
    RootsCallback: TypeAlias = Callable[
        ["RootsRequest"], "Sequence[Root] | Awaitable[Sequence[Root]]"
    ]
    LogCallback: TypeAlias = Callable[["LogMessage"], None]

    class Callbacks(Protocol):
        """The callbacks of a client; None for a capability that it lacks."""

        @property
        def elicit(self) -> ElicitCallback | None:
            """Answers forms."""

        @property
        def elicit_url(self) -> UrlCallback | None:
            """Answers requests to open a page."""

        @property
        def sample(self) -> SampleCallback | None:
            """Answers requests to the client's model."""

        @property
        def roots(self) -> RootsCallback | None:
            """Returns the roots."""

        @property
        def log(self) -> LogCallback | None:
            """Receives log messages."""


class FormRequest(Record):
    """A form for the user: `schema` describes its fields, `key` is the handler's name for it."""

    message: str
    schema: JsonObject
    tool: str = ""
    key: str = ""


class UrlRequest(Record):
    """A page that the user is asked to open, for secrets, payments and sign-ins."""

    message: str
    url: str
    tool: str = ""
    key: str = ""


class ElicitResult(Record):
    """The user's response; `content` has the fields of an accepted form, validated."""

    action: Action
    content: JsonObject = {}  # noqa: RUF012 - a default like that of any other field

    @property
    def accepted(self) -> bool:
        """Whether the user accepted."""
        return self.action == "accept"


class SampleRequest(Record):
    """Messages for the client's model, each with `role` and `content` as in MCP."""

    messages: tuple[JsonObject, ...]
    max_tokens: int
    system_prompt: str = ""
    temperature: float | None = None
    stop_sequences: tuple[str, ...] = ()
    tool: str = ""
    key: str = ""


class SampleResult(Record):
    """The message of the client's model; `content` is one block as in MCP."""

    content: JsonObject
    model: str
    role: str = "assistant"
    stop_reason: str = ""

    @property
    def text(self) -> str:
        """The text of the message; empty for an image or a sound."""
        text = self.content.get("text")
        return text if isinstance(text, str) else ""


class RootsRequest(Record):
    """A request for the client's roots."""

    tool: str = ""
    key: str = ""


class Root(Record):
    """A folder or file (`file://…`) that the client works in."""

    uri: str
    name: str = ""


class LogMessage(Record):
    """A log message for the client; `data` is any JSON value, `logger` the tool's name."""

    level: LogLevel
    data: JsonValue
    logger: str = ""


class ClientCallbacks(Record):
    """Answers to what a handler asks of its client; None for what this client does not offer.

    All but `log` may be async. A callback that fails counts as `cancel`, or as unavailable.
    """

    elicit: ElicitCallback | None = None
    elicit_url: UrlCallback | None = None
    sample: SampleCallback | None = None
    roots: RootsCallback | None = None
    log: LogCallback | None = None


LOG_LEVELS: tuple[LogLevel, ...] = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)
"""In order of severity."""
