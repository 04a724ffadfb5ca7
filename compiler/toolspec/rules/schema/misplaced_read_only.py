"""A property is marked for the other direction.

`readOnly` is for what a service sets and a caller must not send; among the arguments it invites what it
forbids. `writeOnly`, as for passwords, is for what a service never gives back; in a result it marks a leak.

Reported:

    tools:
      - name: update
        inputSchema: {type: object, properties: {id: {type: string, readOnly: true}}}
    ---
    tools:
      - name: show
        outputSchema: {type: object, properties: {pin: {type: string, writeOnly: true}}}

Accepted:

    tools:
      - name: show
        inputSchema: {type: object, properties: {pin: {type: string, writeOnly: true}}}
        outputSchema: {type: object, properties: {id: {type: string, readOnly: true}}}
    ---
    $defs: {Item: {type: object, properties: {id: {type: string, readOnly: true}}}}
    tools:
      - name: save
        inputSchema: {type: object, properties: {item: {$ref: "#/$defs/Item"}}}
        outputSchema: {$ref: "#/$defs/Item"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{keyword}` marks what has no place among {where}",
    "take the property out, or delete `{keyword}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"readOnly", "writeOnly"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each such mark, except in what goes both ways."""
    if visit.is_input == visit.is_output:
        return
    is_input = visit.is_input
    keyword, where = ("readOnly", "arguments") if is_input else ("writeOnly", "results")
    for path, node in visit.using(keyword):
        if node[keyword] is True:
            yield visit.finding(KIND, (*path, keyword), keyword=keyword, where=where)
