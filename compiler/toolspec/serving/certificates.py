"""The certificates that servers are verified with."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    import ssl


@cache
def certificates() -> ssl.SSLContext:
    """Return the certificates that the platform trusts, read once by a process.

    A client without them reads them again, which takes longer than a call of a local server.
    """
    return httpx2.create_ssl_context()
