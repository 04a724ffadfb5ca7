"""Rename a tool to a name that the provider accepts."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.providers.ledger import Entry, Outcome
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Limits, Options

NAME = "name-tool"
_DIGITS = 8
_UNSAFE = re.compile(r"[^A-Za-z0-9_]+")


def name_tool(draft: Draft, _: Options, limits: Limits) -> Draft:
    """Return the draft with the tool's full name, or one derived from it for the profile.

    A name that is too long is cut, and ends in 8 hex digits of the SHA-256 of the full name.
    """
    full = draft.tool.names.full
    fits = not limits.name_pattern or re.fullmatch(limits.name_pattern, full) is not None
    longest = limits.name_length or len(full)
    if fits and len(full) <= longest:
        return replace(draft, name=full)
    name = _UNSAFE.sub("_", full).strip("_")
    name = name if name[:1].isalpha() else f"t_{name}"
    if len(name) > longest:
        digest = sha256(full.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        name = f"{name[: longest - _DIGITS - 1]}_{digest}"
    entry = Entry("", "name", Outcome.ENCODED, NAME, f"`{full}` is sent as `{name}`")
    return replace(draft, name=name, entries=(*draft.entries, entry))
