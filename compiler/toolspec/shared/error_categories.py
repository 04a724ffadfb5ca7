"""Error categories of calls."""

# ruff: noqa: F821 - taken for annotations, as type checkers see them

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias
else:

    class Literal:
        """Return the names in the brackets, so that they are listed only once."""

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
