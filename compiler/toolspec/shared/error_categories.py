"""The categories of errors that a call can end in."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

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

_ALL: tuple[Category, ...] = (
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
)

CATEGORIES: dict[str, Category] = {category: category for category in _ALL}
"""Every category by its name."""
