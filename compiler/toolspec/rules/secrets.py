"""Members with names of secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from toolspec.rules.visits import Property

# The last words of a name, joined. `token` alone often means a page token.
_SECRETS = (
    "accesskey", "accesstoken", "apikey", "apitoken", "authtoken", "bearertoken", "clientsecret",
    "passphrase", "passwd", "password", "privatekey", "refreshtoken", "secret", "secretkey",
)  # fmt: skip


def is_credential(member: Property) -> bool:
    """Return whether a member is a string with the name of a credential."""
    name = "".join(words_of(member.name))
    return name.endswith(_SECRETS) and member.schema.get("type", "string") == "string"
