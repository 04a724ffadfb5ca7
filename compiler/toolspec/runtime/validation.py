"""Validation of arguments, results and chunks; schemas are compiled on first use."""

from __future__ import annotations

from toolspec.runtime.defaults import Defaults
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.values import NotJsonError, copied
from toolspec.shared.json_values import path_text

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import Formats, ToolDefinition
    from toolspec.runtime.service import OutputCheck
    from toolspec.shared.explanation import Explainer, InstanceError
    from toolspec.shared.json_values import JsonValue, Path


_DESCENDING = ('"$ref"', '"$dynamicRef"', '"uniqueItems"')
"""Keywords that make a validator recurse as deep as the value is nested."""

_MAX_PATH = 300
_MAX_SUMMARY = 1_000

_QUICK_STEPS = 1_000
"""Maximum number of steps of an explanation in the event loop: a few milliseconds."""


class SchemaCheck:
    """Validator of one schema, given as JSON text.

    `accepts(value)` returns whether a JSON value is valid. The first call compiles the schema and
    replaces itself with the compiled validator, so later calls have no overhead. With `formats` set
    to `annotate`, `format` and `contentEncoding` reject nothing.
    """

    __slots__ = ("_explainers", "_formats", "_text", "accepts", "is_level")

    accepts: Callable[[JsonValue], bool]

    def __init__(self, text: str, formats: Formats = "assert") -> None:
        self._text = text
        self._formats = formats == "assert"
        self._explainers: dict[bool, Explainer] = {}
        self.accepts = self._compile_and_accept
        self.is_level = not any(item in text for item in _DESCENDING)
        """Whether the validation depth is bounded by the schema instead of the value."""

    def takes(self, value: Any) -> bool:
        """Return whether a value that may not be JSON is valid, as deep as the schema looks.

        Unless `is_level`, the value must not be nested thousands of levels deep.
        """
        try:
            return self.accepts(value)
        except ValueError:  # a type that JSON does not have
            return False

    def _compile_and_accept(self, value: JsonValue) -> bool:
        from toolspec.shared.validator import compiled

        self.accepts = compiled(self._text, formats=self._formats)
        return self.accepts(value)

    def errors(self, value: JsonValue, *, shown: bool = True) -> tuple[FieldError, ...]:
        """Return the errors of a rejected value, one line each.

        Their number, length and cost are bounded. With `shown` false, messages quote no part of the
        value.
        """
        return _fields(self._explainer(shown=shown).errors(value))

    def quick_errors(self, value: JsonValue) -> tuple[FieldError, ...] | None:
        """Return the result of `errors` if that takes a few milliseconds, otherwise None."""
        search = self._explainer(shown=True).search(value, steps=_QUICK_STEPS)
        errors = search.run()
        return _fields(errors) if search.is_complete else None

    def _explainer(self, *, shown: bool) -> Explainer:
        if shown not in self._explainers:
            import json

            from toolspec.shared.explanation import Explainer

            self._explainers[shown] = Explainer(
                json.loads(self._text), formats=self._formats, is_masked=not shown
            )
        return self._explainers[shown]


def _fields(errors: Sequence[InstanceError]) -> tuple[FieldError, ...]:
    return tuple(
        FieldError(path=_path(error.member_path), code=error.keyword, message=error.message)
        for error in errors
    )


def summary(errors: Sequence[FieldError], shown: int = 5) -> str:
    """Return field errors in one line, at most `shown` of them, and the first in any case."""
    parts: list[str] = []
    length = 0
    for error in errors[:shown]:
        part = f"{error.path}: {error.message}"
        length += len(part)
        if parts and length > _MAX_SUMMARY:
            break
        parts.append(part)
    if len(errors) > len(parts):
        parts.append(f"and {len(errors) - len(parts)} more")
    return "; ".join(parts)


def _path(steps: Path) -> str:
    """Return a path as text; long names are shortened first, since callers choose them."""
    return _shortened(
        path_text(step if isinstance(step, int) else _shortened(step) for step in steps)
    )


def _shortened(path: str) -> str:
    if len(path) <= _MAX_PATH:
        return path
    half = _MAX_PATH // 2
    return f"{path[:half]}…{path[-half:]}"


class RejectedArguments(Exception):  # noqa: N818 - becomes an error once it is explained
    """Raised for arguments that the schema rejects; explaining why may take a while."""

    def __init__(self, validator: InputValidator, value: JsonValue) -> None:
        super().__init__()
        self._validator = validator
        self._value = value

    def error(self) -> ToolError:
        """Return the error with every reason."""
        return self._validator.refusal(self._value)

    def quick_error(self) -> ToolError | None:
        """Return the error if explaining it takes a few milliseconds, otherwise None."""
        return self._validator.quick_refusal(self._value)


class InputValidator:
    """Validates a tool's arguments and fills in defaults."""

    __slots__ = (
        "_check",
        "_defaults",
        "_instanced",
        "_keyed",
        "_text",
        "_tool",
        "is_plain",
        "is_pure",
    )

    def __init__(self, tool: ToolDefinition) -> None:
        self._tool = tool
        self._check = SchemaCheck(tool.arguments_schema, tool.formats)
        self._defaults = Defaults.of(tool.arguments_schema)
        self._keyed = tool.idempotency != "none"
        self._instanced = bool(tool.instances)
        self._text = tool.input_form == "text"
        self.is_plain = not (self._keyed or self._instanced or self._text)
        """Whether the handler receives the arguments plus defaults, unchanged otherwise."""
        is_filled = self._defaults is not None and self._defaults.adds
        self.is_pure = self.is_plain and not is_filled and self._check.is_level
        """Whether the arguments can be passed on without a copy."""

    def input(self, context: AnyContext) -> JsonValue:
        """Return the handler's input; the idempotency key and instance go to the context instead.

        Raises RejectedArguments, or ToolError `validation` for arguments that are not JSON.
        """
        value = self.accepted(context._arguments)  # noqa: SLF001 - the runtime's side of the context
        if self.is_plain or not isinstance(value, dict):
            return value
        if self._keyed:
            key = value.pop("idempotency_key", None)
            context.idempotency_key = key if isinstance(key, str) else None
        if self._instanced:
            from toolspec.runtime.context import choose

            choose(context, str(value.pop("instance")))
        return value["input"] if self._text else value

    def shared(self, arguments: object) -> object:
        """Return the arguments themselves if they are valid; otherwise the result of `accepted`."""
        return arguments if self._check.takes(arguments) else self.accepted(arguments)

    def checked(self, arguments: object) -> JsonValue:
        """Return the result of `accepted`. Raises ToolError `validation` listing every error."""
        try:
            return self.accepted(arguments)
        except RejectedArguments as rejected:
            raise rejected.error() from None

    def accepted(self, arguments: object) -> JsonValue:
        """Return a copy of the arguments, validated as sent, with defaults filled in.

        Whole floats become ints where the schema asks for integers.
        Raises RejectedArguments, or ToolError `validation` for arguments that are not JSON.
        """
        try:
            value = copied({} if arguments is None else arguments)
        except NotJsonError as problem:
            error = FieldError(path=problem.path, code="json", message=problem.reason)
            raise self._refusal((error,)) from None
        if not self._check.accepts(value):
            raise RejectedArguments(self, value)
        return value if self._defaults is None else self._defaults.fill(value)

    def refusal(self, value: JsonValue) -> ToolError:
        """Return the error for arguments that the schema rejects."""
        return self._refusal(self._check.errors(value))

    def quick_refusal(self, value: JsonValue) -> ToolError | None:
        """Return the result of `refusal` if that takes a few milliseconds, otherwise None."""
        errors = self._check.quick_errors(value)
        return None if errors is None else self._refusal(errors)

    def _refusal(self, errors: tuple[FieldError, ...]) -> ToolError:
        if all(error.code == "patternLimit" for error in errors):
            # Not the caller's fault: the schema's author has to simplify the pattern.
            import logging

            problem = f"the arguments of `{self._tool.full_name}` cannot be checked"
            logging.getLogger("toolspec").error(
                "%s: a pattern of the schema is too expensive: %s", problem, errors[0].path
            )
            return ToolError.internal(f"{problem}: {summary(errors)}", field_errors=errors)
        message = f"invalid arguments for `{self._tool.full_name}`: {summary(errors)}"
        return ToolError.validation(message, field_errors=errors)


class OutputValidator:
    """Validates results or chunks of a tool against the output schema."""

    __slots__ = ("_check", "_strict", "_tool", "_what", "is_pure")

    def __init__(self, tool: ToolDefinition, schema: str, mode: OutputCheck, what: str) -> None:
        self._tool = tool
        self._check = SchemaCheck("true" if mode == "off" else schema, tool.formats)
        self._strict = mode == "strict"
        self._what = what
        self.is_pure = self._check.is_level
        """Whether results can be passed on without a copy."""

    def shared(self, value: object, context: AnyContext) -> JsonValue:
        """Return the value itself if it is valid; otherwise the result of `validated`."""
        if self._check.takes(value):
            return value  # type: ignore[return-value]  # valid
        return self.validated(value, context)

    def validated(self, value: object, context: AnyContext) -> JsonValue:
        """Return a copy of the value as plain JSON.

        Raises ToolError `output` for values that are not JSON in every mode, and for schema
        violations in mode `strict`; mode `warn` logs these.
        """
        try:
            result = copied(value)
        except NotJsonError as problem:
            field = FieldError(path=problem.path, code="json", message=problem.reason)
            raise invalid_output(self._tool, self._what, (field,)) from problem
        if self._check.accepts(result):
            return result
        errors = self._check.errors(result, shown=False)
        context.log.warning("%s violates its schema: %s", self._what, summary(errors))
        if self._strict:
            raise invalid_output(self._tool, self._what, errors)
        return result


def invalid_output(tool: ToolDefinition, what: str, errors: Sequence[FieldError]) -> ToolError:
    """Return the error sent in place of an invalid result; it quotes no values."""
    effect = "; its effect may have happened anyway" if tool.mutation else ""
    message = f"{what} of `{tool.full_name}` violates its schema{effect}: {summary(errors)}"
    return ToolError.output(message, field_errors=errors)
