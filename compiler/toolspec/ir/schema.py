"""A JSON Schema in the program: as its author wrote it, and the same made self-contained."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue, Place
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class Schema:
    """One embedded schema.

    `value` is what stands in the document. `bundle` means the same in JSON Schema 2020-12 with every
    reference inside itself (`#`, `#/…`): definitions shared by the service or taken from other files
    stand under its `$defs`. `shared` maps such a `$defs` name to the name of the service's
    `Definition`, so that a target can give one type to what is written once.
    """

    value: JsonValue
    bundle: JsonValue
    shared: tuple[tuple[str, str], ...] = ()
    place: Place | None = field(default=None, compare=False, repr=False)
    broken: tuple[Path, ...] | None = field(default=(), compare=False, repr=False)
    """The paths of the subschemas that have an error; None where none could be read."""

    @classmethod
    def of(cls, value: JsonValue, place: Place | None = None) -> Schema:
        """Return a schema that needs nothing from outside itself."""
        return cls(value, value, (), place)
