"""A JSON Schema in the program: as its author wrote it, and the same made self-contained."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

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


class Bundled(Protocol):
    """A self-contained form that is made when it is first asked for."""

    @property
    def value(self) -> JsonValue:
        """What `Schema.bundle` is."""

    @property
    def shared(self) -> tuple[tuple[str, str], ...]:
        """What `Schema.shared` is."""


class LateSchema(Schema):
    """A schema whose `bundle` and `shared` are made when they are first asked for."""

    __slots__ = ("_bundled",)

    @classmethod
    def bundled_by(
        cls,
        bundled: Bundled,
        value: JsonValue,
        place: Place | None,
        broken: tuple[Path, ...] | None,
    ) -> LateSchema:
        """Return a schema that asks another object for its self-contained form."""
        schema = cls.__new__(cls)
        fields = {"value": value, "place": place, "broken": broken, "_bundled": bundled}
        for name, each in fields.items():
            object.__setattr__(schema, name, each)
        return schema

    def __getattr__(self, name: str) -> Any:
        """Return a field that was not asked for before: its slot is still empty."""
        if name not in ("bundle", "shared"):
            raise AttributeError(name)
        made: Any = self._bundled.value if name == "bundle" else self._bundled.shared
        object.__setattr__(self, name, made)
        return made
