"""The known name that a misspelt one was most likely meant to be."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 100
"""Comparing takes time by the length of the word, which a caller may choose."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was most likely meant, or the empty string."""
    from difflib import get_close_matches

    if len(word) > _LONGEST:
        return ""
    candidates = {each.casefold(): each for each in known}
    matches = get_close_matches(word.casefold(), candidates, n=1, cutoff=0.6)
    return candidates[matches[0]] if matches else ""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean …?` with the nearest of the known names, or nothing."""
    close = nearest(name, known)
    return f"; did you mean `{close}`?" if close else ""
