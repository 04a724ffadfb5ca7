"""Types section of a service: one entry for each shared definition, linked where it is used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.targets.docs.schema_table import schema_table
from toolspec.targets.docs.type_words import is_scalar, plain
from toolspec.targets.docs.view import TypeView

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.ir import Definition, Schema, Service
    from toolspec.targets.docs.markup import Markup
    from toolspec.targets.docs.view import SchemaView

# A name for which the anchor of its heading is predictable.
_LINKABLE = re.compile(r"[A-Za-z0-9_.-]+")
_UNLINKED = re.compile(r"[^\w-]")
# A scalar of at most this many characters is written where it is used.
_SMALL = 200


class Types:
    """Types described on one page."""

    def __init__(self, service: Service, markup: Markup) -> None:
        self.markup = markup
        used = {name for schema in schemas(service) for _, name in schema.shared}
        self._definitions = [
            definition
            for definition in service.definitions
            if definition.name in used and not _is_small(definition)
        ]
        self._links: dict[str, str] = {}
        self.anchors: dict[str, str] = {}
        anchors: dict[str, int] = {}
        for definition in self._definitions:
            anchor = "type-" + _UNLINKED.sub("", definition.name.lower())
            count = anchors[anchor] = anchors.get(anchor, -1) + 1
            self.anchors[definition.name] = f"{anchor}-{count}" if count else anchor
            shown = markup.code(definition.name)
            if _LINKABLE.fullmatch(definition.name):
                target = f"{markup.types_page}#{self.anchors[definition.name]}"
                shown = markup.link(shown, target)
            self._links[definition.name] = shown

    def links(self, schema: Schema) -> Mapping[tuple[str, ...], str]:
        """Return the links from references in a schema to types, by the steps of the reference."""
        return {
            ("$defs", name): self._links[shared]
            for name, shared in schema.shared
            if shared in self._links
        }

    def described(self, schema: Schema) -> SchemaView:
        """Return a schema in words, with links to types."""
        return schema_table(schema.bundle, self.links(schema), markup=self.markup)

    def views(self) -> tuple[TypeView, ...]:
        """Return all types, each with its members."""
        return tuple(map(self._type, self._definitions))

    def _type(self, definition: Definition) -> TypeView:
        schema = definition.schema
        links = {(): self._links[definition.name], **self.links(schema)}
        table = schema_table(schema.bundle, links, markup=self.markup, is_type=True)
        return TypeView(definition.name, self.anchors[definition.name], table)


def schemas(service: Service) -> Iterator[Schema]:
    """Yield the schemas described on a service's page, except its definitions."""
    for tool in service.tools:
        yield from filter(None, (tool.input, tool.output, tool.chunk))
    yield from filter(None, (service.settings, service.auth.fields))


def _is_small(definition: Definition) -> bool:
    bundle = definition.schema.bundle
    flat = plain(bundle, bundle)
    return is_scalar(flat) and len(canonical_json(flat)) <= _SMALL
