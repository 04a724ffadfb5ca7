"""Python identifiers as a kind of code, and the allocation of unique names."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Self

from toolspec.frontend.naming.identifiers import is_name as is_python_name
from toolspec.targets.templates import Code

_WORD = re.compile(r"[A-Za-z0-9]+")
# The same names come again and again: keys of types, parameters, methods.
is_name = lru_cache(maxsize=2048)(is_python_name)


class Identifier(Code):
    """A valid ASCII Python identifier that is no keyword."""

    __slots__ = ()

    def __new__(cls, text: str) -> Self:
        """Raise ValueError for any other text, so that no text becomes code in place of a name."""
        if type(text) is cls:
            return text
        if not is_name(text):
            message = f"no Python name: {text!r}"
            raise ValueError(message)
        return super().__new__(cls, text)


def pascal(text: str) -> str:
    """Return the ASCII words of a text joined with capitals; empty where it has none."""
    return "".join(word[0].upper() + word[1:] for word in _WORD.findall(text))


class Names:
    """Allocator of unique names in one module."""

    def __init__(self, taken: frozenset[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def give(self, wanted: str) -> Identifier:
        """Return the wanted name, or the first free one of `<wanted>2`, `<wanted>3` …."""
        base = wanted if is_name(wanted) else f"Type{pascal(wanted)}"
        name, number = base, self._next.get(base, 2)
        while name in self._taken:
            name, number = f"{base}{number}", number + 1
        self._next[base] = number
        self._taken.add(name)
        return Identifier(name)
