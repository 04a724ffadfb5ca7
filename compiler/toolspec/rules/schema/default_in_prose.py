"""A default is stated in the description alone.

Clients cannot offer it, generated code has no default argument, and the handler has to put it in by itself. With
`default` in the schema the runtime does, and the text and the truth stay together.

Reported:

    tools:
      - name: list
        inputSchema:
          type: object
          properties: {page: {type: integer, description: "Page number (default: 1)."}}
    ---
    tools:
      - name: list
        inputSchema:
          type: object
          properties: {order: {type: string, description: "If omitted, defaults to `desc`."}}

Accepted:

    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            page: {type: integer, default: 1, description: "Page number (default: 1)."}
            from: {type: string, description: Defaults to the default branch.}
            zone: {type: string, description: "Default: UTC or what the account says."}
            size: {type: integer, description: Defaults to 10% of the volume.}
            to: {type: string, description: "Default: `from`."}
            limit: {type: integer, description: Default 10 when `all` is set.}
            quiet: {type: boolean, description: Defaults to true for guests.}
            depth: {type: number, description: "Default: 5.1 (per year: 9.3)."}
            count: {type: integer, description: Default 1.}
          required: [count]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.prose import stated_default
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.schema.findings import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "only the description of `{name}` says that the default is {value}",
    "state it in the schema: `default: {value}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each optional parameter; another one's name is no value."""
    for each in visit.properties if visit.is_input else ():
        if each.is_required or "default" in each.schema or "description" not in each.schema:
            continue
        stated = stated_default(each.schema)
        if stated is not None and all(stated.value != other.name for other in visit.properties):
            place = visit.place(*each.path)
            edit = (
                edits.insert_member(place, "default", stated.value, after="type") if place else ()
            )
            fix = edits.fix("state the default", edit)
            value = shown(stated.value)
            yield visit.finding(KIND, each.path, fix=fix, name=each.name, value=value)
