"""One schema read: its dialect honoured, its references sorted, everything checked that it shows alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, has_errors
from toolspec.schema import kinds, patterns, spelling, validity, weight
from toolspec.schema.dialect import Conversion, Dialect, convert, read_dialect
from toolspec.schema.findings import finding, shown
from toolspec.schema.refs import Refusal, Target, read_reference
from toolspec.schema.walk import find, subschemas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Place
    from toolspec.syntax.pointer import Path

_DYNAMIC = ("$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True)
class Reference:
    """A `$ref` that leads out of its schema: the schema that holds it, its text, and where it leads."""

    holder: Path
    text: str
    target: Target


@dataclass(frozen=True, slots=True)
class Resource:
    """A schema in 2020-12 as a root of its own.

    `nodes` are its subschemas, `inner` leads from each schema with a reference that stays inside
    to the schema it means, `outer` are the other references, `paths` where subschemas stand. After an error it is a best effort.
    """

    value: JsonValue
    place: Place
    nodes: tuple[Subschema, ...]
    inner: tuple[tuple[Path, Path], ...]
    outer: tuple[Reference, ...]
    conversion: Conversion
    paths: frozenset[Path] = frozenset()

    def places(self, path: Path) -> Place:
        """Return where the author wrote what stands at a path."""
        return self.place.at(*self.conversion.before(path))


def read_resource(
    value: JsonValue, place: Place, dialect: Dialect | None = None, *, is_root: bool = True
) -> Checked[Resource]:
    """Return a schema made ready for its bundle, with what is wrong in it as it stands.

    `dialect` holds where none is declared (2020-12 otherwise). `is_root` is False for a part of a
    schema document: then `#/…` means that document, and every reference is an outer one.
    """
    written = tuple(subschemas(value))
    found = [*weight.check_size(written, place), *_dialects(written, place)]
    if found:
        return Checked(Resource(value, place, written, (), (), Conversion(value)), tuple(found))
    dialect = (read_dialect(_declared(value)) or dialect) or Dialect.DRAFT_2020_12
    found += validity.check(value, dialect, place)
    found += spelling.check(written, dialect, lambda path: place.at(*path))
    conversion = convert(value, written, dialect)
    if has_errors(found):
        conversion = Conversion(value)
    nodes = written if conversion.value is value else tuple(subschemas(conversion.value))
    paths = frozenset(path for path, _ in nodes)
    sorter = _Sorter(value, place, written, conversion, paths)
    inner, outer = sorter.sort(nodes, is_root=is_root)
    resource = Resource(conversion.value, place, nodes, inner, outer, conversion, paths)
    found += sorter.found
    found += patterns.check(nodes, resource.places)
    return Checked(resource, tuple(found))


def _declared(value: JsonValue) -> JsonValue:
    return value.get("$schema") if isinstance(value, dict) else None


def _dialects(nodes: Iterable[Subschema], place: Place) -> Iterator[Diagnostic]:
    for path, node in nodes:
        if isinstance(node, dict) and "$schema" in node and read_dialect(node["$schema"]) is None:
            at = place.at(*path, "$schema")
            yield finding(kinds.UNKNOWN_DIALECT, at, dialect=shown(node["$schema"]))


class _Sorter:
    """Sorts the references of one schema, by what its author wrote."""

    def __init__(
        self,
        value: JsonValue,
        place: Place,
        written: tuple[Subschema, ...],
        conversion: Conversion,
        known: frozenset[Path],
    ) -> None:
        self._value = value
        self._place = place
        self._conversion = conversion
        self._known = known
        self._anchors: dict[str, Path] = {}
        self._bases: list[Path] = []
        self._base = ""
        self.found: list[Diagnostic] = []
        for path, node in written:
            if isinstance(node, dict):
                self._name(path, node)

    def sort(
        self, nodes: Iterable[Subschema], *, is_root: bool
    ) -> tuple[tuple[tuple[Path, Path], ...], tuple[Reference, ...]]:
        """Return references inside, by holder, and those that lead out."""
        inner: list[tuple[Path, Path]] = []
        outer: list[Reference] = []
        for path, node in nodes:
            if not isinstance(node, dict):
                continue
            self._refuse_dynamic(path, node)
            text = node.get("$ref")
            target = self._read(path, text) if isinstance(text, str) else None
            if target is None:
                continue
            at = self._inside(target) if is_root and not target.file else None
            if at is None:
                outer.append(Reference(path, str(text), target))
            elif self._leads_to_schema(path, str(text), at):
                inner.append((path, self._conversion.after(at)))
        return tuple(inner), tuple(outer)

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
        place = self._at(path, "$ref")
        written = self._conversion.before(path)
        reading = read_reference(text, place.document.source.path, self._base)
        base = next((each for each in self._bases if written[: len(each)] == each), None)
        if base is None and self._base and isinstance(reading, Target) and reading.file:
            base = ()
        if base is not None:
            self._refuse_base(place, self._place.at(*base, "$id"), text)
            return None
        if isinstance(reading, Refusal):
            reason, quoted = reading.reason, shown(text)
            self.found.append(
                finding(kinds.REFUSED_REFERENCE, place, reference=quoted, reason=reason)
            )
            return None
        return reading

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
        return find(self._value, target.steps)

    def _leads_to_schema(self, path: Path, text: str, at: Path) -> bool:
        if self._conversion.after(at) in self._known:
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
        return self._place.at(*self._conversion.before((*path, keyword)))
