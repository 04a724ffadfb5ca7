"""Two tools of one service have the same title.

Clients show titles. A person who is asked to allow a call then cannot tell which tool it is.

Reported:

    tools:
      - {name: search, title: Search notes}
      - {name: find, title: Search notes}

Accepted:

    tools:
      - {name: search, title: Search notes}
      - {name: find, title: Find a note}
      - {name: search, version: "2.0", title: Search notes}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity
from toolspec.frontend.places import name_span
from toolspec.ir import Service
from toolspec.rules.rule import declare
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "{tools} have the title `{title}`",
    "give each a title of its own",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding for each title that several tools share, at the second of them."""
    users: dict[str, dict[str, Tool]] = {}
    for tool in service.tools:
        # By name: versions of one tool are never offered beside each other.
        users.setdefault(tool.title.casefold(), {}).setdefault(tool.name, tool)
    for tools in users.values():
        if len(tools) > 1:
            first, second = list(tools.values())[:2]
            span = name_span(first)
            yield KIND.at(
                name_span(second),
                labels=(Label(span, "the same title"),) if span else (),
                tools=listed(tools),
                title=first.title,
            )
