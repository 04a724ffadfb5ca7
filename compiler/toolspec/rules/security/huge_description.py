"""A tool's description is so long that it can only push other text out of a model's sight.

No reader needs 16,384 characters to choose a tool. A text of this size fills the context of every
request, and is a known way to bury instructions or to drown the descriptions of other tools.

Reported:

    # description: a text of 16,385 characters or more
    tools:
      - name: search
        description: "{16385}"

Accepted:

    tools:
      - name: search
        description: "{16384}"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.docs.long_description import REFUSED
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.ERROR,
    "the description of `{tool}` has {length} characters; more than {limit} are refused",
    "say in a few sentences what the tool does and when to use it",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding above the limit."""
    length = len(visit.tool.description)
    if length > REFUSED:
        span = visit.at("description")
        yield KIND.at(span, tool=visit.tool.name, length=length, limit=REFUSED)
