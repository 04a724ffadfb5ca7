"""Names of members that hold secrets."""

# `token` alone often means a page token.
SECRET_NAMES = (
    "accesskey", "accesstoken", "apikey", "apitoken", "authtoken", "bearertoken", "clientsecret",
    "passphrase", "passwd", "password", "privatekey", "refreshtoken", "secret", "secretkey",
)  # fmt: skip
"""Ends of such names, in lower case without separators."""
