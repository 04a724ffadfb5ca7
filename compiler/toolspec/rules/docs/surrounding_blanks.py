"""A text begins or ends with blanks.

They come from docstrings and templates, cost tokens in every request, and make a diff where nothing
was said.

Reported:

    tools:
      - name: search
        description: " Finds notes by words of their text. "

Accepted:

    tools:
      - name: search
        description: |
          Finds notes by words of their text.

          The newest come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import fix, replace_value
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "the description of `{tool}` begins or ends with blanks",
    "delete them",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a description with blanks around it; a block's last line end is none."""
    place = visit.place("description")
    text = place.value_or_none if place else None
    if place and isinstance(text, str) and text.strip() != text.removesuffix("\n"):
        plain = fix("delete the blanks", replace_value(place, text.strip()), safe=True)
        mended = None if "\n" in text.strip() else plain
        yield KIND.at(place.span, fix=mended, tool=visit.tool.name)
