"""A definition is never used.

It is sent to the model with every turn all the same, when it stands in the schema of a tool: some
generators copy all definitions of an interface into each of its tools. In a service it is a leftover. Where a
reference leads to nothing, a definition may have been meant by it, and nothing is said.

Reported:

    tools:
      - name: show
        inputSchema:
          type: object
          $defs: {Page: {type: integer}, Cursor: {$ref: "#/$defs/Page"}}
    ---
    $defs: {Page: {type: integer}}
    tools:
      - name: show

Accepted:

    service:
      settings: {type: object, properties: {base: {$ref: "#/$defs/Base"}}}
    $defs: {Page: {type: integer}, Size: {$ref: "#/$defs/Page"}, Base: {type: string}}
    tools:
      - name: show
        inputSchema:
          type: object
          properties: {cursor: {$ref: "#/$defs/Cursor"}, size: {$ref: "#/$defs/Size"}}
          $defs:
            Cursor: {type: object, properties: {next: {$ref: "#/$defs/Cursor"}, at: {$ref: "#/$defs/a~1b"}}}
            a/b: {type: integer}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.rule import declare
from toolspec.rules.several import counted, together
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic, Fix
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{definitions} never used",
    "delete what nothing refers to",
)
VISITS = SchemaVisit


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such definitions in a schema; for one of the service, at itself."""
    if visit.unused:
        definitions = counted(len(visit.unused), "definition is", "definitions are")
        fix = _fix(visit, visit.unused)
        yield together(visit, KIND, visit.unused, fix=fix, definitions=definitions)


def _fix(visit: SchemaVisit, paths: tuple[Path, ...]) -> Fix | None:
    root = visit.schema.value
    held = {path[0]: root.get(str(path[0])) for path in paths if path and isinstance(root, dict)}
    whole = {
        key for key, value in held.items() if isinstance(value, dict) and len(value) == len(paths)
    }
    targets = dict.fromkeys(path[:1] if path[:1] and path[0] in whole else path for path in paths)
    places = (visit.place(*path) for path in targets)
    made = [edits.delete_member(each) for each in places if each]
    return edits.fix("delete", tuple(edit for each in made for edit in each)) if all(made) else None
