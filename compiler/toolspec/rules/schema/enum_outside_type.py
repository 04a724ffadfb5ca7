"""A listed value is not of the type that is stated beside the list.

It can never be sent: the type refuses it. Most often it is null, and a model that reads the list
believes that null is allowed.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {state: {type: string, enum: [open, closed, null]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            state: {type: [string, "null"], enum: [open, closed, null]}
            level: {type: number, enum: [1, 2.5]}
            any: {enum: [1, two]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.contradictions import types_of
from toolspec.schema.findings import listed, shown
from toolspec.shared.json_values import has_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{value} in `enum` is not of type {types}",
    "delete it, or name its type under `type` as well: `type: [{all_types}]`{quotes}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such value of a list that has others."""
    for path, node in visit.using("enum"):
        values, types = node["enum"], types_of(node)
        if not types or not isinstance(values, list):
            continue
        if "string" in types and set(map(type, values)) == {str}:
            continue
        outside = [
            index
            for index, value in enumerate(values)
            if not any(has_type(value, each) for each in types)
        ]
        if len(outside) == len(values):
            continue  # then nothing satisfies the schema, which is an error of its own
        for index in outside:
            value = values[index]
            own = next(each for each in _TYPES if has_type(value, each))
            yield visit.finding(
                KIND,
                (*path, "enum", index),
                value=shown(value),
                types=listed(sorted(types)),
                quotes="; as a text, put it in quotes"
                if "string" in types and own in _SCALARS
                else "",
                all_types=", ".join((*sorted(types), "'null'" if own == "null" else own)),
            )


_SCALARS = ("boolean", "integer", "number")
_TYPES = (*_SCALARS, "null", "string", "array", "object")
