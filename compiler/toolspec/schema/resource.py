"""A schema as it was read: its value in 2020-12, its references, and where all of it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence

    from toolspec.schema.conversion import Conversion
    from toolspec.schema.refs import Uri
    from toolspec.schema.scope import Outline, Scope
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class Outside:
    """A place in another schema: its identifier, and in it a pointer or an anchor.

    Without an identifier it is a place in the same schema at which nothing is.
    """

    uri: Uri | None
    steps: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference that leads out of its schema: the schema that holds it, its text, and its meaning."""

    holder: Path
    text: str
    target: Outside


@dataclass(frozen=True, slots=True)
class Resource:
    """A schema in 2020-12 as a root of its own.

    `written` is its outline as the author wrote it, `scope` where its references were looked up.
    `nodes` are its subschemas, `uses` has for each keyword the numbers of those that use it. `inner`
    leads from each schema with a reference that stays inside to the schema it means, `outer` are the
    other references, `texts` what each says. `dynamic` has the dynamic references among them, by the
    anchor that each relies on to be the only one. After an error it is a best effort.
    """

    value: JsonValue
    place: Place
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
        """The keywords that its subschemas use."""
        return self.uses.keys()

    def numbers(self, words: Iterable[str]) -> set[int]:
        """Return the numbers of the subschemas that use any of some keywords."""
        return {number for word in self.uses.keys() & words for number in self.uses[word]}

    def at(self, numbers: Iterable[int]) -> Iterator[tuple[Path, JsonObject]]:
        """Yield subschemas by number, in the order of the document."""
        for number in sorted(numbers):
            path, node = self.nodes[number]
            if isinstance(node, dict):
                yield path, node

    def using(self, words: Iterable[str]) -> Iterator[tuple[Path, JsonObject]]:
        """Yield the subschemas that use any of some keywords, in the order of the document."""
        return self.at(self.numbers(words))

    def places(self, path: Path) -> Place:
        """Return where the author wrote what stands at a path."""
        return self.place.at(*self.conversion.before(path))
