"""Targets of other distributions; any failure in one becomes a diagnostic."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, DiagnosticKind, Severity
from toolspec.shared.records import replace
from toolspec.targets.target import Emission, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import EntryPoint

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, EmitContext

FAILED = DiagnosticKind(
    code="target/failed",
    severity=Severity.ERROR,
    message="the target `{name}` of another distribution failed: {reason}",
    hint="install a version that works, or take `{name}` out of the targets",
    why=(
        "Another distribution may bring a target: an entry point of the group `toolspec.targets` "
        "that names a `Target`. Nothing is written without its files, since those of an earlier "
        "compile would look current."
    ),
)

# Member of the note on a service whose files could not be made.
_FAILED = "toolspec:failed"


@cache
def load(point: EntryPoint) -> Target:
    """Return the target of an entry point, or one that only reports why it cannot be loaded."""
    try:
        target: object = point.load()
        if not isinstance(target, Target) or target.name != point.name:
            problem = f"`{point.value}` is no Target named `{point.name}`"
            raise TypeError(problem)  # noqa: TRY301 - reported as everything else that fails here
    except Exception as error:  # noqa: BLE001 - code of others, which may raise anything
        failed = _failed(point.name, error)
        return Target(
            point.name, "", check_service=lambda *_: (failed,), options={}, kinds=(FAILED,)
        )
    return _guarded(target)


def _guarded(target: Target) -> Target:
    """Return the target with functions that report exceptions as diagnostics."""

    def emit_service(service: Service, context: EmitContext) -> Emission:
        try:
            emission = target.emit_service(service, context)
            note: JsonObject = json.loads(json.dumps(emission.note))
            return Emission(tuple(emission.artifacts), note, emission.diagnostics)
        except Exception as error:  # noqa: BLE001
            return Emission(note={_FAILED: True}, diagnostics=(_failed(target.name, error),))

    def emit_project(
        notes: Sequence[JsonObject], context: EmitContext
    ) -> Checked[Iterable[Artifact]]:
        if any(_FAILED in note for note in notes):
            return Checked(())
        try:
            files = target.emit_project(notes, context)
            return Checked(tuple(files.value), files.diagnostics)
        except Exception as error:  # noqa: BLE001
            return Checked((), (_failed(target.name, error),))

    def check_service(service: Service, context: EmitContext) -> Iterable[Diagnostic]:
        try:
            return tuple(target.check_service(service, context))
        except Exception as error:  # noqa: BLE001
            return (_failed(target.name, error),)

    return replace(
        target,
        emit_service=emit_service,
        emit_project=emit_project,
        check_service=check_service,
        kinds=(*target.kinds, FAILED),
    )


def _failed(name: str, error: Exception) -> Diagnostic:
    return FAILED.at(None, name=name, reason=f"{type(error).__name__}: {error}")
