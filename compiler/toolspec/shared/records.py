"""Fast copies of frozen dataclasses, several times as fast as `dataclasses.replace`."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def replace(record: T, /, **changes: object) -> T:
    """Return a copy of a dataclass instance (of two fields or more) with changed fields."""
    kind = type(record)
    positions, read = _layout(kind)  # type: ignore[arg-type]  # classes are hashable
    values = list(read(record))
    for name, value in changes.items():
        values[positions[name]] = value
    return kind(*values)


@cache
def _layout(kind: type) -> tuple[dict[str, int], Callable[[object], tuple[object, ...]]]:
    """Return the position of each field, and a getter of all values."""
    names = [field.name for field in fields(kind)]
    read = cast("Callable[[object], tuple[object, ...]]", attrgetter(*names))
    return {name: position for position, name in enumerate(names)}, read
