"""Validation of call arguments against the tool's input schema."""

from __future__ import annotations

from toolspec.runtime.checks import SchemaCheck, summary
from toolspec.runtime.context import choose
from toolspec.runtime.defaults import Defaults
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext
    from toolspec.shared.json_values import JsonValue


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
        message = f"wrong arguments for `{self._tool.full_name}`: {summary(errors)}"
        return ToolError.validation(message, field_errors=errors)
