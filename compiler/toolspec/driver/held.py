"""Values that a build holds of each service until all are linked: compressed, or as they are."""

from __future__ import annotations

import json
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from toolspec.shared.lazy_sequence import LazySequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_LEVEL = 3  # as fast as the lowest; 6, the default, takes twice as long and saves a ninth


class Held(Protocol[T_co]):
    """A value that is held."""

    def value(self) -> T_co:
        """Return the value."""


class Plain(Generic[T]):
    """A value as it is, for a process that reads it repeatedly or has just decoded it."""

    __slots__ = ("_value",)

    def __init__(self, value: T) -> None:
        self._value = value

    def value(self) -> T:
        """Return the value."""
        return self._value


class Compressed(Generic[T]):
    """A value as compressed JSON, a sixth of its size in memory; decoded at each reading."""

    __slots__ = ("_data", "_decode")

    def __init__(self, encoded: object, decode: Callable[[Any], T]) -> None:
        import zlib  # `toolspec check` compresses nothing

        self._data = zlib.compress(json.dumps(encoded).encode("ascii"), _LEVEL)
        self._decode = decode

    def json(self) -> str:
        """Return the value as JSON."""
        import zlib

        return zlib.decompress(self._data).decode("ascii")

    def value(self) -> T:
        """Return the value."""
        return self._decode(json.loads(self.json()))


def as_it_is(value: T) -> T:
    """Return a value that JSON represents already."""
    return value


def held_as_json(held: Held[T] | None, encode: Callable[[T], object] = as_it_is) -> str:
    """Return a value as JSON, `null` for None."""
    if isinstance(held, Compressed):
        return held.json()
    return json.dumps(held and encode(held.value()))


def held_values(held: Iterable[Held[T]]) -> Sequence[T]:
    """Return the values of held ones, each decoded when it is read."""
    return LazySequence(tuple(held), methodcaller("value"))
