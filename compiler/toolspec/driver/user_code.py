"""The user's handler files: compared with their services, patched, or created."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, Severity, did_you_mean
from toolspec.driver import build, user_kinds
from toolspec.driver.analysis import context_of
from toolspec.driver.config import package_of
from toolspec.driver.new_files import create
from toolspec.driver.rewriting import Rewrite
from toolspec.shared.records import dataclass, field
from toolspec.targets.python import TARGET as PYTHON
from toolspec.usercode.classes import find_class, no_class
from toolspec.usercode.compare import compare
from toolspec.usercode.new_file import new_file
from toolspec.usercode.patch import patched
from toolspec.usercode.python_file import read_python
from toolspec.usercode.required_methods import required_methods
from toolspec.usercode.stub_text import StubError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolspec.driver.config import Config, Project
    from toolspec.ir import Program
    from toolspec.source import SourceFile
    from toolspec.usercode.required_methods import RequiredMethods


@dataclass(frozen=True, slots=True)
class HandlerSelection:
    """Selection of handlers: one service or all, in some files or the configured ones.

    `templates` is a folder of templates, as `Request` has it.
    """

    service: str = ""
    files: Sequence[str] = ()
    folder: Path = field(default_factory=Path.cwd)
    templates: str = ""


@dataclass(frozen=True, slots=True)
class _HandlerLocation:
    """Location of a service's handlers: a file, and optionally class and service."""

    path: Path
    name: str
    class_name: str
    service: str


def compare_handlers(selection: HandlerSelection) -> Checked[tuple[Rewrite, ...]]:
    """Return each handler file with its patch and its diagnostics. Writes nothing."""
    checked = _program(selection)
    if not checked.ok:
        return Checked((), checked.diagnostics)
    return compare_handlers_of(checked.value.program, checked.value.project, selection)


def compare_handlers_of(
    program: Program, project: Project, selection: HandlerSelection
) -> Checked[tuple[Rewrite, ...]]:
    """Return what `compare_handlers` returns, for a program that is compiled already."""
    locations = _locations(selection, program, project)
    diagnostics = list(locations.diagnostics)
    by_path: dict[Path, list[_HandlerLocation]] = {}
    for location in locations.value:
        by_path.setdefault(location.path, []).append(location)
    package = package_of(project.root, project.config)
    files: list[Rewrite] = []
    for same in by_path.values():
        file = _File(same, program, package, _templates(project))
        compared = file.compare()
        diagnostics += compared.diagnostics
        files += compared.value
    return Checked(
        tuple(files), tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.order))
    )


def apply(files: Iterable[Rewrite]) -> tuple[Diagnostic, ...]:
    """Write the patched files; a file that changed meanwhile is left alone."""
    return tuple(problem for file in files if (problem := file.write()))


def write_new(service: str, to: str, folder: Path) -> Checked[str]:
    """Write a service's handlers to a new file; return what to add to the configuration.

    An existing file is never changed.
    """
    checked = _program(HandlerSelection(service, folder=folder))
    if not checked.ok:
        return Checked("", checked.diagnostics)
    program, project = checked.value.program, checked.value.project
    chosen = [candidate for candidate in program.services if candidate.name == service]
    required = required_methods(chosen[0])
    package = package_of(project.root, project.config)
    try:
        text = new_file(required, package, _templates(project))
    except StubError as error:
        return Checked("", error.diagnostics)
    advice = f"see what it lacks with `toolspec handlers {service} --in {to}`"
    problems = create({folder / to: text}, folder, advice)
    path = _shown(folder / to, project.root)
    is_known = project.config.handlers.get(service, "").startswith(path)
    advice = "" if is_known else _advice(project, service, path)
    return Checked(advice, problems)


def _templates(project: Project) -> tuple[SourceFile, ...]:
    """Return the user's templates of the Python target, which write stubs too."""
    return context_of(PYTHON, project.config).templates


def _advice(project: Project, service: str, path: str) -> str:
    """Return what to add to the configuration, so that `toolspec handlers` finds a file."""
    span = project.config.span("handlers") if project.config.handlers else None
    if span is None:
        return f'add to the configuration: handlers = {{{service} = "{path}"}}'
    where = f"{span.source.path}, line {span.first.line}"
    return f'add to `handlers` in the configuration ({where}): {service} = "{path}"'


def _program(selection: HandlerSelection) -> Checked[build.Build]:
    """Return the program; report errors of its documents, or an unknown service."""
    checked = build.check(build.Request(folder=selection.folder, templates=selection.templates))
    if not checked.ok:
        errors = (
            diagnostic
            for diagnostic in checked.diagnostics
            if diagnostic.severity is Severity.ERROR
        )
        return Checked(checked.value, tuple(errors))
    names = [service.name for service in checked.value.program.services]
    return Checked(checked.value, tuple(_unknown([selection.service], names)))


def _unknown(
    named: Iterable[str], names: list[str], config: Config | None = None
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each service that is not there; `config` is what names them, if any."""
    for name in named:
        if name and name not in names:
            span = config.span("handlers", name) if config else None
            hint = did_you_mean(name, names)
            yield user_kinds.UNKNOWN_SERVICE.at(span, name=name, suggestion=hint)


def _locations(
    selection: HandlerSelection, program: Program, project: Project
) -> Checked[tuple[_HandlerLocation, ...]]:
    """Return the locations of the handlers, or why they are unknown."""
    service, configured = selection.service, project.config.handlers
    if selection.files:
        in_files = (
            _location(selection.folder, file, service, project.root) for file in selection.files
        )
        return Checked(tuple(in_files))
    service_names = [declared.name for declared in program.services]
    problems = tuple(_unknown(configured, service_names, project.config))
    wanted = {name: path for name, path in configured.items() if service in {"", name}}
    if not wanted and not problems:
        names = [service] if service else service_names
        shown = ", ".join(f"`{name}`" for name in names)
        example = f'{{{names[0]} = "app/{names[0]}.py"}}'
        problems = (user_kinds.NO_HANDLERS.at(None, services=shown, example=example),)
    is_asked = bool(wanted) and not service and not problems
    unchecked = [name for name in service_names if is_asked and name not in wanted]
    if unchecked:
        problems += (
            user_kinds.UNCHECKED_SERVICE.at(
                None,
                services=", ".join(f"`{name}`" for name in unchecked),
                example=f'{unchecked[0]} = "app/{unchecked[0]}.py"',
                other=next(iter(wanted)),
            ),
        )
    locations = (_location(project.root, path, name, project.root) for name, path in wanted.items())
    return Checked(
        tuple(location for location in locations if location.service in service_names), problems
    )


def _location(base: Path, written: str, service: str, root: Path) -> _HandlerLocation:
    """Return the location that `path.py` or `path.py:Class` names."""
    path, colon, last = written.rpartition(":")
    if not (colon and last.isidentifier()):
        path, last = written, ""
    full = base / path
    return _HandlerLocation(full, _shown(full, root), last, service)


def _shown(path: Path, root: Path) -> str:
    return Path(os.path.relpath(path, root)).as_posix()


@dataclass(frozen=True, slots=True)
class _File:
    """One file with its handler classes, each for some service."""

    locations: list[_HandlerLocation]
    program: Program
    package: str
    templates: tuple[SourceFile, ...] = ()

    def compare(self) -> Checked[tuple[Rewrite, ...]]:
        """Return the file with its patch and diagnostics; empty if it cannot be read."""
        first = self.locations[0]
        try:
            data = first.path.read_bytes()
        except FileNotFoundError:
            service = first.service or self.program.services[0].name
            missing = user_kinds.MISSING_HANDLERS.at(None, path=first.name, service=service)
            return Checked((), (missing,))
        except OSError as error:
            reason = error.strerror or str(error)
            return Checked((), (user_kinds.UNREADABLE.at(None, path=first.name, reason=reason),))
        diagnostics: list[Diagnostic] = []
        after = data
        for location in self.locations:
            after = self._patch(location, data, after, diagnostics)
        written = Rewrite(first.path, first.name, data, after)
        return Checked((written,), tuple(diagnostics))

    def _patch(
        self, location: _HandlerLocation, data: bytes, after: bytes, diagnostics: list[Diagnostic]
    ) -> bytes:
        """Return the text with one class's methods added; diagnostics refer to the original."""
        read = read_python(location.name, data)
        diagnostics += read.diagnostics
        if read.value is None:
            return after
        is_compared = False
        for required in self._needs(location):
            chosen = find_class(read.value, required, location.class_name)
            if chosen.value is None:
                is_named = location.service or any(
                    d.code != "handlers/no-class" for d in chosen.diagnostics
                )
                diagnostics += chosen.diagnostics if is_named else ()
                is_compared |= bool(is_named)
                continue
            is_compared = True
            diagnostics += compare(chosen.value, required, self.package)
            after = self._added(location, required, after, diagnostics)
        if not is_compared:
            diagnostics.append(no_class(read.value, self._needs(location)[0]))
        return after

    def _needs(self, location: _HandlerLocation) -> list[RequiredMethods]:
        services = self.program.services
        return [
            required_methods(service)
            for service in services
            if location.service in {"", service.name}
        ]

    def _added(
        self,
        location: _HandlerLocation,
        required: RequiredMethods,
        text: bytes,
        diagnostics: list[Diagnostic],
    ) -> bytes:
        read = read_python(location.name, text).value
        chosen = find_class(read, required, location.class_name).value if read else None
        if read is None or chosen is None:
            return text
        patch = patched(chosen, required, self.package, self.templates)
        diagnostics += patch.diagnostics
        return f"{read.mark}{patch.value}".encode()
