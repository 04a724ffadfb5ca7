"""Anchors of headings, and families of codes."""

from __future__ import annotations

import re

_UNLINKED = re.compile(r"[^\w -]")


def anchor(heading: str) -> str:
    """Return the fragment of a heading, as GitHub derives it."""
    return _UNLINKED.sub("", heading.lower()).replace(" ", "-")


def family_of(code: str) -> str:
    """Return the part of a code before the slash."""
    return code.partition("/")[0]
