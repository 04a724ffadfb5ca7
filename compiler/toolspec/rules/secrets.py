"""Which members are named as secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.rules.words import words_of

if TYPE_CHECKING:
    from toolspec.rules.visits import Property

# The last words of a name, joined. `token` alone is too often the mark of a page.
_SECRETS = (
    "accesskey", "accesstoken", "apikey", "apitoken", "authtoken", "bearertoken", "clientsecret",
    "passphrase", "passwd", "password", "privatekey", "refreshtoken", "secret", "secretkey",
)  # fmt: skip


def is_credential(member: Property) -> bool:
    """Whether a member holds a text and its name ends like that of a credential."""
    name = "".join(words_of(member.name))
    return name.endswith(_SECRETS) and member.schema.get("type", "string") == "string"
