"""Links references to their targets: definitions of the service, its documents, other files."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity, has_errors
from toolspec.frontend.resolve import kinds
from toolspec.schema import Link, LinkedSchema, diagnostic_at, find, numbered, read_resource, shown
from toolspec.schema import kinds as schema_kinds
from toolspec.schema.keyword_order import sort_keywords
from toolspec.schema.patterns import States
from toolspec.schema.refs import Refusal, Target, Uri, file_of, file_uri, joined
from toolspec.schema.scope import Scope
from toolspec.schema.validity import ErrorLimit
from toolspec.shared.records import replace
from toolspec.shared.spelling import nearest
from toolspec.syntax.limits import MAX_DIAGNOSTICS

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.files import Files
    from toolspec.ir import Definition
    from toolspec.schema import Key, Reference
    from toolspec.schema.resource import ExternalTarget
    from toolspec.syntax.nodes import Document, JsonValue, Location
    from toolspec.syntax.pointer import Path


# A service has one or two dynamic anchors, if any.
_MOST_ANCHORS = 20


class Linker:
    """Reads schemas and everything they refer to, each once.

    `schemas` has schemas by location, `broken` those with an error, and `diagnostics` all diagnostics
    with the schema of each. Referenced schemas are added to `definitions`, with a name that is
    unique in the service. `silent` has the paths, by schema, of what another diagnostic is about:
    references into a part of a document that has an error itself, and whole schemas whose patterns
    or errors are too many.
    """

    def __init__(
        self, files: Files, *, has_all_definitions: bool = True, has_definitions: bool = True
    ) -> None:
        self._files = files
        self._has_all_definitions = has_all_definitions
        self._has_definitions = has_definitions
        self._waiting: list[LinkedSchema] = []
        self._defined: set[Key] = set()
        # Targets of references, by the referring file.
        self._led: dict[tuple[str, ExternalTarget], tuple[Key, Path]] = {}
        # Schemas with an `$id`: those of definitions, and the others.
        self._identified: dict[bool, dict[Uri, list[Location]]] = {True: {}, False: {}}
        self._scopes: dict[str, Scope] = {}
        self._lost = 0
        self._states = States()
        self._errors = ErrorLimit()
        self._positions_of: dict[Key, frozenset[Path]] = {}
        self.schemas: dict[Key, LinkedSchema] = {}
        self.definitions: dict[str, Key] = {}
        self.broken: set[Key] = set()
        self.diagnostics: list[tuple[Key, Diagnostic]] = []
        self.silent: dict[Key, set[Path]] = {}

    def define(self, definition: Definition, location: Location) -> None:
        """Read a definition of the service; of two with one name, the name refers to the first."""
        name = numbered(definition.name, self.definitions)
        self.definitions[name] = self.read(definition.schema.value, location, name)
        self._defined.add(self.definitions[name])

    def read(self, value: JsonValue, location: Location, name: str = "") -> Key:
        """Read an embedded schema, which is a separate root; `link` resolves its references."""
        key = location.key
        if key not in self.schemas:
            self._read(name, value, location)
        return key

    def link(self) -> None:
        """Resolve the references of all schemas, and of those that they add."""
        # A referenced schema is added to the end of this list.
        for linked in self._waiting:
            if linked.resource.outer:
                resolved = (self._link(linked, reference) for reference in linked.resource.outer)
                links = tuple(link for link in resolved if link is not None)
                self.schemas[linked.key] = replace(linked, links=links)
        self._waiting.clear()
        self._check_dynamic()

    def _check_dynamic(self) -> None:
        """Report dynamic references that could mean the anchor of a referring schema."""
        relying: defaultdict[str, list[tuple[LinkedSchema, Path]]] = defaultdict(list)
        for linked in self.schemas.values():
            for holder, name in linked.resource.dynamic:
                relying[name].append((linked, holder))
        for name, references in relying.items():
            # Beyond that number anchors are not traced: each counts as ambiguous.
            reached = self._reached(name) if len(relying) <= _MOST_ANCHORS else None
            for linked, holder in references:
                scopes = reached.get(linked.key, set()) if reached is not None else {None}
                if scopes - {linked.resource.scope}:
                    location = linked.resource.locations((*holder, "$ref"))
                    problem = diagnostic_at(
                        schema_kinds.DYNAMIC_REFERENCE,
                        location,
                        on_key=True,
                        keyword=str(location.path[-1]),
                    )
                    self.complain(linked.key, problem)

    def _reached(self, anchor: str) -> dict[Key, set[Scope]]:
        """Return up to two scopes for each schema that have the dynamic anchor and lead to it."""
        reached: dict[Key, set[Scope]] = {}
        waiting = [
            (linked, linked.resource.scope)
            for linked in self.schemas.values()
            if linked.links and anchor in linked.resource.scope.dynamic_names
        ]
        for linked, scope in waiting:
            for link in linked.links:
                scopes = reached.setdefault(link.to, set())
                if scope not in scopes and len(scopes) < 2:  # noqa: PLR2004 - the own one, and another
                    scopes.add(scope)
                    waiting.append((self.schemas[link.to], scope))
        return reached

    def complain(self, key: Key, diagnostic: Diagnostic) -> None:
        """Add a diagnostic to a schema; an error makes it broken."""
        self.diagnostics.append((key, diagnostic))
        if diagnostic.severity is Severity.ERROR:
            self.broken.add(key)

    def _read(
        self, name: str, value: JsonValue, location: Location, scope: Scope | None = None
    ) -> None:
        sort_keywords(value)
        left_out = self._states.left_out + self._errors.left_out
        checked = read_resource(value, location, scope, self._states, self._errors)
        key, resource = location.key, checked.value
        linked = LinkedSchema(key, name, resource)
        self.schemas[key] = linked
        self._waiting.append(linked)
        for diagnostic in checked.diagnostics:
            self.complain(key, diagnostic)
        if self._states.left_out + self._errors.left_out > left_out:
            self.silent[key] = {()}
            self.broken.add(key)
        if len(resource.scope.resources) > 1 and resource.scope.location == resource.location:
            base = file_uri(resource.location.document.source.path)
            for uri, path in resource.scope.resources.items():
                if uri != base:
                    identified = self._identified[bool(name)]
                    identified.setdefault(uri, []).append(resource.location.at(*path))

    def _link(self, linked: LinkedSchema, reference: Reference) -> Link | None:
        target = reference.target
        resolved = self._led.get((linked.key[0], target))
        if resolved is None:
            resolved = self._counted(linked, reference)
            if resolved is None:
                return None
        # A diagnostic from reading another file concerns each schema that refers to it.
        if target.uri == file_uri(linked.key[0]):
            self._led[linked.key[0], target] = resolved
        return Link(reference.holder, *resolved)

    def _counted(self, linked: LinkedSchema, reference: Reference) -> tuple[Key, Path] | None:
        """Return the target of a reference; after too many broken ones, none is looked up."""
        if self._lost > MAX_DIAGNOSTICS:
            self.silent.setdefault(linked.key, set()).add(reference.holder)
            return None
        resolved = self._lead(linked, reference)
        if resolved is None and reference.holder not in self.silent.get(linked.key, ()):
            self._lost += 1
            if self._lost > MAX_DIAGNOSTICS:
                key, last = self.diagnostics.pop()
                excess = kinds.TOO_MANY_LOST_REFERENCES.at(last.span, limit=MAX_DIAGNOSTICS)
                self.diagnostics.append((key, excess))
        return resolved

    def _lead(self, linked: LinkedSchema, reference: Reference) -> tuple[Key, Path] | None:
        """Return the target of a reference, its schema and the path in it; None after an error."""
        location = linked.resource.locations((*reference.holder, "$ref"))
        target, scope = reference.target, self._identified_scope(linked, reference, location)
        if scope is not None and target.uri is not None:
            document: Document | None = scope.location.document
            at = scope.find(Target(target.uri, target.steps, target.anchor))
            target_location = None if at is None else scope.location.at(*at)
        else:
            document = self._document(linked, reference, location)
            target_location = self._meant(document, reference) if document else None
        if document is None:
            return None
        if self._is_broken(document, reference, target_location):
            self.silent.setdefault(linked.key, set()).add(reference.holder)
            return None
        if target_location is None:
            self.complain(linked.key, self._dangling(document, reference, location))
            return None
        if not isinstance(target_location.value_or_none, (dict, bool)):
            quoted, found = shown(reference.text), shown(target_location.value_or_none)
            label = Label(target_location.span, "not a schema")
            self.complain(
                linked.key,
                diagnostic_at(
                    schema_kinds.NO_SCHEMA_THERE,
                    location,
                    labels=[label],
                    reference=quoted,
                    found=found,
                ),
            )
            return None
        key = self._known(target_location)
        if key is None or target_location.path[len(key[1]) :] not in self._positions(key):
            key = self._bring_in(target_location)
        return key, self.schemas[key].resource.conversion.converted_path(
            target_location.path[len(key[1]) :]
        )

    def _identified_scope(
        self, linked: LinkedSchema, reference: Reference, location: Location
    ) -> Scope | None:
        """Return the scope of the other schema of the service whose `$id` a reference names."""
        uri = reference.target.uri
        if uri is None:
            return None
        candidates = (self._identified[is_named].get(uri) for is_named in (True, False))
        locations = next((group for group in candidates if group), None)
        if locations is None:
            return None
        if len(locations) > 1:
            labels = [Label(location.span, "one of them") for location in locations[:2]]
            identifier = reference.text.partition("#")[0]
            repeated = schema_kinds.REPEATED_IDENTIFIER
            self.complain(
                linked.key, diagnostic_at(repeated, location, labels=labels, identifier=identifier)
            )
        return self._scope_of(locations[0])

    def _document(
        self, linked: LinkedSchema, reference: Reference, location: Location
    ) -> Document | None:
        """Return the document of a reference; None after an error."""
        uri, source = reference.target.uri, location.document.source.path
        if uri is None:
            return location.document
        file = file_of(uri, source)
        if isinstance(file, Refusal):
            beside = self._beside(uri, reference.text, location)
            if beside is None:
                text, reason = shown(reference.text), file.reason
                is_moved = (
                    uri.scheme is not None and joined(file_uri(source), reference.text) != uri
                )
                if is_moved:
                    reason = f"means `{uri}` below an `$id`, and no `$id` here declares that"
                self.complain(
                    linked.key,
                    diagnostic_at(
                        schema_kinds.REFUSED_REFERENCE, location, reference=text, reason=reason
                    ),
                )
            return beside
        if file == source:
            return location.document
        parsed = self._files.read(file, location)
        for diagnostic in parsed.diagnostics:
            self.complain(linked.key, diagnostic)
        if parsed.value is None and not has_errors(parsed.diagnostics):
            text = shown(reference.text)
            missing = diagnostic_at(
                kinds.MISSING_FILE, location, reference=text, path=file, source=source
            )
            self.complain(linked.key, missing)
        return parsed.value

    def _beside(self, uri: Uri, text: str, location: Location) -> Document | None:
        """Return the file at the same relative path that has the URI as `$id`, or None."""
        source = location.document.source.path
        file = file_of(joined(file_uri(source), text), source)
        if isinstance(file, Refusal) or file == source:
            return None
        document = self._files.read(file, location).value
        root = document.value if document else None
        declared = root.get("$id", root.get("id")) if isinstance(root, dict) else None
        if not isinstance(declared, str) or joined(file_uri(file), declared) != uri:
            return None
        return document

    def _meant(self, document: Document, reference: Reference) -> Location | None:
        """Return the target of a reference: in its document, or else a shared definition."""
        target, source = reference.target, document.source.path
        if target.uri is None:
            return None
        if target.anchor:
            scope = None if _is_spec(document) else self._scope_of(document.location())
            at = scope.anchors.get(((), target.anchor)) if scope else None
            return None if at is None else document.location(*at)
        path = find(document.value, target.steps)
        if path is not None:
            return document.location(*path)
        match target.steps:
            case ("$defs", name, *rest) if (
                target.uri == file_uri(source) and name in self.definitions
            ):
                location = self.schemas[self.definitions[name]].resource.location
                inside = find(location.value_or_none, rest)
                return None if inside is None else location.at(*inside)
        return None

    def _is_broken(
        self, document: Document, reference: Reference, found_at: Location | None
    ) -> bool:
        """Return whether a reference leads into a broken part, or possibly to a missing one."""
        target = reference.target
        if target.anchor:
            return False
        steps = found_at.path if found_at else tuple(target.steps)
        broken = found_at.document.broken if found_at else document.broken
        if any(steps[:length] in broken for length in (1, 2, 3)):
            return True
        own = file_uri(document.source.path)
        is_shared = target.steps[:1] == ("$defs",) and target.uri in (None, own)
        if not self._has_definitions:
            return is_shared
        return found_at is None and is_shared and not self._has_all_definitions

    def _known(self, location: Location) -> Key | None:
        """Return the definition that contains a location."""
        file, path = location.key
        keys = ((file, path[:length]) for length in range(len(path), -1, -1))
        return next((key for key in keys if key in self._defined), None)

    def _positions(self, key: Key) -> frozenset[Path]:
        """Return the paths of a schema at which its author wrote subschemas."""
        if key not in self._positions_of:
            resource = self.schemas[key].resource
            start = len(resource.location.path) - len(resource.scope.location.path)
            nodes = resource.written.nodes
            self._positions_of[key] = frozenset(path[start:] for path, _ in nodes)
        return self._positions_of[key]

    def _scope_of(self, location: Location) -> Scope:
        """Return the scope for the references of a schema at a location.

        It is the innermost schema of the service around the location, else the whole document, or
        the schema itself if the document is one of services.
        """
        file, path = location.key
        for length in range(len(path), -1, -1):
            linked = self.schemas.get((file, path[:length]))
            if linked is not None:
                return linked.resource.scope
        if _is_spec(location.document):
            return Scope(location.value_or_none, location)
        if file not in self._scopes:
            self._scopes[file] = Scope(location.document.value, location.document.location())
        return self._scopes[file]

    def _bring_in(self, location: Location) -> Key:
        """Read an unnamed schema as a definition of the service."""
        stem = PurePosixPath(location.document.source.path).name.partition(".")[0]
        name = numbered(str(location.path[-1]) if location.path else stem, self.definitions)
        key = location.key
        self.definitions[name] = key
        self._defined.add(key)
        self._read(name, location.value_or_none, location, self._scope_of(location))
        return key

    def _dangling(self, document: Document, reference: Reference, location: Location) -> Diagnostic:
        text = shown(reference.text)
        suggestion = self._suggestion(document, reference, location)
        return diagnostic_at(
            kinds.DANGLING_REFERENCE, location, reference=text, suggestion=suggestion
        )

    def _suggestion(self, document: Document, reference: Reference, location: Location) -> str:
        target = reference.target
        is_own = target.uri is None or target.uri == file_uri(location.document.source.path)
        before = reference.text.partition("#")[0]
        if target.anchor:
            scope = self._scope_of(location) if is_own else self._scope_of(document.location())
            close = nearest(target.anchor, [anchor for _, anchor in scope.anchors])
            if close:
                return f"did you mean `{before}#{close}`?"
            return "no `$anchor` has this name; write a pointer: `#/$defs/…`"
        root = self._root_of(location) if is_own else document.value
        names = list(self.definitions) if is_own else []
        for value in (root, document.value):
            inside = value.get("$defs") if isinstance(value, dict) else None
            names += inside if isinstance(inside, dict) else ()
        close = nearest(target.steps[-1], names) if target.steps else ""
        if close:
            return f"did you mean `{before}#/$defs/{close}`?"
        return "define it below `$defs`, or correct the pointer"

    def _root_of(self, location: Location) -> JsonValue:
        """Return the embedded schema that contains a location."""
        file, path = location.key
        keys = ((file, path[:length]) for length in range(len(path), -1, -1))
        key = next((key for key in keys if key in self.schemas), None)
        return self.schemas[key].resource.location.value_or_none if key else None


def _is_spec(document: Document) -> bool:
    """Return whether a document is one of services, and not a schema itself."""
    root = document.value
    return isinstance(root, dict) and ("toolspec" in root or "tools" in root)
