"""Where references out of a schema lead: definitions of the service, its documents, other files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, has_errors
from toolspec.frontend.resolve import kinds
from toolspec.schema import Link, Linked, find, finding, numbered, read_resource, shown
from toolspec.schema.dialect import read_dialect
from toolspec.schema.walk import stands_at
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.files import Files
    from toolspec.ir import Definition
    from toolspec.schema import Key, Reference, Resource
    from toolspec.schema.refs import Target
    from toolspec.syntax.nodes import Document, JsonValue, Place
    from toolspec.syntax.pointer import Path


class Linker:
    """Reads schemas and everything they refer to, each once.

    `schemas` holds what was read by its place, `broken` those with an error, and `found` all
    findings with the schema that each belongs to. Definitions found on the way join
    `definitions`, by the name that the service gives them.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._waiting: list[Linked] = []
        self._defined: set[Key] = set()
        # Where references lead, by the file that they stand in.
        self._led: dict[tuple[str, Target], tuple[Key, Path]] = {}
        self.schemas: dict[Key, Linked] = {}
        self.definitions: dict[str, Key] = {}
        self.broken: set[Key] = set()
        self.found: list[tuple[Key, Diagnostic]] = []

    def define(self, definition: Definition, place: Place) -> None:
        """Read a definition of the service; of two with one name the first is meant by the name."""
        name = numbered(definition.name, self.definitions)
        self.definitions[name] = self.read(definition.schema.value, place, name)
        self._defined.add(self.definitions[name])

    def read(self, value: JsonValue, place: Place, name: str = "") -> Key:
        """Read an embedded schema, which is a root of its own; links are made by `link`."""
        key = key_of(place)
        if key not in self.schemas:
            checked = read_resource(value, place)
            self._take(key, name, checked.value, checked.diagnostics)
        return key

    def link(self) -> None:
        """Resolve the references of all that was read, and of what they bring in, to the end."""
        # What a reference brings in joins the queue behind it.
        for linked in self._waiting:
            if linked.resource.outer:
                links = [self._link(linked, each) for each in linked.resource.outer]
                known = tuple(link for link in links if link is not None)
                self.schemas[linked.key] = replace(linked, links=known)
        self._waiting.clear()

    def complain(self, key: Key, diagnostic: Diagnostic) -> None:
        """Keep a finding about a schema, which an error breaks."""
        self.found.append((key, diagnostic))
        if diagnostic.severity is Severity.ERROR:
            self.broken.add(key)

    def _take(
        self, key: Key, name: str, resource: Resource, diagnostics: tuple[Diagnostic, ...]
    ) -> None:
        linked = Linked(key, name, resource)
        self.schemas[key] = linked
        self._waiting.append(linked)
        for each in diagnostics:
            self.complain(key, each)

    def _link(self, linked: Linked, reference: Reference) -> Link | None:
        target = reference.target
        known = self._led.get((linked.key[0], target))
        if known is None:
            known = self._lead(linked, reference)
            if known is None:
                return None
        # What reading another file finds concerns each schema that refers to it.
        if not target.file:
            self._led[linked.key[0], target] = known
        return Link(reference.holder, *known)

    def _lead(self, linked: Linked, reference: Reference) -> tuple[Key, Path] | None:
        """Return the schema that a reference leads into, and the path in it; None after a complaint."""
        place = linked.resource.places((*reference.holder, "$ref"))
        document = self._document(linked, reference, place)
        if document is None:
            return None
        place_meant = self._meant(document, reference)
        if place_meant is None:
            self.complain(linked.key, self._dangling(document, reference, place))
            return None
        known = self._known(place_meant)
        if known is None:
            known = self._bring_in(place_meant)
        path = place_meant.path[len(known[1]) :]
        target = self.schemas[known].resource.conversion.after(path)
        if not stands_at(self.schemas[known].resource.value, target):
            self.complain(linked.key, self._dangling(document, reference, place))
            return None
        return known, target

    def _document(self, linked: Linked, reference: Reference, place: Place) -> Document | None:
        """Return the document that a reference leads to; the findings of reading it are kept."""
        file = reference.target.file
        if not file:
            return place.document
        read = self._files.read(file, place)
        for each in read.diagnostics:
            self.complain(linked.key, each)
        if read.value is None and not has_errors(read.diagnostics):
            source, text = place.document.source.path, shown(reference.text)
            missing = finding(kinds.MISSING_FILE, place, reference=text, path=file, source=source)
            self.complain(linked.key, missing)
        return read.value

    def _meant(self, document: Document, reference: Reference) -> Place | None:
        """Return the place that a reference means: in its document, else a shared definition's."""
        target = reference.target
        path = None if target.anchor else find(document.value, target.steps)
        if path is not None:
            return document.place(*path)
        match target.steps:
            case ("$defs", name, *rest) if not target.file and name in self.definitions:
                place = self.schemas[self.definitions[name]].resource.place
                inside = find(place.value_or_none, rest)
                return None if inside is None else place.at(*inside)
        return None

    def _known(self, place: Place) -> Key | None:
        """Return the definition that a place is, or lies in."""
        file, path = key_of(place)
        keys = ((file, path[:length]) for length in range(len(path), -1, -1))
        return next((key for key in keys if key in self._defined), None)

    def _bring_in(self, place: Place) -> Key:
        """Read a schema that nobody has named yet, as a definition of the service."""
        root = place.document.value
        is_spec = isinstance(root, dict) and ("toolspec" in root or "tools" in root)
        declared = root.get("$schema") if isinstance(root, dict) and not is_spec else None
        checked = read_resource(
            place.value_or_none,
            place,
            read_dialect(declared),
            is_root=is_spec or not place.path,
        )
        stem = PurePosixPath(place.document.source.path).name.partition(".")[0]
        name = numbered(str(place.path[-1]) if place.path else stem, self.definitions)
        key = key_of(place)
        self.definitions[name] = key
        self._defined.add(key)
        self._take(key, name, checked.value, checked.diagnostics)
        return key

    def _dangling(self, document: Document, reference: Reference, place: Place) -> Diagnostic:
        text = shown(reference.text)
        suggestion = self._suggestion(document, reference, place)
        return finding(kinds.DANGLING_REFERENCE, place, reference=text, suggestion=suggestion)

    def _suggestion(self, document: Document, reference: Reference, place: Place) -> str:
        target = reference.target
        if target.anchor:
            return "anchors are known only inside one schema; write a pointer: `#/$defs/…`"
        before = f"{reference.text.partition('#')[0]}#/$defs/"
        root = document.value if target.file else self._root_of(place)
        known = [] if target.file else list(self.definitions)
        for value in (root, document.value):
            inside = value.get("$defs") if isinstance(value, dict) else None
            known += inside if isinstance(inside, dict) else ()
        close = nearest(target.steps[-1], known) if target.steps else ""
        if close:
            return f"did you mean `{before}{close}`?"
        return "define it below `$defs`, or correct the pointer"

    def _root_of(self, place: Place) -> JsonValue:
        """Return the embedded schema in which a place lies."""
        file, path = key_of(place)
        keys = ((file, path[:length]) for length in range(len(path), -1, -1))
        key = next((key for key in keys if key in self.schemas), None)
        return self.schemas[key].resource.place.value_or_none if key else None


def key_of(place: Place) -> Key:
    """Return the identity of the schema at a place."""
    return place.document.source.path, place.path
