"""What goes wrong: ToolError with its categories and wire form, and the errors of setting up."""

from __future__ import annotations

from toolspec.runtime.record import Record
from toolspec.runtime.values import NotJsonError, copied
from toolspec.shared.error_categories import CATEGORIES
from toolspec.shared.json_values import one_line

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self, TypedDict, TypeGuard, Unpack

    from toolspec.shared.error_categories import Category
    from toolspec.shared.json_values import JsonObject, JsonValue

    class ErrorOptions(TypedDict, total=False):
        """What every factory of ToolError takes besides its message."""

        code: str
        retryable: bool
        retry_after_ms: int
        field_errors: Sequence[FieldError]
        details: Mapping[str, object]


_OPTIONAL = ("field_errors", "details", "retry_after_ms")
"""Members of the wire form that are there where there is something to say."""

_LONGEST_WAIT = 2**53
"""Milliseconds; what another program asks for beyond that is no number for every reader of JSON."""

_PASSING = frozenset(("rate_limit", "unavailable"))
"""Categories in which a repeat may help whatever the tool does."""


class FieldError(Record):
    """One wrong place in a value: its path (`$.a.b[0]`), the keyword it breaks, and a sentence."""

    path: str
    code: str
    message: str

    def to_wire(self) -> JsonObject:
        """Return the machine form."""
        fields = {"path": self.path, "code": self.code, "message": self.message}
        return {name: one_line(text) for name, text in fields.items()}


class ToolError(Exception):
    """A failure that its caller may read: handlers raise it, every transport sends it alike.

    `retryable` left open follows the category: true for rate_limit and unavailable; for timeout
    true where repeating the tool is safe; false for all others. `request_id` is filled in when the
    error leaves a call. `details` holds JSON values.
    """

    def __init__(  # noqa: PLR0913 - the fields of an error, by keyword
        self,
        code: str,
        message: str,
        category: Category = "internal",
        *,
        retryable: bool | None = None,
        retry_after_ms: int | None = None,
        field_errors: Sequence[FieldError] = (),
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = str(message)  # `ToolError.conflict(problem)` is a common slip
        self.category: Category = category
        self.retry_after_ms = retry_after_ms
        self.field_errors = tuple(field_errors)
        self.details = dict(details or {})
        self.request_id = ""
        self._stated = retryable

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later, as far as the error itself knows."""
        return self.category in _PASSING if self._stated is None else self._stated

    @property
    def retryable_stated(self) -> bool:
        """Whether the one who raised it said if a repeat may help."""
        return self._stated is not None

    def sent(self, request_id: str, retryable: bool) -> Self:
        """Return a copy for the caller of one request.

        A copy, because a handler may raise one constant in many calls at a time.
        """
        copy = type(self).__new__(type(self), *self.args)
        copy.__dict__.update(self.__dict__)
        copy.request_id = request_id
        copy._stated = retryable  # noqa: SLF001 - of its own class
        copy.__cause__ = self.__cause__
        return copy.with_traceback(self.__traceback__)

    def __str__(self) -> str:
        request = f", request {self.request_id}" if self.request_id else ""
        return one_line(f"{self.message} ({self.code}{request})")

    def to_wire(self) -> JsonObject:
        """Return the one form for all transports: `text`, a line for people, and `error`.

        It is JSON whatever the error was made of.
        """
        error: JsonObject = {
            "code": one_line(self.code),
            "category": CATEGORIES.get(self.category, "internal"),
            "message": one_line(self.message),
            "retryable": self.retryable,
            "request_id": self.request_id,
        }
        if _is_wait(self.retry_after_ms):
            error["retry_after_ms"] = self.retry_after_ms
        if self.field_errors:
            error["field_errors"] = [field.to_wire() for field in self.field_errors]
        if self.details:
            error["details"] = _sendable(self.details)
        return {"text": str(self), "error": error}

    @classmethod
    def from_wire(cls, wire: JsonObject) -> Self:
        """Return the error that has this wire form; what is left out or odd is as in `internal`."""
        found = wire.get("error")
        error = found if isinstance(found, dict) else {}
        fields, details, wait = (error.get(name) for name in _OPTIONAL)
        copy = cls(
            one_line(str(error.get("code", "internal"))),
            str(error.get("message", "")),
            CATEGORIES.get(str(error.get("category")), "internal"),
            retryable=error.get("retryable") is True,
            retry_after_ms=wait if _is_wait(wait) else None,
            field_errors=_fields(fields if isinstance(fields, list) else []),
            details=details if isinstance(details, dict) else None,
        )
        copy.request_id = one_line(str(error.get("request_id", "")))
        return copy

    @classmethod
    def auth(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the caller is not signed in, or not as somebody who may call this."""
        return cls._of("auth", message, options)

    @classmethod
    def permission(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: a resource was asked for and refused."""
        return cls._of("permission", message, options)

    @classmethod
    def not_found(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: what the call names does not exist."""
        return cls._of("not_found", message, options)

    @classmethod
    def validation(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the arguments are wrong."""
        return cls._of("validation", message, options)

    @classmethod
    def conflict(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the state of things does not allow the call."""
        return cls._of("conflict", message, options)

    @classmethod
    def rate_limit(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: too many calls; `retry_after_ms` says when to come back."""
        return cls._of("rate_limit", message, options)

    @classmethod
    def timeout(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: it took too long."""
        return cls._of("timeout", message, options)

    @classmethod
    def unavailable(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: something that the tool needs is not there at the moment."""
        return cls._of("unavailable", message, options)

    @classmethod
    def cancelled(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the work was called off."""
        return cls._of("cancelled", message, options)

    @classmethod
    def verification(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the tool ran, and its own check says that it did not do its work."""
        return cls._of("verification", message, options)

    @classmethod
    def output(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the handler's answer is not what the spec promises."""
        return cls._of("output", message, options)

    @classmethod
    def internal(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: a defect of the service, told without its inside."""
        return cls._of("internal", message, options)

    @classmethod
    def _of(cls, category: Category, message: str, options: ErrorOptions) -> Self:
        return cls(
            options.get("code", category),
            message,
            category,
            retryable=options.get("retryable"),
            retry_after_ms=options.get("retry_after_ms"),
            field_errors=options.get("field_errors", ()),
            details=options.get("details"),
        )


def not_implemented(full_name: str) -> ToolError:
    """Return the error with which a stub answers: nobody has written this handler yet."""
    return ToolError(
        "not_implemented",
        f"`{full_name}` is not implemented",
        "unavailable",
        retryable=False,
        details={"tool": full_name},
    )


class BindError(Exception):
    """Handlers, hooks or settings do not fit their service: every problem, one line each."""

    def __init__(self, heading: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join((heading, *(f"  - {problem}" for problem in problems))))


class RuntimeVersionError(ImportError):
    """Generated code and this runtime do not fit together; the message names both versions."""


def _fields(given: list[JsonValue]) -> list[FieldError]:
    return [
        FieldError(**{name: str(one.get(name, "")) for name in ("path", "code", "message")})
        for one in given
        if isinstance(one, dict)
    ]


def _is_wait(given: object) -> TypeGuard[int]:
    return type(given) is int and 0 <= given <= _LONGEST_WAIT


def _sendable(details: dict[str, object]) -> JsonValue:
    """Return details as JSON; a member that is none is left out rather than lose the error."""
    kept: JsonObject = {}
    for key, value in details.items():
        name = one_line(key)
        try:
            kept[name] = copied(value)
        except NotJsonError as problem:
            kept[name] = f"(left out: {problem.reason})"
    return kept
