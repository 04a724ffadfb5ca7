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
    from toolspec.shared.explanation import Explainer
    from toolspec.shared.json_values import JsonValue


_DESCENDING = ('"$ref"', '"$dynamicRef"', '"uniqueItems"')
"""Keywords that make a validator recurse as deep as the value is nested."""

_MAX_PATH = 300


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
        if shown not in self._explainers:
            import json

            from toolspec.shared.explanation import Explainer

            self._explainers[shown] = Explainer(
                json.loads(self._text), formats=self._formats, is_masked=not shown
            )
        return tuple(
            FieldError(
                path=_shortened(path_text(error.member_path)),
                code=error.keyword,
                message=error.message,
            )
            for error in self._explainers[shown].errors(value)
        )


def summary(errors: Sequence[FieldError], shown: int = 5) -> str:
    """Return field errors in one line, with the first `shown` in full."""
    parts = [f"{error.path}: {error.message}" for error in errors[:shown]]
    if len(errors) > shown:
        parts.append(f"and {len(errors) - shown} more")
    return "; ".join(parts)


def _shortened(path: str) -> str:
    if len(path) <= _MAX_PATH:
        return path
    half = _MAX_PATH // 2
    return f"{path[:half]}…{path[-half:]}"


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

        Raises ToolError `validation` listing every error in the arguments.
        """
        value = self.checked(context._arguments)  # noqa: SLF001 - the runtime's side of the context
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
        """Return the arguments themselves if they are valid; otherwise the result of `checked`."""
        return arguments if self._check.takes(arguments) else self.checked(arguments)

    def checked(self, arguments: object) -> JsonValue:
        """Return a copy of the arguments, validated as sent, with defaults filled in.

        Whole floats become ints where the schema asks for integers.
        Raises ToolError `validation` listing every error.
        """
        try:
            value = copied({} if arguments is None else arguments)
        except NotJsonError as problem:
            error = FieldError(path=problem.path, code="json", message=problem.reason)
            raise self._refusal((error,)) from None
        if not self._check.accepts(value):
            raise self._refusal(self._check.errors(value))
        return value if self._defaults is None else self._defaults.fill(value)

    def _refusal(self, errors: tuple[FieldError, ...]) -> ToolError:
        if all(error.code == "patternLimit" for error in errors):
            # Not the caller's fault: the schema's author has to simplify the pattern.
            import logging

            message = (
                f"the arguments of `{self._tool.full_name}` cannot be checked: {summary(errors)}"
            )
            logging.getLogger("toolspec").error(message)
            return ToolError.internal(message, field_errors=errors)
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
        context.log.warning(
            "%s violates its schema: %s", self._what, summary(self._check.errors(result))
        )
        if self._strict:
            errors = self._check.errors(result, shown=False)
            raise invalid_output(self._tool, self._what, errors)
        return result


def invalid_output(tool: ToolDefinition, what: str, errors: Sequence[FieldError]) -> ToolError:
    """Return the error sent in place of an invalid result; it quotes no values."""
    effect = "; its effect may have happened anyway" if tool.mutation else ""
    message = f"{what} of `{tool.full_name}` violates its schema{effect}: {summary(errors)}"
    return ToolError.output(message, field_errors=errors)
