"""Parsed documents: plain JSON values with spans on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from toolspec.shared.records import dataclass, field, replace
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.pointer import Path

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of a value: its key (None in a list and at the root), the value, the aliases.

    `via` has the spans of the YAML aliases through which the path reaches the value, outermost
    first; `key` and `value` are then those of the anchored original.
    """

    key: Span | None
    value: Span
    via: tuple[Span, ...] = ()

    def through_aliases(self, span: Span) -> Span:
        """Return a span of the value with the spans of its aliases."""
        return replace(span, via=self.via) if self.via else span


class Locator(Protocol):
    """Finds spans of values in a document: immediately for YAML, by a scan on first use for JSON."""

    def locate(self, path: Path) -> Spans:
        """Return the spans of the value at a path, or of its parent if it does not exist."""
        ...


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed source file; its value is never changed.

    `partial` has the ids of mappings that lack the members of a faulty merge key. `broken` has the
    paths of faulty values, which later stages skip: tools, definitions, members of a tool or of
    the service, including missing ones.
    """

    source: SourceFile
    value: JsonValue
    locator: Locator = field(repr=False, compare=False)
    partial: frozenset[int] = field(default=frozenset(), repr=False, compare=False)
    broken: frozenset[Path] = field(default=frozenset(), repr=False, compare=False)

    def location(self, *steps: str | int) -> Location:
        """Return the location at a path from the root."""
        return Location(self, steps)


@dataclass(frozen=True, slots=True)
class Location:
    """A path inside a document; its spans are computed on demand."""

    document: Document = field(repr=False)
    path: Path

    def __truediv__(self, step: str | int) -> Location:
        return Location(self.document, (*self.path, step))

    def at(self, *steps: str | int) -> Location:
        """Return the location at a path below this one."""
        return Location(self.document, (*self.path, *steps))

    @property
    def key(self) -> tuple[str, Path]:
        """Its identity among those of all documents: the path of the file, and the path in it."""
        return self.document.source.path, self.path

    @property
    def value(self) -> JsonValue:
        """The value at the path. Raises LookupError if it does not exist."""
        return value_at(self.document.value, self.path)

    @property
    def spans(self) -> Spans:
        """The spans; those of the nearest existing parent if there is no value."""
        return self.document.locator.locate(self.path)

    @property
    def value_span(self) -> Span:
        """The span of the value, from its first to its last character."""
        spans = self.spans
        return spans.through_aliases(spans.value)

    @property
    def key_span(self) -> Span:
        """The span of the key; of the value if it has no key."""
        spans = self.spans
        return spans.key or spans.through_aliases(spans.value)

    @property
    def span(self) -> Span:
        """The span for a diagnostic: that of a scalar, or of a collection's key."""
        return self.key_span if isinstance(self.value_or_none, (dict, list)) else self.value_span

    @property
    def value_or_none(self) -> JsonValue:
        """The value, or None if it does not exist."""
        try:
            return self.value
        except LookupError:
            return None

    @property
    def pointer(self) -> str:
        """The JSON Pointer (RFC 6901) of the path."""
        return format_pointer(self.path)


def value_at(value: JsonValue, path: Path) -> JsonValue:
    """Return the value at a path inside a value. Raises LookupError if it does not exist."""
    for step in path:
        match value, step:
            case dict(), str():
                value = value[step]
            case list(), int():
                value = value[step]
            case _:
                raise LookupError(format_pointer(path))
    return value
