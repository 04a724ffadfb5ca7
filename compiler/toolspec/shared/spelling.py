"""Suggestions for misspelt names."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 100
"""Maximum length of a compared word, because the time depends on it and callers choose it."""


_MOST = 300
_MOST_READ = 2_000
"""Maximum number of known names considered, and of names compared."""

_CUTOFF = 0.6


def nearest(word: str, names: Iterable[str]) -> str:
    """Return the known word closest to `word`, or an empty string.

    The closest has the greatest ratio of `difflib`. Of many names only those with the same first
    letter are compared, and of very many only the first are considered.
    """
    if len(word) > _LONGEST:
        return ""
    if isinstance(names, (set, frozenset)):
        names = sorted(names)  # the order of a set differs from process to process
    read = [*islice(names, _MOST_READ)]
    if len(read) > _MOST:
        first = {word[:1].lower(), word[:1].upper()}
        read = [item for item in read if item[:1] in first][:_MOST]
    return _nearest(word, tuple(read))


@lru_cache(maxsize=1024)
def _nearest(word: str, names: tuple[str, ...]) -> str:
    from difflib import SequenceMatcher

    letters = _letters(names)
    folded = word.casefold()
    common: Counter[str] = Counter()
    for occurrence in _occurrences(folded):
        common.update(letters.get(occurrence, ()))
    # The letters in common bound the ratio, so nearly all names need not be compared.
    bounds = [
        (bound, item)
        for item, count in common.items()
        if (bound := 2 * count / (len(folded) + len(item))) >= _CUTOFF
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
    return {item.casefold(): item for item in names}[best[1]] if best[1] else ""


@lru_cache(maxsize=64)
def _letters(names: tuple[str, ...]) -> dict[tuple[str, int], list[str]]:
    """Return the words by letter and count of its occurrences."""
    having: dict[tuple[str, int], list[str]] = {}
    for word in dict.fromkeys(name.casefold() for name in names):
        for occurrence in _occurrences(word[:_LONGEST]):
            having.setdefault(occurrence, []).append(word)
    return having


def _occurrences(word: str) -> Iterable[tuple[str, int]]:
    return ((letter, n) for letter, count in Counter(word).items() for n in range(count))


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return `; did you mean …?` with the nearest of the known names, or an empty string."""
    close = nearest(name, names)
    return f"; did you mean `{close}`?" if close else ""
