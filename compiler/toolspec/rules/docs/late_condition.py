"""What a caller must or must not do stands far down in a long description.

Clients cut texts, and models weigh their beginning most. A rule in the third thousand of characters is
read by nobody.

Reported:

    tools:
      - name: search
        description: "{1600} You must never call this without a query."

Accepted:

    tools:
      - name: search
        description: "You must never call this without a query. {1600}"
      - name: list
        description: "{1600} It must be fast."
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare, number
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the description of `{tool}` says `{word}` after {limit} characters",
    "move what a caller has to keep to the first paragraph",
)
VISITS = ToolVisit
OPTIONS: dict[str, JsonObject] = {
    "limit": {"type": "integer", "minimum": 1, "default": 1500, "description": "Characters."},
}
_ORDER = re.compile(r"(?i)\b(?:you must|must not|never|do not|always|only (?:call|use))\b")


def check(visit: ToolVisit, options: JsonObject) -> Iterator[Diagnostic]:
    """Yield a finding for the first order to the caller behind the limit, if none stands before."""
    limit = number(options, "limit")
    text = visit.tool.description
    found = _ORDER.search(text, limit)
    if found and not _ORDER.search(text, 0, limit):
        yield KIND.at(visit.at("description"), tool=visit.tool.name, word=found[0], limit=limit)
