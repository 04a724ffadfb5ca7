"""Credentials are sent to an address without encryption.

Whoever is on the way reads them: the token, and all that it gives access to.

Reported:

    service:
      settings:
        type: object
        properties: {baseUrl: {type: string, default: "http://api.example.com", description: Where.}}
    tools: [{name: get}]

Accepted:

    service:
      settings:
        type: object
        properties: {baseUrl: {type: string, default: "https://api.example.com", description: Where.}}
    tools: [{name: get}]
    ---
    service:
      settings:
        type: object
        properties: {baseUrl: {type: string, default: "http://localhost:8080", description: Where.}}
    tools: [{name: get}]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import fix, replace_value
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the default of `{name}` is an address without encryption",
    "write `https:`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_PLAIN = re.compile(r"(?i)http://(?!localhost\b|127\.|\[::1\])")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each setting whose default is an `http:` address of another machine."""
    for each in visit.properties if visit.role is Role.SETTINGS else ():
        default = each.schema.get("default")
        if isinstance(default, str) and _PLAIN.match(default):
            place = visit.place(*each.path, "default")
            edits = replace_value(place, f"https{default[4:]}") if place else ()
            mended = fix("write `https:`", edits)
            yield visit.finding(KIND, (*each.path, "default"), fix=mended, name=each.name)
