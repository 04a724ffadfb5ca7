"""Output validation: only results that satisfy the schema are sent."""

from __future__ import annotations

from toolspec.runtime.checks import SchemaCheck, summary
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext
    from toolspec.runtime.service import OutputCheck
    from toolspec.shared.json_values import JsonValue


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
        """Return the value itself if it is valid; otherwise the result of `kept`."""
        if self._check.takes(value):
            return value  # type: ignore[return-value]  # valid
        return self.kept(value, context)

    def kept(self, value: object, context: AnyContext) -> JsonValue:
        """Return a copy of the value as plain JSON.

        Raises ToolError `output` for values that are not JSON in every mode, and for schema
        violations in mode `strict`; mode `warn` logs these.
        """
        try:
            result = copied(value)
        except NotJsonError as problem:
            field = FieldError(path=problem.path, code="json", message=problem.reason)
            raise broken_promise(self._tool, self._what, (field,)) from problem
        if self._check.accepts(result):
            return result
        context.log.warning(
            "%s breaks its schema: %s", self._what, summary(self._check.errors(result))
        )
        if self._strict:
            errors = self._check.errors(result, shown=False)
            raise broken_promise(self._tool, self._what, errors)
        return result


def broken_promise(tool: ToolDefinition, what: str, errors: Sequence[FieldError]) -> ToolError:
    """Return the error sent in place of an invalid result; it quotes no values."""
    effect = "; its effect may have happened all the same" if tool.mutation else ""
    message = f"{what} of `{tool.full_name}` is not what its schema says{effect}: {summary(errors)}"
    return ToolError.output(message, field_errors=errors)


def reduced(tool: ToolDefinition, chunks: list[JsonValue]) -> JsonValue:
    """Return the reduced result of a stream: joined strings, a list of items, or the last chunk.

    Raises ToolError `output` if the chunks cannot be reduced.
    """
    if tool.reduction == "list":
        return list(chunks)
    if tool.reduction == "last":
        if chunks:
            return chunks[-1]
        problem = "the handler yielded nothing, and the last chunk is the result"
    else:
        pieces = [chunk for chunk in chunks if isinstance(chunk, str)]
        if len(pieces) == len(chunks):
            return "".join(pieces)
        problem = "a chunk is no string, and the chunks joined are the result"
    field = FieldError(path="$", code="stream", message=problem)
    raise broken_promise(tool, "the result", (field,))


def pieces(tool: ToolDefinition, whole: JsonValue) -> list[JsonValue]:
    """Return chunks that reduce to a known result."""
    if tool.reduction == "list" and isinstance(whole, list):
        return whole
    return [whole]
