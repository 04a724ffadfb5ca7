"""One schema read: its dialect honoured, its references sorted, everything checked that it shows alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, has_errors
from toolspec.schema import kinds, patterns, spelling, validity, weight
from toolspec.schema.dialect import Conversion, Dialect, convert, may_differ, read_dialect
from toolspec.schema.findings import finding, shown
from toolspec.schema.refs import Reading, Refusal, Target, read_reference
from toolspec.schema.resource import Reference, Resource
from toolspec.schema.walk import find, stands_at, survey

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place
    from toolspec.syntax.pointer import Path

_DYNAMIC = ("$dynamicRef", "$recursiveRef")
_REFERRING = frozenset({"$ref", *_DYNAMIC})
_NAMING = frozenset({"$id", "$anchor", "$dynamicAnchor"})


def read_resource(
    value: JsonValue, place: Place, dialect: Dialect | None = None, *, is_root: bool = True
) -> Checked[Resource]:
    """Return a schema made ready for its bundle, with what is wrong in it as it stands.

    `dialect` holds where none is declared (2020-12 otherwise). `is_root` is False for a part of a
    schema document: then `#/…` means that document, and every reference is an outer one.
    """
    seen = survey(value)
    resource = Resource(value, place, seen.nodes, seen.uses, Conversion(value))
    found = [*weight.check_size(seen.nodes, place), *_dialects(resource)]
    if found:
        return Checked(resource, tuple(found))
    dialect = (read_dialect(_declared(value)) or dialect) or Dialect.DRAFT_2020_12
    found += validity.check(value, dialect, place)
    found += spelling.check(resource, dialect)
    sorter = _Sorter(resource)
    if not has_errors(found):
        resource = _converted(resource, dialect)
    resource = sorter.sort(resource, is_root=is_root)
    found += sorter.found
    found += patterns.check(resource)
    return Checked(resource, tuple(found))


def _converted(resource: Resource, dialect: Dialect) -> Resource:
    if not may_differ(resource.words, dialect):
        return resource
    conversion = convert(resource.value, resource.nodes, dialect)
    if conversion.value is resource.value:
        return resource
    seen = survey(conversion.value)
    return Resource(conversion.value, resource.place, seen.nodes, seen.uses, conversion)


def _declared(value: JsonValue) -> JsonValue:
    return value.get("$schema") if isinstance(value, dict) else None


def _dialects(written: Resource) -> Iterator[Diagnostic]:
    for path, node in written.using(("$schema",)):
        if read_dialect(node["$schema"]) is None:
            at = written.place.at(*path, "$schema")
            yield finding(kinds.UNKNOWN_DIALECT, at, dialect=shown(node["$schema"]))


class _Sorter:
    """Sorts the references of one schema; it is made of the schema as its author wrote it."""

    def __init__(self, written: Resource) -> None:
        self._written = written.value
        self._place = written.place
        self._converted = written
        self._anchors: dict[str, Path] = {}
        self._bases: list[Path] = []
        self._base = ""
        self.found: list[Diagnostic] = []
        for path, node in written.using(_NAMING):
            self._name(path, node)

    def sort(self, resource: Resource, *, is_root: bool) -> Resource:
        """Return the schema, converted by now, with its references sorted."""
        self._converted = resource
        inner: list[tuple[Path, Path]] = []
        outer: list[Reference] = []
        texts: dict[Path, str] = {}
        for path, node in resource.using(_REFERRING):
            self._refuse_dynamic(path, node)
            text = node.get("$ref")
            target = self._read(path, text) if isinstance(text, str) else None
            if target is None:
                continue
            texts[path] = str(text)
            at = self._inside(target) if is_root and not target.file else None
            if at is None:
                outer.append(Reference(path, str(text), target))
            elif self._leads_to_schema(path, str(text), at):
                inner.append((path, resource.conversion.after(at)))
        if not texts:
            return resource
        return replace(resource, inner=tuple(inner), outer=tuple(outer), texts=texts)

    def _name(self, path: Path, node: JsonObject) -> None:
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = node.get(keyword)
            if isinstance(name, str):
                self._anchors[name] = path
        name = node.get("$id")
        if isinstance(name, str) and name.startswith("#"):
            self._anchors[name[1:]] = path
        elif isinstance(name, str) and path:
            self._bases.append(path)
        elif isinstance(name, str):
            self._base = name

    def _read(self, path: Path, text: str) -> Target | None:
        reading = read_reference(text, self._place.document.source.path, self._base)
        base = self._base_of(path, reading)
        if base is not None:
            self._refuse_base(self._at(path, "$ref"), self._place.at(*base, "$id"), text)
            return None
        if isinstance(reading, Refusal):
            place, reason, quoted = self._at(path, "$ref"), reading.reason, shown(text)
            self.found.append(
                finding(kinds.REFUSED_REFERENCE, place, reference=quoted, reason=reason)
            )
            return None
        return reading

    def _base_of(self, path: Path, reading: Reading) -> Path | None:
        """Return the schema whose `$id` moves the base of a reference; None where none does."""
        written = self._converted.conversion.before(path) if self._bases else path
        base = next((each for each in self._bases if written[: len(each)] == each), None)
        if base is None and self._base and isinstance(reading, Target) and reading.file:
            return ()
        return base

    def _refuse_base(self, place: Place, base: Place, text: str) -> None:
        label = Label(base.span, "moves the base")
        at = finding(kinds.REBASED_REFERENCE, place, labels=[label], reference=shown(text))
        self.found.append(at)

    def _refuse_dynamic(self, path: Path, node: JsonObject) -> None:
        self.found += (
            finding(kinds.DYNAMIC_REFERENCE, self._at(path, keyword), on_key=True, keyword=keyword)
            for keyword in _DYNAMIC
            if keyword in node
        )

    def _inside(self, target: Target) -> Path | None:
        if target.anchor:
            return self._anchors.get(target.anchor)
        return find(self._written, target.steps)

    def _leads_to_schema(self, path: Path, text: str, at: Path) -> bool:
        if stands_at(self._converted.value, self._converted.conversion.after(at)):
            return True
        place = self._at(path, "$ref")
        meant = shown(self._place.at(*at).value_or_none)
        label = Label(self._place.at(*at).span, "no schema stands here")
        quoted = shown(text)
        self.found.append(
            finding(kinds.NO_SCHEMA_THERE, place, labels=[label], reference=quoted, found=meant)
        )
        return False

    def _at(self, path: Path, keyword: str) -> Place:
        return self._converted.places((*path, keyword))
