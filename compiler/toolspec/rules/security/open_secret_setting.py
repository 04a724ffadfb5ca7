"""A setting that holds a secret does not say so.

Settings with `format: password` are kept out of logs, errors, manifests and what a debugger shows. A
secret without it is a text like any other.

Reported:

    service:
      settings: {type: object, properties: {apiKey: {type: string, description: The key.}}}
    tools: [{name: get}]

Accepted:

    service:
      settings:
        type: object
        properties:
          apiKey: {type: string, format: password, description: The key.}
          keyboard: {type: string, description: The layout.}
    tools: [{name: get}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.edits import fix, insert_member
from toolspec.rules.rule import declare
from toolspec.rules.secrets import is_credential
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the setting `{name}` holds a secret and does not say so",
    "add `format: password`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each setting that is named as a credential and is not marked as one."""
    for each in visit.properties if visit.role in (Role.SETTINGS, Role.CREDENTIALS) else ():
        if is_credential(each) and each.schema.get("format") != "password":
            place = visit.place(*each.path)
            edits = insert_member(place, "format", "password", after="type") if place else ()
            mended = fix("add `format: password`", edits)
            yield visit.finding(KIND, each.path, fix=mended, name=each.name)
