"""The categories of errors that a call can end in."""

# ruff: noqa: F821 - it takes the names for annotations, which they are to type checkers alone

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias
else:

    class Literal:
        """Return the names in the brackets themselves, so that they are listed once."""

        def __class_getitem__(cls, names: tuple[str, ...]) -> tuple[str, ...]:
            return names


Category: TypeAlias = Literal[
    "auth",
    "permission",
    "not_found",
    "validation",
    "conflict",
    "rate_limit",
    "timeout",
    "unavailable",
    "cancelled",
    "verification",
    "output",
    "internal",
]


def _by_name(categories: Any) -> dict[str, Category]:
    return {category: category for category in categories}


CATEGORIES = _by_name(Category)
"""Every category by its name."""
