"""A tool that only reads declares an effect outside.

`mutation: false` lets clients call a tool unasked and as often as they like. A message is then sent as
often.

Reported:

    tools:
      - name: preview
        mutation: false
        effects: [message]

Accepted:

    tools:
      - name: preview
        mutation: false
        effects: [external]
      - name: send
        mutation: true
        effects: [message]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Effect
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.ERROR,
    "`{tool}` has `mutation: false` and the effect `{effect}`",
    "say `mutation: true`, or take the effect out",
)
VISITS = ToolVisit
_CHANGING = frozenset({Effect.DELETE, Effect.MESSAGE, Effect.MONEY})


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each effect that only a change can have."""
    if not visit.tool.mutation:
        for effect in _CHANGING.intersection(visit.tool.effects):
            yield KIND.at(visit.at("effects"), tool=visit.tool.name, effect=effect)
