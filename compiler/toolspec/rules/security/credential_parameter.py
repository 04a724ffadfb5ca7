"""A model is asked for a credential.

What a model writes stands in the conversation: it is sent to the provider, kept in logs, and shown. A
credential belongs into the service's `auth` or `settings`, from which the handler gets it unseen.

Reported:

    tools:
      - name: login
        inputSchema:
          type: object
          properties: {apiKey: {type: string, description: The key.}}

Accepted:

    service:
      settings:
        type: object
        properties: {apiKey: {type: string, format: password, description: The key.}}
    tools:
      - name: list
        inputSchema:
          type: object
          properties:
            pageToken: {type: string, description: Where to go on.}
            maxTokens: {type: integer, description: How long at most.}
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
    "a model has to write `{name}`, which is a credential",
    "take it from the service's `auth` or `settings`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each text that a model writes and that is named as a credential."""
    for each in visit.properties if visit.is_input else ():
        if is_credential(each):
            yield visit.finding(KIND, each.path, name=each.name)
