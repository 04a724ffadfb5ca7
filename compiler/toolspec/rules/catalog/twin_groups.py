"""Two groups of one service differ only in spelling.

They are two sections in docs and lists, and which tool is in which is chance.

Reported:

    tools:
      - {name: a, group: Issues}
      - {name: b, group: issue}

Accepted:

    tools:
      - {name: a, group: Issues}
      - {name: b, group: Issues}
      - {name: c, group: Issue labels}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import fix, replace_value
from toolspec.ir import Service
from toolspec.rules.rule import declare
from toolspec.rules.words import listed, plain_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the groups {groups} differ only in spelling",
    "spell both as the first",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each group that is spelled in two ways, at the first tool of the second."""
    users: dict[frozenset[str], dict[str, Tool]] = {}
    for tool in service.tools:
        if tool.group:
            users.setdefault(plain_words(tool.group), {}).setdefault(tool.group, tool)
    for groups in users.values():
        if len(groups) > 1:
            place = list(groups.values())[1].place
            span = place.at("group").span if place else None
            edits = replace_value(place.at("group"), next(iter(groups))) if place else ()
            yield KIND.at(span, fix=fix("spell it as the first", edits), groups=listed(groups))
