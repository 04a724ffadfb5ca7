"""A tool's name carries a version number.

`version` is what says which edition of a tool this is: a caller who asks for `search` then gets the
newest, and one who needs the old one asks for `search@1.0`. In a name the number stays for ever, and
a model sees two tools where there is one.

Reported:

    tools:
      - name: search_v2

Accepted:

    tools:
      - name: search
        version: "2.0"
      - name: convertToIpv4
      - name: oauth2Login
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{name}` carries a version number",
    "give the tool a `version`, and keep this name as an alias",
)
VISITS = ToolVisit
_VERSION = re.compile(r"v\d+")


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a name that ends with a version."""
    if _VERSION.fullmatch(words_of(visit.tool.name)[-1]):
        yield KIND.at(name_span(visit.tool), name=visit.tool.name)
