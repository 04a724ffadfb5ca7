"""A text looks like a key or token that opens something.

A spec is published: in a repository, in manifests, in documentation. A credential in a default or an
example is published with it, and has to be revoked, not just deleted. Placeholders are let through:
few different characters, or the word `example`.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            key: {type: string, description: A key., default: "-----BEGIN PRIVATE KEY-----"}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties:
            token: {type: string, description: "Begins with ghp_.", default: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}
            key: {type: string, description: A key., default: AKIAIOSFODNN7EXAMPLE}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.credentials import BEGINNINGS, credential_in
from toolspec.rules.rule import declare
from toolspec.rules.visits import DocumentVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.ERROR,
    "this text looks like {what}",
    "revoke it if it is real, and write a placeholder, for instance `<token>`",
)
VISITS = DocumentVisit


def check(visit: DocumentVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each text with a credential, which it does not repeat."""
    for text in visit.texts(BEGINNINGS):
        if what := credential_in(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), what=what)
