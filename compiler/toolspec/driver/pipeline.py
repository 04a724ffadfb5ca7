"""The compiler in ten lines: sources to documents, to a program, to artifacts. Nothing is written here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, has_errors
from toolspec.driver import kinds
from toolspec.frontend import bind, includes, naming, resolve, shape
from toolspec.frontend.normalise import PASSES
from toolspec.rules import engine as rules
from toolspec.targets.target import EmitRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.driver.config import Config
    from toolspec.driver.workspace import Workspace
    from toolspec.ir import Program, Service
    from toolspec.syntax.nodes import Document
    from toolspec.targets.target import Artifact, Target

    Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Emission:
    """What one target made."""

    target: str
    artifacts: tuple[Artifact, ...]


def analyse(
    workspace: Workspace, names: Iterable[str], separator: str, progress: Progress = lambda _: None
) -> Checked[Program]:
    """Return the program of some documents with every finding about them.

    A document with an error is left out of what follows; the others are still checked to the end.
    """
    found: list[Diagnostic] = []
    services: list[Service] = []
    strays: list[tuple[str, Document]] = []
    for name in names:
        progress(name)
        document = _gather(workspace.document(name), found)
        if document is None:
            continue
        if not _is_service(document):
            strays.append((name, document))
            continue
        service = _service(document, workspace, found)
        if service is not None:
            services.append(service)
    found += (
        kinds.STRAY.at(document.place().span, path=name)
        for name, document in strays
        if name not in workspace.used
    )
    program = _gather(naming.name_program(services, separator), found)
    found += rules.run(program)
    return Checked(program, tuple(sorted(set(found), key=lambda each: each.order)))


def emit(
    program: Program, config: Config, targets: Iterable[Target], progress: Progress = lambda _: None
) -> Checked[tuple[Emission, ...]]:
    """Return the artifacts of every target, and what the targets found."""
    found: list[Diagnostic] = []
    emissions: list[Emission] = []
    for target in targets:
        progress(target.name)
        request = EmitRequest(program, config.target_options.get(target.name, {}))
        artifacts = _gather(target.emit(request), found)
        emissions.append(Emission(target.name, tuple(artifacts)))
    return Checked(tuple(emissions), tuple(found))


def _service(document: Document, files: Workspace, found: list[Diagnostic]) -> Service | None:
    """Return the service of one document, or None where an error makes the rest pointless."""
    problems = shape.check(document, shape.Form.SERVICE)
    found += problems
    if has_errors(problems):
        return None
    for stage in (resolve.resolve_in(files), *PASSES):
        ...
    return None


def _is_service(document: Document) -> bool:
    return isinstance(document.value, dict) and "toolspec" in document.value
