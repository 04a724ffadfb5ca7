"""A tool fetches any address, and declares no permission for hosts.

An address can lead into the network in which the service runs: to its metadata, its database, its
other users. With a permission the runtime asks for the host before each call.

Reported:

    tools:
      - name: fetch
        inputSchema:
          type: object
          properties: {url: {type: string, format: uri, description: What to fetch.}}

Accepted:

    tools:
      - name: fetch
        permissions: [{web: "api.example.com", op: GET}]
        inputSchema:
          type: object
          properties: {url: {type: string, format: uri, description: What to fetch.}}
      - name: bookmark
        annotations: {openWorldHint: false}
        inputSchema:
          type: object
          properties: {url: {type: string, format: uri, description: What to keep.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import PermissionKind
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` takes any address in `{name}`, and no permission says which",
    "declare the hosts in `permissions`, or say `openWorldHint: false` if nothing is fetched",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_BOUNDS = {"const", "enum", "pattern"}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first free address of an open tool without a permission for hosts."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None or not tool.annotations.open_world:
        return
    if any(each.kind is PermissionKind.WEB for each in tool.permissions):
        return
    for each in visit.properties:
        is_free = each.schema.get("type") == "string" and not _BOUNDS & each.schema.keys()
        if is_free and words_of(each.name)[-1:] in (("url",), ("uri",)):
            yield visit.finding(KIND, each.path, tool=tool.name, name=each.name)
            return
