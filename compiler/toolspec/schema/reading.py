"""Reads one schema: applies its dialect, resolves its references, runs all checks on it alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, has_errors
from toolspec.schema import complexity, kinds, patterns, unknown_keywords, validity
from toolspec.schema.conversion import Conversion, convert
from toolspec.schema.diagnostics import diagnostic_at, shown
from toolspec.schema.dialect import read_dialect
from toolspec.schema.refs import Refusal, file_uri, read_reference
from toolspec.schema.resource import ExternalTarget, Reference, Resource
from toolspec.schema.scope import Scope, outline
from toolspec.schema.walk import survey
from toolspec.syntax.limits import limited
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.refs import Target
    from toolspec.schema.scope import DuplicateIdentifier, Outline
    from toolspec.syntax.nodes import JsonValue, Location
    from toolspec.syntax.pointer import Path

_DYNAMIC = ("$dynamicRef", "$recursiveRef")
_REFERRING = ("$ref", *_DYNAMIC)


def read_resource(
    value: JsonValue,
    location: Location,
    scope: Scope | None = None,
    states: patterns.States | None = None,
    errors: validity.ErrorLimit | None = None,
) -> Checked[Resource]:
    """Return a schema ready for its bundle, with all errors that it has alone.

    Without a `scope` it is a separate root. Otherwise it is a part of the scope's schema:
    references are resolved there, and all are outer references.
    """
    scope = scope or Scope(value, location)
    reader = _Reader(location, scope, states or patterns.States(), errors or validity.ErrorLimit())
    return Checked(reader.read(value), tuple(reader.diagnostics))


class _Reader:
    """State of reading one schema. Before the conversion, paths are those of the scope."""

    def __init__(
        self,
        location: Location,
        scope: Scope,
        states: patterns.States,
        errors: validity.ErrorLimit,
    ) -> None:
        self._location = location
        self._states = states
        self._errors = errors
        self._left_out = errors.left_out
        self._scope = scope
        self._root = scope.location
        self._path = location.path[len(scope.location.path) :]
        self._document = file_uri(location.document.source.path)
        # The schema, then referenced values at positions where no subschema belongs; by path.
        self._outlines: dict[Path, Outline] = {}
        self._positions: set[Path] = set()
        self._dynamic: list[tuple[Path, str]] = []
        self.diagnostics: list[Diagnostic] = []

    def read(self, value: JsonValue) -> Resource:
        """Return the schema; after an error it is a best effort."""
        dialect = self._scope.dialect_at(self._path)
        schema_outline = outline(value, dialect, self._path) if self._path else self._scope.outline
        nodes = schema_outline.nodes_below(self._path)
        self.diagnostics += complexity.check_size(nodes, self._location)
        self._enter(self._path, schema_outline)
        if self._path not in self._outlines:
            return Resource(
                value,
                self._location,
                nodes,
                schema_outline.uses,
                Conversion(value),
                schema_outline,
                self._scope,
            )
        if not self._path:
            self.diagnostics += limited(map(self._repeated, self._scope.repeated))
        references = self._references()
        if self._errors.left_out > self._left_out or has_errors(self.diagnostics):
            own = {path for path, _ in schema_outline.nodes}
            references = [
                reference
                for reference in references
                if isinstance(reference[2], ExternalTarget) or reference[2] in own
            ]
            resource = self._resource(schema_outline, Conversion(value), references)
        else:
            lifted = {path: self._scope.dialect_at(path) for path in self._lifted()}
            resource = self._resource(
                schema_outline, convert(value, schema_outline, dialect, lifted), references
            )
            self.diagnostics += (
                complexity.check_size(resource.nodes, self._location) if lifted else ()
            )
        self.diagnostics += patterns.check(resource, self._states)
        return resource

    def _enter(self, path: Path, schema_outline: Outline) -> None:
        """Validate a schema by its metaschema and check its keywords; skip unknown dialects."""
        if unknown := list(self._unknown_dialects(schema_outline)):
            self.diagnostics += unknown
            return
        self._outlines[path] = schema_outline
        self.diagnostics += validity.check(
            value_at(self._scope.value, path), schema_outline, self._root.at(*path), self._errors
        )
        self.diagnostics += unknown_keywords.check(schema_outline, self._root)

    def _unknown_dialects(self, schema_outline: Outline) -> Iterator[Diagnostic]:
        for path, node, _ in (
            schema_outline.using(("$schema",)) if "$schema" in schema_outline.uses else ()
        ):
            if read_dialect(node["$schema"]) is None:
                location = self._root.at(*path, "$schema")
                yield diagnostic_at(kinds.UNKNOWN_DIALECT, location, dialect=shown(node["$schema"]))

    def _repeated(self, repeated: DuplicateIdentifier) -> Diagnostic:
        first, second = (self._root.at(*path) for path in (repeated.first, repeated.second))
        labels = [Label(first.span, "the first is here")]
        return diagnostic_at(
            kinds.REPEATED_IDENTIFIER, second, labels=labels, identifier=repeated.text
        )

    def _references(self) -> list[tuple[Path, str, Path | ExternalTarget]]:
        """Return each reference: its holder, its text, and its path or other schema.

        A target at a position where no subschema belongs is entered, so its references are
        included.
        """
        references: list[tuple[Path, str, Path | ExternalTarget]] = []
        outlines = [
            subtree
            for subtree in self._outlines.values()
            if not subtree.uses.keys().isdisjoint(_REFERRING)
        ]
        for subtree in outlines:
            self._positions.update(path for path, _ in subtree.nodes)
        for subtree in outlines:
            for path, node, dialect in subtree.using(_REFERRING):
                for keyword in _REFERRING:
                    text = node.get(keyword)
                    if not isinstance(text, str) or not dialect.applies(keyword, node):
                        continue
                    target = self._resolve(path, keyword, text)
                    if target is None:
                        continue
                    if keyword != "$ref" and "$ref" in node:
                        self._report_dynamic(path, keyword)
                    elif isinstance(target, ExternalTarget) or target in self._positions:
                        references.append((path, text, target))
                    elif isinstance(value_at(self._scope.value, target), (dict, bool)):
                        references.append((path, text, target))
                        lifted = self._lift(target)
                        outlines += [lifted] if lifted else []
                    else:
                        self._report_value(path, keyword, text, target)
        return references

    def _resolve(self, path: Path, keyword: str, text: str) -> Path | ExternalTarget | None:
        """Return the target of a reference; None after an error."""
        location = self._root.at(*path, keyword)
        target = read_reference(text, self._scope.base_of(path))
        if isinstance(target, Refusal):
            reason, quoted = target.reason, shown(text)
            self.diagnostics.append(
                diagnostic_at(kinds.REFUSED_REFERENCE, location, reference=quoted, reason=reason)
            )
            return None
        if target.uri in self._scope.resources:
            return self._resolve_in_scope(path, keyword, text, target)
        if keyword != "$ref":
            self._report_dynamic(path, keyword)
            return None
        return ExternalTarget(target.uri, target.steps, target.anchor)

    def _resolve_in_scope(
        self, path: Path, keyword: str, text: str, target: Target
    ) -> Path | ExternalTarget | None:
        """Return the target of a reference with an identifier of the scope; None after an error."""
        if target.uri in self._scope.several:
            self.diagnostics.append(self._repeated(self._scope.several[target.uri]))
            return None
        root, target_path = self._scope.resources[target.uri], self._scope.find(target)
        if target_path is None:
            # `#…` and the file's name may mean the document that a schema is embedded in.
            is_open = root == () and (text.startswith("#") or target.uri == self._document)
            return ExternalTarget(self._document if is_open else None, target.steps, target.anchor)
        anchor = target.anchor if keyword == "$dynamicRef" else ""
        if keyword != "$ref" and (root, anchor) in self._scope.dynamic:
            if self._scope.dynamic_names[anchor] > 1:
                self._report_dynamic(path, keyword)
                return None
            self._dynamic.append((path, anchor))
        return (
            ExternalTarget(self._document, tuple(map(str, (*self._root.path, *target_path))))
            if self._path
            else target_path
        )

    def _lift(self, path: Path) -> Outline | None:
        """Enter a schema at a position where no subschema belongs; None after an error."""
        dialect = self._scope.dialect_at(path)
        self._enter(path, outline(value_at(self._scope.value, path), dialect, path))
        entered = self._outlines.get(path)
        if entered is not None:
            self._positions.update(inner for inner, _ in entered.nodes)
        return entered

    def _lifted(self) -> list[Path]:
        """Return the paths of the lifted schemas that no other one contains."""
        if len(self._outlines) == 1:
            return []
        times = Counter(
            path for schema_outline in self._outlines.values() for path, _ in schema_outline.nodes
        )
        return [path for path in self._outlines if path != self._path and times[path] == 1]

    def _report_dynamic(self, path: Path, keyword: str) -> None:
        location = self._root.at(*path, keyword)
        self.diagnostics.append(
            diagnostic_at(kinds.DYNAMIC_REFERENCE, location, on_key=True, keyword=keyword)
        )

    def _report_value(self, path: Path, keyword: str, text: str, target_path: Path) -> None:
        location, target = self._root.at(*path, keyword), self._root.at(*target_path)
        label = Label(target.span, "not a schema")
        quoted, actual = shown(text), shown(target.value_or_none)
        self.diagnostics.append(
            diagnostic_at(
                kinds.NO_SCHEMA_THERE, location, labels=[label], reference=quoted, found=actual
            )
        )

    def _resource(
        self,
        schema_outline: Outline,
        conversion: Conversion,
        references: list[tuple[Path, str, Path | ExternalTarget]],
    ) -> Resource:
        """Return the schema with its references, by their paths after the conversion."""
        start = len(self._path)
        inner: list[tuple[Path, Path]] = []
        outer: list[Reference] = []
        texts: dict[Path, str] = {}
        for path, text, target in references:
            holder = conversion.converted_path(path[start:])
            texts[holder] = text
            if isinstance(target, ExternalTarget):
                outer.append(Reference(holder, text, target))
            else:
                inner.append((holder, conversion.converted_path(target)))
        value, nodes, uses = (
            conversion.value,
            schema_outline.nodes_below(self._path),
            schema_outline.uses,
        )
        if value is not value_at(self._scope.value, self._path):
            converted = survey(value)
            nodes, uses = converted.nodes, converted.uses
        dynamic = tuple(
            (conversion.converted_path(path[start:]), name) for path, name in self._dynamic
        )
        return Resource(
            value,
            self._location,
            nodes,
            uses,
            conversion,
            schema_outline,
            self._scope,
            tuple(inner),
            tuple(outer),
            texts,
            dynamic,
        )
