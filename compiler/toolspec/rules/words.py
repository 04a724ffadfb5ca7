"""Words of names and texts: verbs by effect, paging, credentials, synonyms, comparison."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import snake_case
from toolspec.ir import Idempotency
from toolspec.shared.secret_names import SECRET_NAMES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from toolspec.ir import Tool
    from toolspec.rules.visits import Property

# Sets of synonyms: a model takes two verbs in one service for two different actions.
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
# Words of grammar, without meaning for a tool.
_FILLERS = frozenset(
    {
        "a", "an", "and", "by", "for", "from", "in", "into", "is", "it", "its", "of", "on", "or",
        "the", "this", "to", "with", "tool", "function", "method", "parameter", "value", "your",
    }
)  # fmt: skip


_STYLES = (
    ("snake_case", re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")),
    ("kebab-case", re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")),
    ("camelCase", re.compile(r"[a-z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*")),
    ("PascalCase", re.compile(r"[A-Z][A-Za-z0-9]*")),
    ("no style", re.compile(r".*[A-Z_-].*")),
)


# Many rules ask for the words of the same few names.
@lru_cache(maxsize=1 << 16)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: `listOpenIssues` has three."""
    return tuple(word for word in snake_case(name).split("_") if word)


@lru_cache(maxsize=1 << 16)
def plain_words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, singular, without those of grammar."""
    return tuple(_singular(word) for word in words_of(name) if word not in _FILLERS)


def plain_words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case, singular, without those of grammar."""
    words = map(str.casefold, _WORD.findall(text))
    return frozenset([_singular(word) for word in words if word not in _FILLERS])


def says_only(text: str, words: Container[str]) -> bool:
    """Return whether a text has only the given plain words; stops at the first other one."""
    return all(word in words for word in _plain(text))


def _plain(text: str) -> Iterator[str]:
    matches = (match[0].casefold() for match in _WORD.finditer(text))
    return (_singular(word) for word in matches if word not in _FILLERS)


def style_of(name: str) -> str:
    """Return the style of a name; empty if it fits every style."""
    return next((style for style, pattern in _STYLES if pattern.fullmatch(name)), "")


def listed(names: Iterable[str]) -> str:
    """Return names in backticks, with commas between them."""
    return ", ".join(f"`{name}`" for name in names)


def _singular(word: str) -> str:
    """Return a word without a plural or third-person ending; accurate enough to compare."""
    if len(word) > 4 and word.endswith("ies"):  # noqa: PLR2004 - `ties` is `tie`
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word  # noqa: PLR2004


def is_credential(member: Property) -> bool:
    """Return whether a member is a string with the name of a credential."""
    name = "".join(words_of(member.name))
    return name.endswith(SECRET_NAMES) and member.schema.get("type", "string") == "string"


def destroys(tool: Tool) -> bool:
    """Return whether a tool destroys according to its author or its name.

    A tool that is destructive by default only, without a hint, may just add.
    """
    is_known = "destructiveHint" in tool.annotations.stated or words_of(tool.name)[0] in DESTROYING
    return tool.mutation and tool.annotations.destructive and is_known


def is_repeatable(tool: Tool) -> bool:
    """Return whether a repeated call has no further effect: always, or with a key."""
    return tool.annotations.idempotent or tool.idempotency is not Idempotency.NONE
