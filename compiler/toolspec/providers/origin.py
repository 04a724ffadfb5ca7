"""Source locations of the parts of a tool's arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import InputForm
from toolspec.schema.walk import find
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import Location

_DEFS = "$defs"


def origin(service: Service, tool: Tool, pointer: str) -> Location | None:
    """Return the location for a pointer into `Tool.arguments`, or for its nearest written parent.

    A shared definition has its location, maybe in another file. Parts without a source, like the
    key of an idempotent call, have that of the tool's input, or of the tool.
    """
    schema, steps = tool.input, parse_pointer(pointer)
    if tool.input_form is InputForm.TEXT:
        steps = steps[2:]
    shared = dict(schema.shared)
    if steps[:1] == (_DEFS,) and len(steps) > 1 and steps[1] in shared:
        named = {definition.name: definition.schema for definition in service.definitions}
        schema, steps = named[shared[steps[1]]], steps[2:]
    if schema.location is None:
        return tool.location
    return _nearest(schema.location, steps)


def _nearest(location: Location, steps: Sequence[str]) -> Location:
    """Return the location at the steps, or at the longest prefix of them that exists."""
    value = location.value_or_none
    for length in range(len(steps), 0, -1):
        path = find(value, steps[:length])
        if path is not None:
            return location.at(*path)
    return location
