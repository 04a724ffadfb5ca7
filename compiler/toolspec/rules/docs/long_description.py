"""A tool's description is longer than a provider takes.

Every request carries the descriptions of all tools. Some providers refuse or cut off what is longer
than 1,024 characters, and a model reads the end of a long text least. Details of a parameter belong
in its own description, worked calls in `examples`.

Reported:

    # description: a text of 1,025 characters or more
    tools:
      - name: search
        description: "{1025}"

Accepted:

    tools:
      - name: search
        description: Search notes by words in their title and text.
    ---
    tools:
      - name: search
        description: "{1024}"
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
    "the description of `{tool}` has {length} characters, more than the {limit} every provider takes",
    "put first what decides between this tool and another, and move the rest to the parameters",
)
VISITS = ToolVisit
LIMIT = 1_024
REFUSED = 16_384


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding above the limit, up to where `security/huge-description` takes over."""
    length = len(visit.tool.description)
    if LIMIT < length <= REFUSED:
        span = visit.at("description")
        yield KIND.at(span, tool=visit.tool.name, length=length, limit=LIMIT)
