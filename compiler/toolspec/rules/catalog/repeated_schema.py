"""One schema is written out in several tools.

A change has to be made in each of them, and one is forgotten. In `$defs` it stands once, has a name,
and is one type in the generated code.

Reported:

    tools:
      - name: get
        outputSchema: &note
          type: object
          properties: {id: {type: string}, text: {type: string}, tags: {type: string}}
      - name: create
        mutation: true
        outputSchema: *note
      - name: update
        mutation: true
        outputSchema: *note

Accepted:

    tools:
      - name: get
        outputSchema: {$ref: "#/$defs/Note"}
      - name: update
        mutation: true
        outputSchema: {$ref: "#/$defs/Note"}
    $defs:
      Note:
        type: object
        properties: {id: {type: string}, text: {type: string}, tags: {type: string}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Service
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{tools} return the same schema, each written out",
    "put it into `$defs`, and refer to it",
)
VISITS = Service
SIZE = 3
OFTEN = 3


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each result of some size that three tools or more write out alike."""
    alike: dict[tuple[str, ...], list[Tool]] = {}
    for tool in service.tools:
        names = members(tool.output.value)
        if len(names) >= SIZE:
            alike.setdefault(tuple(sorted(names)), []).append(tool)
    for candidates in alike.values():
        first = candidates[0].output.value
        tools = [tool for tool in candidates if tool.output.value == first]
        if len(tools) >= OFTEN:
            place = tools[1].output.place
            span = place.span if place else None
            yield KIND.at(span, tools=listed(each.name for each in tools[:5]))
