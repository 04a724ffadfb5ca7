"""A tool takes any path, and declares no permission for files.

`../../.ssh/id_rsa` is a path, too. With a permission the runtime asks before each call for the file
that is meant; a pattern keeps the rest out.

Reported:

    tools:
      - name: read
        inputSchema:
          type: object
          properties: {filePath: {type: string, description: Which file.}}

Accepted:

    tools:
      - name: read
        permissions: [{file: notes/**, op: read}]
        inputSchema:
          type: object
          properties: {filePath: {type: string, description: Which file.}}
      - name: list
        inputSchema:
          type: object
          properties: {path: {type: string, pattern: "^[a-z]+$", description: Which folder.}}
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
    "`{tool}` takes any path in `{name}`, and no permission says which",
    "declare the files in `permissions`, or limit the path with a `pattern`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_PATHS = frozenset({"dir", "directory", "file", "filename", "filepath", "folder", "path"})
_BOUNDS = {"const", "enum", "pattern"}


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for the first free path of a tool without a permission for files."""
    tool = visit.tool
    if visit.role is not Role.INPUT or tool is None:
        return
    if any(each.kind is PermissionKind.FILE for each in tool.permissions):
        return
    for each in visit.properties:
        is_free = each.schema.get("type") == "string" and not _BOUNDS & each.schema.keys()
        if is_free and "".join(words_of(each.name)) in _PATHS:
            yield visit.finding(KIND, each.path, tool=tool.name, name=each.name)
            return
