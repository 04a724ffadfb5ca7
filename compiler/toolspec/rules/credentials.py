"""What credentials look like, so that one in a spec is found before it is published."""

from __future__ import annotations

import re
from typing import NamedTuple

# Placeholders repeat themselves: `ghp_xxxx…` has five different characters.
DISTINCT = 9


class Secret(NamedTuple):
    """A kind of credential: how it begins, in lower case; the whole of it; what to call it."""

    beginning: str
    pattern: str
    what: str


SECRETS = (
    Secret("akia", r"\bAKIA[0-9A-Z]{16}\b", "an access key of AWS"),
    Secret("asia", r"\bASIA[0-9A-Z]{16}\b", "an access key of AWS"),
    Secret("gh", r"\bgh[pousr]_[A-Za-z0-9]{36,}", "a token of GitHub"),
    Secret("github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{22,}", "a token of GitHub"),
    Secret("glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}", "a token of GitLab"),
    Secret("xox", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}", "a token of Slack"),
    Secret("sk-", r"\bsk-[A-Za-z0-9_-]{20,}", "a secret API key"),
    Secret("k_live_", r"\b[sr]k_live_[A-Za-z0-9]{16,}", "a live key of Stripe"),
    Secret("aiza", r"\bAIza[0-9A-Za-z_-]{35}", "an API key of Google"),
    Secret("eyj", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}", "a signed token (JWT)"),
    Secret("-----begin", r"-----BEGIN [A-Z ]*PRIVATE KEY-----", "a private key"),
)
BEGINNINGS = tuple(each.beginning for each in SECRETS)
_ANY = re.compile("|".join(f"({each.pattern})" for each in SECRETS))


def credential_in(text: str) -> str:
    """Return what the first credential in a text is called; empty where there is none."""
    for found in _ANY.finditer(text):
        secret = found.group()
        if len(set(secret)) >= DISTINCT and "example" not in secret.lower():
            return SECRETS[(found.lastindex or 1) - 1].what
    return ""
