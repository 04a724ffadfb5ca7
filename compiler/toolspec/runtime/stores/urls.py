"""URLs of stores in servers: the namespace in them, and their passwords."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from toolspec.runtime.record import Record
from toolspec.runtime.stores import StoreError

_NAMESPACE = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_SECRET = ("password", "sslpassword", "passfile")
"""Parameters of a URL that hold passwords."""


class StoreUrl(Record):
    """The URL of a server without `namespace`, the name under which its store keeps everything."""

    text: str
    shown: str
    """The URL without user, password and parameters."""
    namespace: str
    passwords: tuple[str, ...]

    @staticmethod
    def parsed(url: str) -> StoreUrl:
        """Return the parts of a URL. Raises StoreError for one that cannot be read."""
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
            port = f":{parts.port}" if parts.port else ""
            password = parts.password or ""
        except ValueError:
            problem = "the URL of the store has no valid host and port"
            raise StoreError(problem) from None
        parameters = parse_qsl(parts.query, keep_blank_values=True)
        namespace = dict(parameters).get("namespace", "toolspec")
        if _NAMESPACE.fullmatch(namespace) is None:
            problem = "the `namespace` of the store is not a name of small letters, digits and `_`"
            raise StoreError(problem)
        others = [(name, value) for name, value in parameters if name != "namespace"]
        secrets = [password, unquote(password), *(v for name, v in others if name in _SECRET)]
        return StoreUrl(
            text=urlunsplit(parts._replace(query=urlencode(others))),
            shown=f"{parts.scheme}://{host}{port}{parts.path}",
            namespace=namespace,
            passwords=tuple(filter(None, secrets)),
        )

    def __repr__(self) -> str:
        return f"StoreUrl({self.shown!r})"

    def without_password(self, problem: object) -> str:
        """Return the text of a problem on one line, with no password of the URL."""
        text = " ".join(str(problem).split()).replace(self.text, self.shown)
        for password in self.passwords:
            text = text.replace(password, "***")
        return text
