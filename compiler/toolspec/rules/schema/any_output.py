"""A tool does not say what it returns.

`outputSchema: true` is the explicit way to promise nothing: the result is not checked, generated code
calls it `object`, and a model has to guess what it can read from it. Imported tools often have
nothing else, which is why this is a note.

Reported:

    tools:
      - name: search
        outputSchema: true
    ---
    tools:
      - name: search
        outputSchema: {}

Accepted:

    tools:
      - name: search
        outputSchema: {type: array, items: {type: string}}
    ---
    tools:
      - name: search
        outputSchema: {type: object}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{name}` may return anything",
    "describe the result in `outputSchema`, as far as it is known",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a schema that lets every value through."""
    if visit.tool.output.value in (True, {}):
        yield KIND.at(visit.at("outputSchema"), name=visit.tool.name)
