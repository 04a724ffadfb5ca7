"""A sequence whose values are made on access."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class LazySequence(Sequence[T]):
    """A sequence that computes each value from an item, again on every access.

    It equals any sequence of the same values.
    """

    def __init__(self, items: Sequence[Any], make: Callable[[Any], T]) -> None:
        self._items, self._make = items, make

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return tuple(map(self._make, self._items[index]))
        return self._make(self._items[index])

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as a tuple, since the function may refer to much more, such as a whole program."""
        return tuple, (tuple(self),)
