"""A result that is no object is wrapped for older clients.

MCP before 2026-07-28 takes objects alone. A list becomes `{"result": […]}` for them, and is a list for
newer ones: code that reads results has to know both.

Reported:

    targets: [mcp-2025-11-25]
    tools:
      - name: list
        outputSchema: {type: array, items: {type: string}}

Accepted:

    targets: [mcp-2026-07-28]
    tools:
      - name: list
        outputSchema: {type: array, items: {type: string}}
    ---
    targets: [mcp-2025-11-25]
    tools:
      - name: list
        outputSchema: {type: object, properties: {names: {type: array, items: {type: string}}}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.offers import OffersVisit
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the result of `{tool}` is wrapped in an object for `mcp-2025-11-25`",
    "return an object if older clients count",
)
VISITS = OffersVisit
_OLDER = "mcp-2025-11-25"


def check(visit: OffersVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a result of another type, where the older revision is a target."""
    if not any(profile.name == _OLDER for profile, _ in visit.offers):
        return
    schema = visit.tool.output.value
    stated = schema.get("type") if isinstance(schema, dict) else None
    if isinstance(stated, str) and stated != "object":
        yield KIND.at(visit.at("outputSchema"), tool=visit.tool.name)
