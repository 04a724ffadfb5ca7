"""Shorten a description to the provider's limit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.providers.ledger import Entry, Outcome
from toolspec.providers.steps.write_notes import contains, undescribed
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Limits, Options

NAME = "fit-description"
_END = re.compile(r"[.!?](?=\s)|\n")
_MARK = "…"


def fit_description(draft: Draft, _: Options, limits: Limits) -> Draft:
    """Return the draft with a description within the profile's limit, cut at the end of a sentence.

    A keyword whose note is no longer complete in the description is lost.
    """
    text = draft.description
    for longest, unit in ((limits.description_length, 1), (limits.description_bytes, 0)):
        if longest is not None:
            text = cut(text, longest, in_bytes=not unit)
    if text == draft.description:
        return draft
    lost = len(draft.description) - len(text)
    entry = Entry("", "description", Outcome.DROPPED, NAME, f"{lost} characters are cut")
    cut_off = {
        at
        for written_note in draft.written_notes
        if not contains(text, written_note.text)
        for at in written_note.origins
    }
    described = {earlier_entry.pointer for earlier_entry in draft.entries} - cut_off
    entries = undescribed(draft.entries, described, "the description has no room for its sentence")
    return replace(draft, description=text, entries=(*entries, entry))


def cut(text: str, longest: int, *, in_bytes: bool = False) -> str:
    """Return a text of at most `longest` characters or UTF-8 bytes; `…` marks a cut."""
    if _size(text, in_bytes=in_bytes) <= longest:
        return text
    room = longest - _size(_MARK, in_bytes=in_bytes)
    if room < 0:
        return ""
    head = text.encode()[:room].decode(errors="ignore") if in_bytes else text[:room]
    ends = [match.end() for match in _END.finditer(head)]
    if ends and ends[-1] > len(head) // 2:
        head = head[: ends[-1]].rstrip()
    return head + _MARK


def _size(text: str, *, in_bytes: bool) -> int:
    return len(text.encode()) if in_bytes else len(text)
