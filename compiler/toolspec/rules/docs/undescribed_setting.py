"""A setting has no description.

An administrator who installs the service sees nothing but the name, and cannot ask anybody.

Reported:

    service:
      settings: {type: object, properties: {baseUrl: {type: string}}}
    tools: [{name: get}]

Accepted:

    service:
      settings:
        type: object
        properties: {baseUrl: {type: string, description: Where the service answers.}}
    tools: [{name: get}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import Role, SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the setting `{name}` has no description",
    "say what it is for, where its value is found, and what happens without it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each member of the settings without a description."""
    if visit.role is Role.SETTINGS:
        for each in visit.properties:
            if not each.schema.get("description") and "$ref" not in each.schema:
                yield visit.finding(KIND, each.path, name=each.name)
