"""Which day it is: asked where a request is made, and nowhere below.

It is on the way of a compile that finds nothing to do: it imports what the interpreter has loaded
already, and no more.
"""

from __future__ import annotations

import os
import time


def today() -> str:
    """Return the day in UTC as `2027-01-31`: that of `SOURCE_DATE_EPOCH` where it is set to a number."""
    stated = os.environ.get("SOURCE_DATE_EPOCH", "")
    seconds = int(stated) if stated.isascii() and stated.isdigit() else time.time()
    try:
        return time.strftime("%Y-%m-%d", time.gmtime(seconds))
    except (OverflowError, ValueError):
        return time.strftime("%Y-%m-%d", time.gmtime())
