"""Target interface: a name, a schema of its options, and a pure function from program to files."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.sinks.json_text import JsonSerializer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.ir import Program, Service
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class Artifact:
    """A generated file: its path below the output folder, with `/`, and its text."""

    path: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EmitRequest:
    """Input of a target: the program and the target's validated options.

    `speller` is shared by all requests about the program: JSON files have much in common. So is
    `offers`, the cache of tools as they are sent to providers, and of their sizes.
    """

    program: Program
    options: JsonObject = field(default_factory=dict)
    speller: JsonSerializer = field(default_factory=JsonSerializer, compare=False, repr=False)
    lowered_tools: LoweredTools = field(default_factory=LoweredTools, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Shared:
    """Emitter of files about all services, from a note on each of them.

    `note` returns the data that these files need of one service; notes are JSON, so that they can
    be cached. `emit` returns the files (the same paths whatever the notes are) from the notes on
    all services, in the order of the program, and the separator of names.
    """

    note: Callable[[Service, LoweredTools], JsonObject]
    emit: Callable[[Sequence[JsonObject], str], Checked[Iterable[Artifact]]]


@dataclass(frozen=True, slots=True)
class Target:
    """A declared target.

    `check` yields diagnostics for features that the target cannot express; `emit` returns its
    files, each about one service, and is only called for a program without errors. Both read no
    file, no clock and no environment, and return the same for the same request. `shared` emits the
    files about all services. `options` is the JSON Schema of `[target.<name>]`. `kinds` are the
    target's diagnostics.
    """

    name: str
    summary: str
    emit: Callable[[EmitRequest], Checked[Iterable[Artifact]]] = lambda _: Checked(())
    check: Callable[[EmitRequest], Iterable[Diagnostic]] = lambda _: ()
    options: JsonObject = field(
        default_factory=lambda: {"type": "object", "additionalProperties": False}
    )
    kinds: tuple[DiagnosticKind, ...] = ()
    shared: Shared | None = None


def emit_whole(target: Target, request: EmitRequest) -> Checked[Iterable[Artifact]]:
    """Return every file of a target, those about one service and those about all."""
    own = target.emit(request)
    if target.shared is None:
        return own
    program = request.program
    notes = [target.shared.note(service, request.lowered_tools) for service in program.services]
    shared = target.shared.emit(notes, program.separator)
    return Checked(chain(own.value, shared.value), (*own.diagnostics, *shared.diagnostics))
