"""Files of an OpenAPI document, and the targets of references between them."""

from __future__ import annotations

from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, TypeAlias

from toolspec.importers.openapi import kinds
from toolspec.schema.refs import Refusal, Uri, file_of, file_uri, joined, read_reference
from toolspec.shared.references import item_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.diagnostics import Checked, Diagnostic, DiagnosticKind
    from toolspec.syntax.nodes import Document, JsonValue, Location
    from toolspec.syntax.pointer import Path

    Reader: TypeAlias = Callable[[str, Location], Checked[Document | None]]
    """Returns a file of the project by its path, for the location that names it."""

Key: TypeAlias = "tuple[str, Path]"
"""A location as a key: its file and its path."""

_IDENTIFIERS = ("$id", "$anchor", "$dynamicAnchor")


class Sources:
    """Documents that belong together; a reference is resolved once and never fetched.

    `$self` of a document and `$id` of a schema are bases as the standards define them. A target
    beside `$self` is looked for beside the file.
    """

    def __init__(self, document: Document, read: Reader) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._read = read
        self._roots: dict[Uri, Location] = {}
        self._anchors: dict[tuple[Uri, str], Location] = {}
        self._bases: dict[str, Uri] = {}
        self._with_ids: set[str] = set()
        self._targets: dict[tuple[str, Uri, str], Location | None] = {}
        self._ends: dict[Key, Location | None] = {}
        self._files: dict[str, Location | None] = {}
        self._add(document)

    def target(self, holder: Location, reference: str) -> Location | None:
        """Return the location that a reference means; None after a diagnostic."""
        base = self._base(holder)
        key = (holder.document.source.path, base, reference)
        if key not in self._targets:
            self._targets[key] = self._find(holder, reference, base)
        return self._targets[key]

    def resolved(self, location: Location) -> Location | None:
        """Return the location behind a chain of references; None after a diagnostic."""
        chain: dict[Key, None] = {}
        end: Location | None = location
        while end is not None and isinstance(reference := _reference(end.value_or_none), str):
            key = end.key
            if key in self._ends:
                end = self._ends[key]
                break
            if key in chain:
                self._report(kinds.REFERENCE_CYCLE, end, reference=reference)
                end = None
                break
            chain[key] = None
            end = self.target(end, reference)
        self._ends |= dict.fromkeys(chain, end)
        return end

    def _find(self, holder: Location, reference: str, base: Uri) -> Location | None:
        target = read_reference(reference, base)
        if isinstance(target, Refusal):
            self._report(kinds.REFERENCE_REFUSED, holder, reference=reference, reason=target.reason)
            return None
        root = self._root(target.uri, holder)
        if isinstance(root, Refusal):
            self._report(kinds.REFERENCE_REFUSED, holder, reference=reference, reason=root.reason)
            return None
        if root is not None and target.anchor:
            root = self._anchors.get((target.uri, target.anchor))
        location = root and _below(root, target.steps)
        if location is None:
            self._report(kinds.MISSING_TARGET, holder, reference=reference)
        return location

    def _root(self, uri: Uri, holder: Location) -> Location | Refusal | None:
        """Return the root of a document or of a schema with an `$id`; None if it does not exist."""
        if uri in self._roots:
            return self._roots[uri]
        source = holder.document.source.path
        path = file_of(self._local(uri, source), source)
        if isinstance(path, Refusal):
            return path
        if path not in self._files:
            read = self._read(path, holder)
            self.diagnostics += kinds.accepted(read.diagnostics)
            self._files[path] = None if read.value is None else self._add(read.value)
        return self._files[path]

    def _local(self, uri: Uri, source: str) -> Uri:
        """Return the file that corresponds to an identifier beside `$self`."""
        own = self._bases[source]
        folder = own._replace(path=own.path[: own.path.rfind("/") + 1])
        if own.scheme is None or uri[:2] != folder[:2] or not uri.path.startswith(folder.path):
            return uri
        return file_uri(normpath(join(dirname(source), uri.path[len(folder.path) :])))

    def _add(self, document: Document) -> Location:
        root, path = document.location(), document.source.path
        base = file_uri(path)
        self._roots[base] = root
        own = document.value.get("$self") if isinstance(document.value, dict) else None
        if isinstance(own, str):
            base = joined(base, own)
            self._roots.setdefault(base, root)
        self._bases[path] = base
        self._files[path] = root
        if any(word in document.source.text for word in _IDENTIFIERS):
            self._with_ids.add(path)
            for location, name, value in _identifiers(root):
                if name == "$id":
                    self._roots.setdefault(self._base(location), location)
                else:
                    self._anchors.setdefault((self._base(location), value), location)
        return root

    def _base(self, location: Location) -> Uri:
        """Return the base of references at a location: of the nearest `$id`, or of the document."""
        path = location.document.source.path
        base = self._bases[path]
        if path not in self._with_ids:
            return base
        value = location.document.value
        for step in (*location.path, None):
            if isinstance(value, dict) and isinstance(name := value.get("$id"), str):
                base = joined(base, name)
            if isinstance(value, dict) and isinstance(step, str):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int):
                value = value[step]
        return base

    def _report(self, kind: DiagnosticKind, holder: Location, **parameters: object) -> None:
        span = (holder / "$ref").value_span
        self.diagnostics.append(kind.at(span, **parameters).about(pointer=holder.pointer))  # type: ignore[arg-type] # parameters of the message


def _reference(value: JsonValue) -> JsonValue:
    return value.get("$ref") if isinstance(value, dict) else None


def _below(root: Location, steps: tuple[str, ...]) -> Location | None:
    value, location = root.value, root
    for step in steps:
        match value:
            case dict() if step in value:
                value, location = value[step], location / step
            case list() if (index := item_index(step, value)) is not None:
                value, location = value[index], location / index
            case _:
                return None
    return location


def _identifiers(location: Location) -> Iterator[tuple[Location, str, str]]:
    """Yield every `$id` and anchor of a document with the location of its schema."""
    pending = [location]
    while pending:
        location = pending.pop()
        value = location.value
        if isinstance(value, list):
            pending += (location / index for index in range(len(value)))
        elif isinstance(value, dict):
            for name in _IDENTIFIERS:
                if isinstance(text := value.get(name), str):
                    yield location, name, text
            pending += (location / key for key in value)
