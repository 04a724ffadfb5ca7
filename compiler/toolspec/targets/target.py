"""Target interface: functions from one service, and then from notes on all, to files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.shared.records import dataclass, field, replace
from toolspec.sinks.json_text import JsonSerializer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.ir import Program, Service, Tool
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.nodes import JsonObject, JsonValue

    OptionSpan = Callable[..., Span | None]


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """A file of a service as a part of another file: a line break and its text, or nothing if not made."""

    path: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """A generated file: its path below the output folder, with `/`, and its text, or `data` of an image.

    The `rest`, of a file of the project, follows the text: further texts, of which only one is in
    memory at a time, and files of services, which the driver reads one by one from the disk. It is
    iterated more than once.
    """

    path: str
    text: str = field(default="", repr=False)
    data: bytes = field(default=b"", repr=False)
    rest: Iterable[str | ServiceFile] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """A file of the project that an option of a target names.

    `path` is relative to the folder of the project, `name` to the folder that the option names; both
    have `/` between their parts. `span` is that of the option.
    """

    option: str
    path: str
    name: str
    data: bytes = field(repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EmitContext:
    """Inputs of a target beside the service.

    `options` are the target's validated options, `separator` joins the names of services and tools.
    All targets of a service share `serializer`, since JSON files have much in common, and
    `lowered_tools`, the tools as they are sent to providers, with their sizes. `templates` are the
    user's, each in place of the built-in one of its file name. `contract` is the text of the project's
    contract, empty without one. `files` are those that options of the target name; only `emit_project`
    may read them, since a service is not emitted again after a change of one.
    """

    options: JsonObject = field(default_factory=dict)
    separator: str = "_"
    serializer: JsonSerializer = field(default_factory=JsonSerializer, compare=False, repr=False)
    lowered_tools: LoweredTools = field(default_factory=LoweredTools, compare=False, repr=False)
    templates: tuple[SourceFile, ...] = ()
    contract: str = field(default="", repr=False)
    files: tuple[ProjectFile, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Emission:
    """Output of a target for one service: its files, and a note for the files of the project.

    The note is the data that `emit_project` needs of the service, as JSON, so that it can be cached.
    """

    artifacts: Iterable[Artifact] = ()
    note: JsonObject = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A declared target.

    `emit_service` returns the files about one service and a note on it; it is only called for a
    service without errors. `emit_project` returns the files about all services (the same paths
    whatever the notes are) from their notes, sorted by service name. `check_service` yields
    diagnostics for features that the target cannot express, and is called for services with errors
    too, without the tools that have one. `definition` returns one tool as clients or providers get it,
    whatever other tools there are, None if they get none; a target without it writes for no client or
    provider. None of the functions reads a file, a clock
    or the environment, and each returns the same for the same arguments. `options` is the JSON Schema
    of `[target.<name>]`; `check_options` yields diagnostics for values that it allows, at the spans of
    options, by the path of each below the table. `file_options` are options that name files, or folders
    of files, with the suffixes of those that are read. `kinds` are the target's diagnostics. One that
    `has_changelog` gets the text of the project's contract.
    """

    name: str
    summary: str
    emit_service: Callable[[Service, EmitContext], Emission] = lambda _service, _context: Emission()
    emit_project: Callable[[Sequence[JsonObject], EmitContext], Checked[Iterable[Artifact]]] = (
        lambda _notes, _context: Checked(())
    )
    check_service: Callable[[Service, EmitContext], Iterable[Diagnostic]] = (
        lambda _service, _context: ()
    )
    definition: Callable[[Tool, EmitContext], JsonObject | None] | None = None
    options: JsonObject = field(
        default_factory=lambda: {"type": "object", "additionalProperties": False}
    )
    check_options: Callable[[JsonObject, OptionSpan], Iterable[Diagnostic]] = (
        lambda _options, _span: ()
    )
    file_options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: tuple[DiagnosticKind, ...] = ()
    has_changelog: bool = False


def emit_program(
    target: Target,
    program: Program,
    options: JsonObject | None = None,
    files: tuple[ProjectFile, ...] = (),
    shared: EmitContext | None = None,
) -> Checked[tuple[Artifact, ...]]:
    """Return every file of a target for a program without errors.

    Targets that are emitted after each other may have `shared` work, that of a context.
    """
    context = replace(
        shared or EmitContext(), options=options or {}, separator=program.separator, files=files
    )
    emissions = [target.emit_service(service, context) for service in program.services]
    artifacts = [artifact for emission in emissions for artifact in emission.artifacts]
    texts = {artifact.path: f"\n{artifact.text}" for artifact in artifacts}
    project = target.emit_project([emission.note for emission in emissions], context)
    for artifact in project.value:
        rest = (
            part if isinstance(part, str) else texts.get(part.path, "") for part in artifact.rest
        )
        artifacts.append(replace(artifact, text="".join((artifact.text, *rest)), rest=()))
    diagnostics = (diagnostic for emission in emissions for diagnostic in emission.diagnostics)
    return Checked(tuple(artifacts), (*diagnostics, *project.diagnostics))


def members(note: JsonObject, key: str) -> JsonObject:
    """Return the object under a key."""
    value = note[key]
    assert isinstance(value, dict)
    return value


def items(note: JsonObject, key: str) -> list[JsonValue]:
    """Return the list under a key."""
    value = note[key]
    assert isinstance(value, list)
    return value
