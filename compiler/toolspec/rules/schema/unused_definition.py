"""A definition is never used.

Some generators copy all definitions of an interface into each of its tools. In a service it is a
leftover. Another document may use it: nothing is said while some are not looked at, or have an error.

Reported:

    tools:
      - name: show
        inputSchema: {$defs: {Page: {type: integer}, Cursor: {$ref: "#/$defs/Page"}}}
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

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Subject
from toolspec.frontend import edits
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.grouping import counted, together
from toolspec.rules.rule import declare
from toolspec.rules.unused_definitions import removal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Place

KIND = declare(
    __name__, __doc__, Severity.WARNING, "{definitions} never used", "delete what nothing refers to"
)
VISITS = Catalogue


def check(catalogue: Catalogue) -> Iterator[Diagnostic]:
    """Yield one finding for all such definitions in a schema; for one of a service, at itself."""
    if not catalogue.is_whole:
        return
    uses = (each for service in catalogue.services for each in service.uses)
    # What is used is told already, and so is all in which it stands.
    told = {(file, path[:length]) for file, path in uses for length in range(len(path) + 1)}
    for service in catalogue.services:
        for each in service.unused_definitions:
            paths = [path for path in each.paths if (each.file, path) not in told]
            told.update((each.file, path) for path in paths)
            document = catalogue.documents(each.file) if paths else None
            if document:
                subject = partial(Subject, service.name, each.tool)
                yield together([document.place(*path) for path in paths], partial(_tell, subject))


def _tell(subject: Callable[[str], Subject], places: Sequence[Place]) -> Diagnostic:
    fix = edits.fix("delete", removal(places))
    number = counted(len(places), "definition is", "definitions are")
    about = subject(places[0].pointer)
    return KIND.at(places[0].span, subject=about, fix=fix, definitions=number)
