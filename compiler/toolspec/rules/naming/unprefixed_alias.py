"""An alias looks like the name of a tool of the service, without the service in front.

An alias is a whole name: `aliases: [listAll]` answers to `listAll` and not to `notes_listAll`. Callers
of a renamed tool still use the full name, so an alias without the prefix does not reach them.

Reported:

    tools:
      - name: listNotes
        aliases: [listAll]

Accepted:

    tools:
      - name: listNotes
        aliases: [notes_listAll, notes.list]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.frontend.naming.join import TOOL_NAME
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import style_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the alias `{alias}` is a whole name: it has no `{prefix}` in front",
    "did you mean `{full}`? Suppress this note where callers really use `{alias}`",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a note for each alias that would be a free full name with the service's prefix."""
    tool, service = visit.tool, visit.service
    if not tool.aliases:
        return
    prefix = service.names.prefix
    for at, alias in enumerate(tool.aliases):
        full = f"{prefix}{alias}"
        if alias.startswith(prefix) or full in visit.names or not TOOL_NAME.fullmatch(alias):
            continue
        if style_of(alias) not in visit.names.styles:
            continue
        place = visit.place("aliases", at)
        fix = edits.fix(f"write `{full}`", edits.replace_value(place, full)) if place else None
        span = visit.at("aliases", at)
        yield KIND.at(span, fix=fix, alias=alias, prefix=prefix, full=full)
