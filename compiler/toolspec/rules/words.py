"""The words of names and texts: what verbs say of a tool, and when two texts say the same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import snake_case

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Words with one meaning: where a service uses two of a set, a model takes them for two things.
SYNONYMS = (
    frozenset({"fetch", "get", "retrieve"}),
    frozenset({"find", "lookup", "search"}),
    frozenset({"edit", "modify", "update"}),
    frozenset({"delete", "destroy", "erase"}),
)
READING = frozenset(
    {
        "check", "count", "describe", "download", "enumerate", "fetch", "find", "get", "inspect",
        "list", "lookup", "peek", "query", "read", "retrieve", "search", "show", "view",
    }
)  # fmt: skip
CREATING = frozenset({"add", "append", "create", "insert", "make", "new", "post", "register"})
CHANGING = frozenset({"edit", "move", "patch", "rename", "replace", "set", "update", "write"})
DESTROYING = frozenset(
    {"delete", "destroy", "drop", "erase", "purge", "remove", "truncate", "wipe"}
)
VERBS = READING | CREATING | CHANGING | DESTROYING

_WORD = re.compile(r"[^\W_]+")
# Words that a text needs for grammar and that say nothing of a tool.
_FILLERS = frozenset(
    {
        "a", "an", "and", "by", "for", "from", "in", "into", "is", "it", "its", "of", "on", "or",
        "the", "this", "to", "with", "tool", "function", "method", "parameter", "value", "your",
    }
)  # fmt: skip


# Many rules ask for the words of the same few names.
@lru_cache(maxsize=1 << 16)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: `listOpenIssues` has three."""
    return tuple(word for word in snake_case(name).split("_") if word)


def plain_words(text: str) -> frozenset[str]:
    """Return what a text speaks of: its words in lower case, singular, without those of grammar."""
    return frozenset(_plain(text))


def says_only(text: str, words: frozenset[str]) -> bool:
    """Whether a text has no plain word that is not one of some; it is read no further than that."""
    return all(word in words for word in _plain(text))


def _plain(text: str) -> Iterator[str]:
    found = (match[0].casefold() for match in _WORD.finditer(text))
    return (_singular(word) for word in found if word not in _FILLERS)


def listed(names: Iterable[str]) -> str:
    """Return names in backticks, with commas between them."""
    return ", ".join(f"`{name}`" for name in names)


def _singular(word: str) -> str:
    """Return a word without the ending of a plural or of the third person; good enough to compare."""
    if len(word) > 4 and word.endswith("ies"):  # noqa: PLR2004 - `ties` is `tie`
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word  # noqa: PLR2004
