"""The known name that a misspelt one was most likely meant to be."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 100
"""Comparing takes time by the length of the word, which a caller may choose."""


_MOST = 300
_MOST_READ = 2_000
"""So many known names are compared, and looked at: each of thousands of words could be with each."""

_CUTOFF = 0.6


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that was most likely meant, or the empty string.

    That is the one with the greatest ratio of `difflib`. Of many names those are compared that begin
    with the same letter, and of very many only the first are looked at.
    """
    if len(word) > _LONGEST:
        return ""
    read = [*islice(known, _MOST_READ)]
    if len(read) > _MOST:
        first = {word[:1].lower(), word[:1].upper()}
        read = [each for each in read if each[:1] in first][:_MOST]
    return _nearest(word, tuple(read))


@lru_cache(maxsize=1024)
def _nearest(word: str, known: tuple[str, ...]) -> str:
    from difflib import SequenceMatcher

    letters = _letters(known)
    folded = word.casefold()
    common: Counter[str] = Counter()
    for occurrence in _occurrences(folded):
        common.update(letters.get(occurrence, ()))
    # No ratio is greater than that of the letters in common, so nearly all need not be compared.
    bounds = [
        (bound, each)
        for each, count in common.items()
        if (bound := 2 * count / (len(folded) + len(each))) >= _CUTOFF
    ]
    if not bounds:
        return ""
    best = (_CUTOFF, "")
    matcher = SequenceMatcher()
    matcher.set_seq2(folded)
    for bound, candidate in sorted(bounds, reverse=True):
        if bound < best[0]:
            break
        matcher.set_seq1(candidate)
        best = max(best, (matcher.ratio(), candidate))
    return {each.casefold(): each for each in known}[best[1]] if best[1] else ""


@lru_cache(maxsize=64)
def _letters(known: tuple[str, ...]) -> dict[tuple[str, int], list[str]]:
    """Return which words have a letter, and which have it twice, and so on."""
    having: dict[tuple[str, int], list[str]] = {}
    for word in dict.fromkeys(each.casefold() for each in known):
        for occurrence in _occurrences(word[:_LONGEST]):
            having.setdefault(occurrence, []).append(word)
    return having


def _occurrences(word: str) -> Iterable[tuple[str, int]]:
    return ((letter, n) for letter, count in Counter(word).items() for n in range(count))


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean …?` with the nearest of the known names, or nothing."""
    close = nearest(name, known)
    return f"; did you mean `{close}`?" if close else ""
