"""Resolves references, makes every schema self-contained, and validates examples."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, Severity, Subject
from toolspec.frontend.resolve.kinds import TOO_MANY_DEFINITIONS
from toolspec.frontend.resolve.links import Linker
from toolspec.ir import Definition, Formats, LateSchema, Schema
from toolspec.schema import (
    Budget,
    Bundle,
    Bundler,
    InstanceValidator,
    Prover,
    check_bundle,
    check_complexity,
    check_nested_defaults,
    diagnostic_at,
    needs_too_many,
)
from toolspec.schema import kinds as schema_kinds
from toolspec.schema.bundle import MAX_COPIES
from toolspec.schema.instances import format_hint
from toolspec.schema.kinds import UNCHECKED_VALUE
from toolspec.schema.reach import Reach
from toolspec.schema.shared_validator import SharedValidator
from toolspec.schema.values import HOLDING
from toolspec.schema.walk import find, split
from toolspec.shared.records import replace
from toolspec.syntax.kinds import TOO_MANY
from toolspec.syntax.limits import MAX_DIAGNOSTICS
from toolspec.syntax.pointer import parse_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.files import Files
    from toolspec.ir import Example, Service, Tool
    from toolspec.schema import Key
    from toolspec.schema.bundle import LinkedSchema
    from toolspec.syntax.nodes import JsonValue, Location
    from toolspec.syntax.pointer import Path


def resolve(service: Service, files: Files) -> Checked[Service]:
    """Return the service with self-contained schemas, and all diagnostics about its schemas.

    Referenced schemas from other files, or from elsewhere in the service's documents, are added to
    `definitions`. A generated schema, which has no location, is left as it is. Reports errors of
    schemas, references without a target, and invalid examples of tools.
    """
    if len(service.definitions) <= MAX_DEFINITIONS:
        return _Resolution(service, files).run()
    excess = _too_many(service)
    broken = service.broken | {"definitions"}
    resolved = _Resolution(replace(service, definitions=(), broken=broken), files).run()
    return Checked(resolved.value, (excess, *resolved.diagnostics))


def _too_many(service: Service) -> Diagnostic:
    location = service.definitions[MAX_DEFINITIONS].schema.location
    diagnostic = TOO_MANY_DEFINITIONS.at(
        location.key_span if location else None,
        subject=Subject(pointer=location.pointer if location else ""),
        count=len(service.definitions),
        limit=MAX_DEFINITIONS,
    )
    return diagnostic.about(service="" if "names" in service.broken else service.name)


# Limit on the definitions of a service, each of which is checked; real ones have a thousand.
MAX_DEFINITIONS = 5_000

# These do not make a schema broken: schemas that refer to it can be checked all the same.
_ABOUT_VALUES = (schema_kinds.DEFAULT_MISMATCH, schema_kinds.EXAMPLE_MISMATCH)


class _Resolution:
    """Resolution of one service: read everything, link it, then check it bundle by bundle."""

    def __init__(self, service: Service, files: Files) -> None:
        self._service = service
        has_all = "definitions" not in service.broken
        has_any = has_all or bool(service.definitions)
        self._linker = Linker(files, has_all_definitions=has_all, has_definitions=has_any)
        self._bundles: dict[Key, Bundle] = {}
        self._validators: dict[Key, InstanceValidator] = {}
        self._tools: dict[Key, str] = {}
        self._blocked: set[Key] = set()
        self._prover = Prover()
        self._budget = Budget()
        self._asserting: set[Key] = set()
        self._errors: dict[Key, set[Path]] = {}
        self._bundler = Bundler(self._linker.schemas)
        self._broken = 0
        self._shared_validators = {
            formats: SharedValidator(self._bundler, self._with_values, formats=formats)
            for formats in (True, False)
        }

    def run(self) -> Checked[Service]:
        linker, service = self._linker, self._service
        for definition in service.definitions:
            if definition.schema.location is not None:
                linker.define(definition, definition.schema.location)
        for schema, tool in self._schemas():
            if schema.location is not None:
                key = linker.read(schema.value, schema.location)
                self._tools.setdefault(key, tool.names.full if tool else "")
        linker.link()
        self._asserting = self._with_formats()
        with closing(self._prover):
            self._check_all()
        self._locate_errors()
        resolved = self._resolved()
        for tool in service.tools:
            self._try_examples(tool)
        diagnostics = tuple(self._about(*diagnostic) for diagnostic in linker.diagnostics)
        # They refer back to this object, which would keep the service in memory as a cycle.
        self._validators.clear()
        self._shared_validators.clear()
        return Checked(resolved, diagnostics)

    def _schemas(self) -> Iterator[tuple[Schema, Tool | None]]:
        """Yield every embedded schema except the definitions, with its tool."""
        service = self._service
        for schema in (service.settings, service.auth.fields):
            if schema is not None:
                yield schema, None
        for tool in service.tools:
            for schema in (tool.input, tool.output, tool.chunk):
                if schema is not None:
                    yield schema, tool

    def _with_formats(self) -> set[Key]:
        """Return the schemas whose formats are asserted: by a tool or service, or by a referrer.

        An unused definition follows the service.
        """
        schemas, service = self._linker.schemas, self._service
        owned = [
            (schema.location.key, (tool or service).formats)
            for schema, tool in self._schemas()
            if schema.location is not None
        ]
        asserting = {key for key, formats in owned if formats is Formats.ASSERT}
        used = _closure({key for key, _ in owned}, schemas)
        if service.formats is Formats.ASSERT:
            asserting |= schemas.keys() - used
        return _closure(asserting, schemas)

    def _check_all(self) -> None:
        """Check complexity and defaults of all schemas together, then bundle and check each in order."""
        linker = self._linker
        for check in (check_complexity, check_nested_defaults):
            for key, diagnostic in check(linker.schemas):
                linker.complain(key, diagnostic)
        self._reach = Reach(linker.schemas)
        self._broken = self._reach.as_set(linker.broken)
        for key in self._in_order():
            self._check(key)
            if key in linker.broken:
                self._broken |= self._reach.as_set((key,))

    def _in_order(self) -> Iterator[Key]:
        """Yield every schema after those that it refers to, except in cycles."""
        schemas = self._linker.schemas
        visited: set[Key] = set()
        for start, linked in schemas.items():
            if start in visited:
                continue
            visited.add(start)
            if not linked.links:
                yield start
                continue
            stack = [(start, iter(linked.links))]
            while stack:
                key, links = stack[-1]
                link = next((link for link in links if link.to not in visited), None)
                if link is None:
                    stack.pop()
                    yield key
                else:
                    visited.add(link.to)
                    stack.append((link.to, iter(schemas[link.to].links)))

    def _check(self, key: Key) -> None:
        """Bundle and check a schema, unless it or a dependency has an error already."""
        linker = self._linker
        linked = linker.schemas[key]
        is_blocked = key in linker.silent
        is_blocked = is_blocked or any(link.to in self._blocked for link in linked.links)
        if is_blocked or self._reach.count(key) > MAX_COPIES:
            if not is_blocked:
                linker.complain(key, needs_too_many(linked))
            self._blocked.add(key)
            linker.broken.add(key)
            self._bundles[key] = Bundle(linked)
            return
        bundle = self._bundles[key] = self._bundler.bundle(linked)
        if self._leads_to_error(key):
            return
        validator = self._validator(key, formats=key in self._asserting)
        diagnostics = check_bundle(bundle, validator, self._prover, self._validators.keys())
        for diagnostic in diagnostics:
            if diagnostic.kind in _ABOUT_VALUES:
                linker.diagnostics.append((key, diagnostic))
            else:
                linker.complain(key, diagnostic)
        if key not in linker.broken:
            self._validators[key] = validator

    def _leads_to_error(self, key: Key) -> bool:
        """Return whether a schema has an error, or refers to one that does, directly or not."""
        return key in self._linker.broken or self._reach.reaches_any_of(key, self._broken)

    def _validator(self, key: Key, *, formats: bool) -> InstanceValidator:
        return InstanceValidator(
            self._bundles[key],
            formats=formats,
            budget=self._budget,
            shared_validator=self._shared_validators[formats],
        )

    def _with_values(self) -> Iterator[tuple[Key, Path]]:
        """Yield the sound and simple schemas, with the paths of their subschemas that have values."""
        tried = {
            schema.location.key
            for tool in self._service.tools
            for schema in (tool.input, tool.output)
            if tool.examples and schema.location is not None
        }
        for key, linked in self._linker.schemas.items():
            if self._leads_to_error(key) or self._reach.count(key) > MAX_COPIES:
                continue
            paths = {path for path, _ in linked.resource.using(HOLDING)}
            yield from ((key, path) for path in paths | ({()} if key in tried else set()))

    def _locate_errors(self) -> None:
        """Record the locations of errors in each schema, and of references that lead to an error.

        What follows references, such as lowering, expects valid schemas at their ends.
        """
        linker = self._linker
        for key, diagnostic in linker.diagnostics:
            if diagnostic.severity is Severity.ERROR and diagnostic.kind not in _ABOUT_VALUES:
                self._errors.setdefault(key, set()).add(self._where(key, diagnostic))
        for key, holders in linker.silent.items():
            self._errors.setdefault(key, set()).update(holders)
        for key, linked in linker.schemas.items():
            for link in linked.links:
                if self._leads_to_error(link.to):
                    self._errors.setdefault(key, set()).add(link.holder)

    def _resolved(self) -> Service:
        service, linker = self._service, self._linker
        own_definitions = {
            name: definition for definition in service.definitions if (name := definition.name)
        }
        entries = {name: self._bundler.entry(key) for name, key in linker.definitions.items()}
        definitions = [
            Definition(
                definition.name, self._filled(definition.schema), entries.get(definition.name)
            )
            for definition in service.definitions
        ]
        definitions += [
            Definition(
                name,
                self._schema_of(key, linker.schemas[key].resource.location.value_or_none),
                entries.get(name),
            )
            for name, key in linker.definitions.items()
            if name not in own_definitions and linker.schemas[key].name == name
        ]
        auth = service.auth
        if auth.fields is not None:
            auth = replace(auth, fields=self._filled(auth.fields))
        return replace(
            service,
            definitions=tuple(definitions),
            settings=self._filled(service.settings) if service.settings else None,
            auth=auth,
            tools=tuple(self._with_schemas(tool) for tool in service.tools),
        )

    def _with_schemas(self, tool: Tool) -> Tool:
        return replace(
            tool,
            input=self._filled(tool.input),
            output=self._filled(tool.output),
            chunk=self._filled(tool.chunk) if tool.chunk else None,
        )

    def _filled(self, schema: Schema) -> Schema:
        if schema.location is None:
            return schema
        return self._schema_of(schema.location.key, schema.value)

    def _schema_of(self, key: Key, value: JsonValue) -> Schema:
        bundle = self._bundles[key]
        errors = tuple(sorted(self._errors.get(key, ()), key=str))
        broken = None if () in errors else errors
        if bundle.is_alone:
            return Schema(value, bundle.value, (), bundle.root.resource.location, broken)
        return LateSchema.bundled_by(bundle, value, bundle.root.resource.location, broken)

    def _where(self, key: Key, diagnostic: Diagnostic) -> Path:
        """Return the path of the subschema with an error, or of the whole schema."""
        steps = parse_pointer(diagnostic.subject.pointer)
        location = self._linker.schemas[key].resource.location
        if tuple(map(str, location.path)) != steps[: len(location.path)]:
            return ()
        path = find(location.value_or_none, steps[len(location.path) :])
        return split(path)[0] if path else ()

    def _try_examples(self, tool: Tool) -> None:
        for example in tool.examples:
            if "input" not in tool.broken:
                self._try(tool, tool.input, "input", example.input, example.location)
            if not example.error and _has_output(example) and "output" not in tool.broken:
                self._try(tool, tool.output, "output", example.output, example.location)

    def _try(
        self, tool: Tool, schema: Schema, part: str, value: JsonValue, location: Location | None
    ) -> None:
        if schema.location is None or location is None:
            return
        key = schema.location.key
        validator = self._validators.get(key)
        formats = tool.formats is Formats.ASSERT
        if (
            validator is not None and validator.formats is not formats
        ):  # another tool uses the schema too
            validator = self._validator(key, formats=formats)
        if self._budget.is_exhausted or validator is None or validator.accepts((), value):
            return
        self._linker.diagnostics.append((key, _mismatch(part, validator, location / part, value)))

    def _about(self, key: Key, diagnostic: Diagnostic) -> Diagnostic:
        service, tool = self._service, self._tools.get(key, "")
        name = "" if "names" in service.broken else service.name
        return diagnostic.about(service=name, tool=tool)


def _closure(keys: set[Key], schemas: Mapping[Key, LinkedSchema]) -> set[Key]:
    """Return schemas with all that they refer to."""
    reached, waiting = set(keys), list(keys)
    while waiting:
        for link in schemas[waiting.pop()].links:
            if link.to not in reached:
                reached.add(link.to)
                waiting.append(link.to)
    return reached


def _mismatch(
    part: str, validator: InstanceValidator, location: Location, value: JsonValue
) -> Diagnostic:
    """Return one diagnostic for all errors of a part of an example, with a label for each."""
    if not validator.budget.report():
        return TOO_MANY.at(location.span, limit=MAX_DIAGNOSTICS)
    problems = validator.problems((), value)
    labels: list[Label] = []
    if len(problems) == 1:
        at, problem = location.at(*problems[0].path), str(problems[0])
    else:
        labels = [Label(location.at(*mismatch.path).span, mismatch.text) for mismatch in problems]
        at, problem = location, "; ".join(map(str, problems))
    if all(mismatch.undecided for mismatch in problems):
        hint = problems[0].undecided
        return diagnostic_at(UNCHECKED_VALUE, at, labels=labels, problem=problem, suggestion=hint)
    return diagnostic_at(
        schema_kinds.EXAMPLE_MISMATCH,
        at,
        labels=labels,
        example=f"the example's {part}",
        schema=f"`{part}Schema`",
        problem=problem,
        formats=format_hint(problems),
    )


def _has_output(example: Example) -> bool:
    value = example.location.value_or_none if example.location else None
    return isinstance(value, dict) and "output" in value
