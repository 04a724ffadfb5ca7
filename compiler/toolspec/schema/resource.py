"""A schema after reading: its value in 2020-12, its references, and source locations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence

    from toolspec.schema.conversion import Conversion
    from toolspec.schema.refs import Uri
    from toolspec.schema.scope import Outline, Scope
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class ExternalTarget:
    """A location in another schema: its identifier, and a pointer or an anchor.

    Without an identifier it is a location in the same schema that does not exist.
    """

    uri: Uri | None
    steps: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to another schema: its holder, its text, and its target."""

    holder: Path
    text: str
    target: ExternalTarget


@dataclass(frozen=True, slots=True)
class Resource:
    """A schema in 2020-12 as a separate root.

    `written` is its outline as the author wrote it, `scope` where its references were resolved.
    `nodes` are its subschemas, `uses` has for each keyword the numbers of those that use it.
    `inner` maps each holder of a reference inside the schema to its target, `outer` are the other
    references, `texts` the text of each. `dynamic` has the dynamic references among them, each with
    the anchor that must be unique. After an error it is a best effort.
    """

    value: JsonValue
    location: Location
    nodes: tuple[Subschema, ...]
    uses: Mapping[str, Sequence[int]]
    conversion: Conversion
    written: Outline = field(compare=False, repr=False)
    scope: Scope = field(compare=False, repr=False)
    inner: tuple[tuple[Path, Path], ...] = ()
    outer: tuple[Reference, ...] = ()
    texts: Mapping[Path, str] = field(default_factory=dict)
    dynamic: tuple[tuple[Path, str], ...] = ()

    @property
    def words(self) -> KeysView[str]:
        """The keywords of its subschemas."""
        return self.uses.keys()

    def numbers(self, words: Iterable[str]) -> set[int]:
        """Return the numbers of the subschemas that use any of some keywords."""
        existing = self.uses.keys() & words
        return {number for word in existing for number in self.uses[word]} if existing else set()

    def at(self, numbers: Iterable[int]) -> Iterator[tuple[Path, JsonObject]]:
        """Yield subschemas by number, in document order."""
        for number in sorted(numbers):
            path, node = self.nodes[number]
            if isinstance(node, dict):
                yield path, node

    def using(self, words: Iterable[str]) -> Iterator[tuple[Path, JsonObject]]:
        """Yield the subschemas that use any of some keywords, in document order."""
        return self.at(self.numbers(words))

    def locations(self, path: Path) -> Location:
        """Return the source location of a path."""
        return self.location.at(*self.conversion.original_path(path))
