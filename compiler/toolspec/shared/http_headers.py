"""Names of headers, and those that no caller of a tool may set."""

from __future__ import annotations

import re
from types import MappingProxyType

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIALS = "let `security` set it from the credentials"
_CONNECTION = "delete the argument; the client sets the header"
FORBIDDEN_HEADERS = MappingProxyType(
    {
        "accept": "write `accept`",
        "authorization": _CREDENTIALS,
        "cookie": "write `in: cookie`",
        "content-type": "write `contentType` into `body`",
        "host": "write `server`",
        **dict.fromkeys(("proxy-authenticate", "proxy-authorization"), _CREDENTIALS),
        **dict.fromkeys(
            (
                "accept-encoding",
                "connection",
                "content-encoding",
                "content-length",
                "expect",
                "keep-alive",
                "proxy-connection",
                "te",
                "trailer",
                "transfer-encoding",
                "upgrade",
            ),
            _CONNECTION,
        ),
    }
)
"""Names in lower case, each with what to do instead."""


def is_token(name: str) -> bool:
    """Return whether a text can be the name of a header or cookie."""
    return _TOKEN.fullmatch(name) is not None
