"""State of a type conversion, and the record of locations that could not be typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from toolspec.targets.python.schema_location import Key

View: TypeAlias = "tuple[tuple[Key, frozenset[str]], ...]"


@dataclass(frozen=True, slots=True)
class Fallback:
    """A location typed as `object` although its schema is narrower."""

    root: str
    path: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Scope:
    """State of a conversion: the hint for class names, and the views that lead here unguarded."""

    hint: str
    view: View | None
    pending: frozenset[View]
    doc: str = ""

    def inside(self, suffix: str) -> Scope:
        """Return the scope for the content of a container, which guards recursion."""
        return Scope(f"{self.hint}{suffix}", None, frozenset())
