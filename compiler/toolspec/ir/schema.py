"""JSON Schemas in a program: as written, and in a self-contained form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue, Location
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class Schema:
    """One embedded schema.

    `value` is the schema as written in the document. `bundle` is equivalent in JSON Schema 2020-12
    with every reference inside itself (`#`, `#/…`): definitions shared by the service or taken from
    other files are in its `$defs`. `shared` maps such a `$defs` name to the name of the service's
    `Definition`, so that a target can give a shared definition one type.
    """

    value: JsonValue
    bundle: JsonValue
    shared: tuple[tuple[str, str], ...] = ()
    location: Location | None = field(default=None, compare=False, repr=False)
    broken: tuple[Path, ...] | None = field(default=(), compare=False, repr=False)
    """The paths of the invalid subschemas; None where none could be read."""

    @classmethod
    def of(cls, value: JsonValue, location: Location | None = None) -> Schema:
        """Return a schema without references to anything outside itself."""
        return cls(value, value, (), location)


class Bundled(Protocol):
    """A self-contained form that is made on first access."""

    @property
    def value(self) -> JsonValue:
        """The value of `Schema.bundle`."""

    @property
    def shared(self) -> tuple[tuple[str, str], ...]:
        """The value of `Schema.shared`."""


class LateSchema(Schema):
    """A schema whose `bundle` and `shared` are made on first access."""

    __slots__ = ("_bundled",)

    @classmethod
    def bundled_by(
        cls,
        bundled: Bundled,
        value: JsonValue,
        location: Location | None,
        broken: tuple[Path, ...] | None,
    ) -> LateSchema:
        """Return a schema that gets its self-contained form from another object."""
        schema = cls.__new__(cls)
        fields = {"value": value, "location": location, "broken": broken, "_bundled": bundled}
        for name, member in fields.items():
            object.__setattr__(schema, name, member)
        return schema

    def __getattr__(self, name: str) -> Any:
        """Return a field on its first access, while its slot is still empty."""
        if name not in ("bundle", "shared"):
            raise AttributeError(name)
        made: Any = self._bundled.value if name == "bundle" else self._bundled.shared
        object.__setattr__(self, name, made)
        return made
