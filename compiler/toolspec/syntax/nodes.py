"""A parsed document: plain JSON values, and on demand the place of each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from toolspec.shared.records import replace
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.pointer import Path

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a value was written: its key (None in a list and at the root), the value, the aliases.

    `via` holds the places of the YAML aliases through which the value is reached, outermost first;
    `key` and `value` are then those of the anchored original.
    """

    key: Span | None
    value: Span
    via: tuple[Span, ...] = ()

    def reached(self, span: Span) -> Span:
        """Return a span of the value with the places through which it was reached."""
        return replace(span, via=self.via) if self.via else span


class Locator(Protocol):
    """Finds places in one document: at once for YAML, by one scan at the first question for JSON."""

    def locate(self, path: Path) -> Location:
        """Return where the value at a path stands; for a path that does not exist, its parent."""
        ...


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed source: its value is never changed after it was read.

    `partial` has the identities of its mappings that lack what a faulty merge key was to bring.
    `broken` has the paths of the parts that have an error and are left out of what follows: tools,
    definitions, members of a tool or of the service, also those that are missing.
    """

    source: SourceFile
    value: JsonValue
    locator: Locator = field(repr=False, compare=False)
    partial: frozenset[int] = field(default=frozenset(), repr=False, compare=False)
    broken: frozenset[Path] = field(default=frozenset(), repr=False, compare=False)

    def place(self, *steps: str | int) -> Place:
        """Return the place at a path from the root."""
        return Place(self, steps)


@dataclass(frozen=True, slots=True)
class Place:
    """A path inside a document. Cheap to make and to extend: nothing is located until asked."""

    document: Document = field(repr=False)
    path: Path

    def __truediv__(self, step: str | int) -> Place:
        return Place(self.document, (*self.path, step))

    def at(self, *steps: str | int) -> Place:
        """Return the place further down."""
        return Place(self.document, (*self.path, *steps))

    @property
    def value(self) -> JsonValue:
        """The value that stands there. Raises LookupError where there is none."""
        return value_at(self.document.value, self.path)

    @property
    def location(self) -> Location:
        """Its spans; those of the nearest enclosing value where nothing stands there."""
        return self.document.locator.locate(self.path)

    @property
    def value_span(self) -> Span:
        """The span of the value, from its first to its last character."""
        location = self.location
        return location.reached(location.value)

    @property
    def key_span(self) -> Span:
        """The span of the key; of the value where it has no key."""
        location = self.location
        return location.key or location.reached(location.value)

    @property
    def span(self) -> Span:
        """What a finding points at: a scalar itself, a collection by its key."""
        return self.key_span if isinstance(self.value_or_none, (dict, list)) else self.value_span

    @property
    def value_or_none(self) -> JsonValue:
        """The value, or None where nothing stands there."""
        try:
            return self.value
        except LookupError:
            return None

    @property
    def pointer(self) -> str:
        """The JSON Pointer (RFC 6901) of the place."""
        return format_pointer(self.path)


def value_at(value: JsonValue, path: Path) -> JsonValue:
    """Return what stands at a path inside a value. Raises LookupError where there is nothing."""
    for step in path:
        match value, step:
            case dict(), str():
                value = value[step]
            case list(), int():
                value = value[step]
            case _:
                raise LookupError(format_pointer(path))
    return value
