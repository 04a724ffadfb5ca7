"""A text sends its reader to a tool that is not there.

A model that is told to call `listBranches` first calls it, fails, and gives up or makes something up.

Reported:

    tools:
      - name: merge
        description: Merges a branch; call `notes_listBranches` first.

Accepted:

    tools:
      - name: merge
        description: Merges a branch; call `notes_listBranches` first.
      - name: listBranches
"""

from __future__ import annotations

import re
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
    Severity.WARNING,
    "the text speaks of `{mentioned}`, and there is no such tool",
    "{suggestion}",
)
VISITS = ToolVisit
_NAME = re.compile(r"`([A-Za-z][\w-]*)`")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each name in backticks that begins like the service's and is none of them."""
    prefix = visit.service.names.prefix
    if not prefix:  # any word could be a name
        return
    for mentioned in dict.fromkeys(_NAME.findall(visit.tool.description)):
        if not mentioned.startswith(prefix) or len(mentioned) == len(prefix):
            continue
        if mentioned not in visit.names:
            hint = visit.names.full.did_you_mean(mentioned)
            yield KIND.at(visit.at("description"), mentioned=mentioned, suggestion=hint)
