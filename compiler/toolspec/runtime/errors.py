"""ToolError with its categories and wire form, and errors of binding and importing."""

from __future__ import annotations

from toolspec.runtime.record import Record
from toolspec.runtime.values import NotJsonError, copied
from toolspec.shared.error_categories import CATEGORIES
from toolspec.shared.json_values import one_line

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self, TypeAlias, TypedDict, TypeGuard, Unpack

    from toolspec.shared.error_categories import Category
    from toolspec.shared.json_values import JsonObject, JsonValue

    class ErrorOptions(TypedDict, total=False):
        """Options of every ToolError factory besides the message."""

        code: str
        retryable: bool
        retry_after_ms: int
        field_errors: Sequence[FieldError]
        details: Mapping[str, object]

    Reduced: TypeAlias = tuple[Callable[..., BaseException], tuple[object, ...], dict[str, object]]


_OPTIONAL = ("field_errors", "details", "retry_after_ms")
"""Members of the wire form that are omitted when empty."""

_LONGEST_WAIT = 2**53
"""Milliseconds; not every JSON reader keeps larger numbers exact."""

_RETRYABLE = frozenset(("rate_limit", "unavailable"))
"""Categories in which a retry may succeed for any tool."""


def reduced(error: BaseException) -> Reduced:
    """Return what `__reduce__` of an exception returns, so that a copy has every field.

    For exceptions whose `__init__` cannot be called with `args`, as `copy` and `pickle` do by
    default. A process pool ends for good if it cannot unpickle the exception of a job.
    """
    return _with_arguments, (type(error), error.args), vars(error)


def _with_arguments(kind: type[BaseException], arguments: tuple[object, ...]) -> BaseException:
    return kind.__new__(kind, *arguments)


class FieldError(Record):
    """An error at one location in a value: path (`$.a.b[0]`), failed keyword, and message."""

    path: str
    code: str
    message: str

    def to_wire(self) -> JsonObject:
        """Return the error as JSON."""
        fields = {"path": self.path, "code": self.code, "message": self.message}
        return {name: one_line(text) for name, text in fields.items()}


class ToolError(Exception):
    """A failure reported to the caller; handlers raise it, and every transport sends it.

    `retryable` defaults by category: true for rate_limit and unavailable; for timeout true if
    repeating the tool is safe; false otherwise. `request_id` is set when the error leaves a call.
    `details` holds JSON values.
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
        self.message = str(message)  # `ToolError.conflict(problem)` is a common mistake
        super().__init__(self.message)
        self.code = code
        self.category: Category = category
        self.retry_after_ms = retry_after_ms
        self.field_errors = tuple(field_errors)
        self.details = dict(details or {})
        self.request_id = ""
        self._explicit_retryable = retryable

    @property
    def retryable(self) -> bool:
        """Whether a retry may succeed: the explicit value, or that of the category."""
        return (
            self.category in _RETRYABLE
            if self._explicit_retryable is None
            else self._explicit_retryable
        )

    @property
    def retryable_stated(self) -> bool:
        """Whether `retryable` was passed explicitly."""
        return self._explicit_retryable is not None

    def sent(self, request_id: str, retryable: bool) -> Self:
        """Return a copy for the caller of one request.

        A copy, because a handler may raise the same error object in concurrent calls.
        """
        copy = type(self).__new__(type(self), *self.args)
        copy.__dict__.update(self.__dict__)
        copy.request_id = request_id
        copy._explicit_retryable = retryable  # noqa: SLF001 - same class
        copy.__cause__ = self.__cause__
        return copy.with_traceback(self.__traceback__)

    def __reduce__(self) -> Reduced:
        return reduced(self)

    def __str__(self) -> str:
        request = f", request {self.request_id}" if self.request_id else ""
        return one_line(f"{self.message} ({self.code}{request})")

    def to_wire(self) -> JsonObject:
        """Return the wire form for all transports: `text`, a readable line, and `error`.

        It is valid JSON for any field values.
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
        """Return the error of a wire form; missing or invalid members get those of `internal`."""
        member = wire.get("error")
        error = member if isinstance(member, dict) else {}
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
        """Return an error: the caller is not authenticated or not authorized."""
        return cls._of("auth", message, options)

    @classmethod
    def permission(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: access to a resource was denied."""
        return cls._of("permission", message, options)

    @classmethod
    def not_found(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: an object named in the call does not exist."""
        return cls._of("not_found", message, options)

    @classmethod
    def validation(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the arguments are invalid."""
        return cls._of("validation", message, options)

    @classmethod
    def conflict(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the current state does not allow the call."""
        return cls._of("conflict", message, options)

    @classmethod
    def rate_limit(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: too many calls; `retry_after_ms` is the delay before a retry."""
        return cls._of("rate_limit", message, options)

    @classmethod
    def timeout(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the call timed out."""
        return cls._of("timeout", message, options)

    @classmethod
    def unavailable(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: a dependency of the tool is temporarily unavailable."""
        return cls._of("unavailable", message, options)

    @classmethod
    def cancelled(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the call was cancelled."""
        return cls._of("cancelled", message, options)

    @classmethod
    def verification(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the tool ran, but verification of its result failed."""
        return cls._of("verification", message, options)

    @classmethod
    def output(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: the handler's result violates the output schema."""
        return cls._of("output", message, options)

    @classmethod
    def internal(cls, message: str, **options: Unpack[ErrorOptions]) -> Self:
        """Return an error: a bug in the service, without internal details."""
        return cls._of("internal", message, options)

    @classmethod
    def _of(cls, category: Category, message: str, options: ErrorOptions) -> Self:
        code = options.pop("code", category)
        return cls(code, message, category, **options)  # type: ignore[misc]  # `code` is gone


def not_implemented(full_name: str) -> ToolError:
    """Return the error of a stub whose handler is not implemented."""
    return ToolError(
        "not_implemented",
        f"`{full_name}` is not implemented",
        "unavailable",
        retryable=False,
        details={"tool": full_name},
    )


class BindError(Exception):
    """Handlers, hooks or settings do not match their service; one line for each problem."""

    def __init__(self, heading: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join((heading, *(f"  - {problem}" for problem in problems))))

    def __reduce__(self) -> Reduced:
        return reduced(self)


class RuntimeVersionError(ImportError):
    """Generated code is incompatible with this runtime; the message has both versions."""


def _fields(items: list[JsonValue]) -> list[FieldError]:
    return [
        FieldError(**{name: str(item.get(name, "")) for name in ("path", "code", "message")})
        for item in items
        if isinstance(item, dict)
    ]


def _is_wait(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= _LONGEST_WAIT


def _sendable(details: dict[str, object]) -> JsonValue:
    """Return details as JSON; members that are not JSON are dropped, to keep the error."""
    members: JsonObject = {}
    for key, value in details.items():
        name = one_line(key)
        try:
            members[name] = copied(value)
        except NotJsonError as problem:
            members[name] = f"(omitted: {problem.reason})"
    return members
