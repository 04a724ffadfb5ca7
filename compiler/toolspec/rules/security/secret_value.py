"""A text contains a credential."""

import re
from typing import NamedTuple

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "this text looks like {what}",
    "revoke it if it is real, and write a placeholder such as `<token>`",
)
VISITS = DocumentVisit
# Minimum number of different characters: placeholders such as `ghp_xxxx…` have fewer.
DISTINCT = 9


class Credential(NamedTuple):
    """A kind of credential: patterns of its beginning and of the whole, and its name."""

    beginning: str
    pattern: str
    what: str


CREDENTIALS = (
    Credential("A[KS]IA", r"\bA[KS]IA[0-9A-Z]{16}\b", "an access key of AWS"),
    Credential("gh[pousr]_", r"\bgh[pousr]_[A-Za-z0-9]{36,}", "a token of GitHub"),
    Credential("github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{22,}", "a token of GitHub"),
    Credential("glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}", "a token of GitLab"),
    Credential("xox[abeprs]-", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}", "a token of Slack"),
    Credential("sk-", r"\bsk-[A-Za-z0-9_-]{20,}", "a secret API key"),
    Credential("k_live_", r"\b[sr]k_live_[A-Za-z0-9]{16,}", "a live key of Stripe"),
    Credential("AIza", r"\bAIza[0-9A-Za-z_-]{35}", "an API key of Google"),
    Credential("eyJ", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}", "a signed token (JWT)"),
    Credential("-----BEGIN ", r"-----BEGIN [A-Z ]*PRIVATE KEY-----", "a private key"),
)

_BEGINNINGS = "|".join(credential.beginning for credential in CREDENTIALS)

_PATTERN = "|".join(f"({credential.pattern})" for credential in CREDENTIALS)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with a credential, without repeating it."""
    for text in visit.texts(_BEGINNINGS):
        if what := credential_in(text.text):
            yield KIND.at(visit.span(text), subject=visit.about(text), what=what)


def credential_in(text: str) -> str:
    """Return the kind of the first credential in a text; empty without one."""
    for match in re.finditer(_PATTERN, text):
        secret = match.group()
        if len(set(secret)) >= DISTINCT and "example" not in secret.lower():
            return CREDENTIALS[(match.lastindex or 1) - 1].what
    return ""
