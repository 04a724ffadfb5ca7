"""Where a type is being made, and the places at which no type could be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from toolspec.targets.python.sites import Key

View: TypeAlias = "tuple[tuple[Key, frozenset[str]], ...]"


@dataclass(frozen=True, slots=True)
class Fallback:
    """A place typed as `object` although the schema asks for something narrower."""

    root: str
    path: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a type is being made: the name for a class of its own, and what leads here unguarded."""

    hint: str
    view: View | None
    pending: frozenset[View]
    doc: str = ""

    def inside(self, suffix: str) -> Scope:
        """Return the scope of what a container holds: nothing leads back from there unguarded."""
        return Scope(f"{self.hint}{suffix}", None, frozenset())
