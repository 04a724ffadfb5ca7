"""All arguments are wrapped in a single object.

The one parameter adds a level that says nothing. Models often leave it out and send the members themselves, which is
refused. It mostly comes from a handler with one model as its parameter.

Reported:

    tools:
      - name: create
        inputSchema:
          type: object
          properties:
            params: {type: object, properties: {title: {type: string}, body: {type: string}}}
    ---
    tools:
      - name: create
        inputSchema:
          type: object
          properties: {request: {$ref: "#/$defs/Request"}}
          $defs: {Request: {type: object, properties: {title: {type: string}, body: {type: string}}}}

Accepted:

    tools:
      - name: create
        inputSchema:
          type: object
          properties:
            params: {type: object, properties: {title: {type: string}}}
            dryRun: {type: boolean}
    ---
    tools:
      - name: move
        inputSchema:
          type: object
          properties: {point: {type: object, properties: {x: {type: number}, y: {type: number}}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.members import members
from toolspec.rules.rule import declare
from toolspec.rules.unions import meant
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{name}` wraps all arguments in one object",
    "lift the members of `{name}` to the arguments themselves",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties", "$ref"})
# Names that say no more than that arguments are inside; any other may be a thing of its own.
_EMPTY = frozenset(
    {
        "arguments", "args", "body", "data", "input", "inputs", "kwargs", "options", "param",
        "parameters", "params", "payload", "req", "request",
    }
)  # fmt: skip


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for arguments with one object alone, called by a name that says nothing."""
    if visit.role is not Role.INPUT:
        return
    root = visit.schema.bundle
    if len(members(root)) != 1:
        return
    name, schema = next(iter(members(root).items()))
    inner = meant(schema, root)
    is_object = isinstance(inner, dict) and bool(inner.get("properties"))
    if is_object and name.casefold().rpartition("_")[2] in _EMPTY:
        yield visit.finding(KIND, ("properties", name), name=name)
