"""Reduction of a stream's chunks to its result, and the reverse."""

from __future__ import annotations

from toolspec.runtime.errors import FieldError
from toolspec.runtime.validation import invalid_output

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.json_values import JsonValue


def reduced(tool: ToolDefinition, chunks: list[JsonValue]) -> JsonValue:
    """Return the result of a stream: joined strings, a list of items, or the last chunk.

    Raises ToolError `output` if the chunks cannot be reduced.
    """
    if tool.reduction == "list":
        return list(chunks)
    if tool.reduction == "last":
        if chunks:
            return chunks[-1]
        problem = "the handler yielded no chunk, and the last chunk is the result"
    else:
        texts = [chunk for chunk in chunks if isinstance(chunk, str)]
        if len(texts) == len(chunks):
            return "".join(texts)
        problem = "a chunk is not a string, and the result is all chunks joined"
    field = FieldError(path="$", code="stream", message=problem)
    raise invalid_output(tool, "the result", (field,))


def as_chunks(tool: ToolDefinition, result: JsonValue) -> list[JsonValue]:
    """Return chunks that reduce to a known result."""
    if tool.reduction == "list" and isinstance(result, list):
        return result
    return [result]
