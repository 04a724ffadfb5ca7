"""A result holds a credential.

What a tool returns stands in the conversation: it is sent to the provider, kept in logs, and shown to
whoever reads along.

Reported:

    tools:
      - name: signUp
        mutation: true
        outputSchema:
          type: object
          properties: {password: {type: string, description: The password.}}

Accepted:

    tools:
      - name: signUp
        mutation: true
        outputSchema:
          type: object
          properties: {passwordSet: {type: boolean, description: Whether there is one.}}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.secrets import is_credential
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "a result holds `{name}`, which is a credential",
    "leave it out, or return a link by which the user alone gets it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each text in a result that is named as a credential."""
    for each in visit.properties if visit.is_output else ():
        if is_credential(each):
            yield visit.finding(KIND, each.path, name=each.name)
