"""An icon name is not in the Lucide icon set.

`icon` names a Lucide icon. Interfaces that show tools look the name up there; for a name that they do
not find they show a placeholder, or nothing. The names are those of `lucide-static` 1.62.0, former
names included. For an icon that is newer than that, suppress the warning.

Reported:

    tools:
      - name: search
        icon: serch

Accepted:

    tools:
      - name: search
        icon: search
      - name: list
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import fix, replace_value
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{icon}` is not the name of a Lucide icon",
    "{suggestion}",
)
VISITS = ToolVisit
_NAMES = Path(__file__).with_name("lucide.txt")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a diagnostic for an icon name that Lucide does not have, with the nearest one."""
    place, icon = visit.place("icon"), visit.tool.icon
    if place is None or place.value_or_none is None or icon in lucide_names():
        return
    close = nearest(icon, lucide_names())
    suggestion = "choose one from https://lucide.dev/icons, or delete the key"
    renamed = None
    if close:
        suggestion = f"did you mean `{close}`? Else {suggestion}"
        renamed = fix(f"write `{close}`", replace_value(place, close))
    yield KIND.at(place.span, fix=renamed, icon=icon, suggestion=suggestion)


@cache
def lucide_names() -> tuple[str, ...]:
    """Return the names of all Lucide icons, sorted; lines that begin with `#` are comments."""
    lines = _NAMES.read_text(encoding="ascii").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))
