"""Operations of an OpenAPI document, of any version, with their references resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.importers.openapi import kinds
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.importers.openapi.sources import Sources
    from toolspec.syntax.nodes import JsonObject, Location


@dataclass(frozen=True, slots=True)
class Part:
    """An object of the document behind its references, and where it is."""

    fields: JsonObject = field(repr=False)
    location: Location = field(repr=False)

    def text(self, name: str) -> str:
        """Return a field without surrounding blanks; empty if it is no text."""
        value = self.fields.get(name)
        return value.strip() if isinstance(value, str) else ""

    def lost(self, what: str, owner: str, reason: str, *steps: str) -> Diagnostic:
        """Return the diagnostic about a member that is not imported."""
        at = self.location.at(*steps)
        diagnostic = kinds.NOT_IMPORTED.at(at.key_span, what=what, owner=owner, reason=reason)
        return diagnostic.about(pointer=at.pointer)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation; `schema` is None if it has no schema."""

    name: str
    place: str
    part: Part
    schema: Location | None
    content_type: str = ""

    @property
    def is_required(self) -> bool:
        """Whether each call has it; every path has its parameters."""
        return self.place == "path" or self.part.fields.get("required") is True


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path. `item` is the path item, `parameters` those of both merged."""

    method: str
    path: str
    part: Part
    item: Part
    parameters: tuple[Parameter, ...] = ()
    body: Part | None = None
    responses: Mapping[str, Part] = field(default_factory=dict)

    @property
    def member(self) -> str:
        """Its name in the document, which is unique: `GET /pets`."""
        return f"{self.method} {self.path}"

    @property
    def id(self) -> str:
        """Its `operationId`, or empty."""
        return self.part.text("operationId")

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""
        tags = self.part.fields.get("tags")
        texts = (
            (tag.strip() for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()
        )
        return tuple(dict.fromkeys(text for text in texts if text))

    def extension(self, name: str) -> object:
        """Return an `x-` member of the operation, else of its path."""
        return self.part.fields.get(name, self.item.fields.get(name))


@dataclass(frozen=True, slots=True)
class Api:
    """A whole document: its root, its operations in order, and its security schemes by name."""

    root: Part
    info: Part
    operations: tuple[Operation, ...]
    schemes: Mapping[str, Part]
    sources: Sources = field(repr=False)
    is_3_0: bool = False
