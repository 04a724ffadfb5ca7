"""A schema as it was read: its value in 2020-12, its references, and where all of it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.schema.dialect import Conversion
    from toolspec.schema.refs import Target
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonValue, Place
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class Reference:
    """A `$ref` that leads out of its schema: the schema that holds it, its text, and where it leads."""

    holder: Path
    text: str
    target: Target


@dataclass(frozen=True, slots=True)
class Resource:
    """A schema in 2020-12 as a root of its own.

    `nodes` are its subschemas, `words` the keywords they use. `inner` leads from each schema with a
    reference that stays inside to the schema it means, `outer` are the other references, `texts`
    what each says. After an error it is a best effort.
    """

    value: JsonValue
    place: Place
    nodes: tuple[Subschema, ...]
    words: frozenset[str]
    conversion: Conversion
    inner: tuple[tuple[Path, Path], ...] = ()
    outer: tuple[Reference, ...] = ()
    texts: Mapping[Path, str] = field(default_factory=dict)

    def places(self, path: Path) -> Place:
        """Return where the author wrote what stands at a path."""
        return self.place.at(*self.conversion.before(path))
