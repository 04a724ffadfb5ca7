"""The known name that a misspelt one was most likely meant to be."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 100
_MOST = 1_000
"""Comparing takes time by the lengths and the number of the words, which callers may choose."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was most likely meant, or the empty string."""
    from difflib import get_close_matches
    from itertools import islice

    if len(word) > _LONGEST:
        return ""
    candidates = {each.casefold(): each for each in islice(known, _MOST)}
    matches = get_close_matches(word.casefold(), candidates, n=1, cutoff=0.6)
    return candidates[matches[0]] if matches else ""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean …?` with the nearest of the known names, or nothing."""
    close = nearest(name, known)
    return f"; did you mean `{close}`?" if close else ""
