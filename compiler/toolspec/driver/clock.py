"""Current date, read only where a request is created.

A compile that has nothing to do imports this module, so it imports only what the interpreter has
loaded already.
"""

from __future__ import annotations

import os
import time


def today() -> str:
    """Return the UTC date as `2027-01-31`: that of `SOURCE_DATE_EPOCH` if it is set to a number."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        seconds = int(stated) if stated.isascii() and stated.isdigit() else time.time()
        return time.strftime("%Y-%m-%d", time.gmtime(seconds))
    except (OverflowError, ValueError):
        return time.strftime("%Y-%m-%d", time.gmtime())
