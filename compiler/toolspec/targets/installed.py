"""Targets of other distributions; any failure in one becomes a diagnostic."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, DiagnosticKind, Severity
from toolspec.targets.target import Shared, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import EntryPoint

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, EmitRequest

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

_PROBLEM = "toolspec:failed"


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
        return Target(point.name, "", check=lambda _: (failed,), options={}, kinds=(FAILED,))
    return _guarded(target)


def _guarded(target: Target) -> Target:
    """Return the target with functions that report exceptions as diagnostics."""

    def emit(request: EmitRequest) -> Checked[Iterable[Artifact]]:
        try:
            made = target.emit(request)
            return Checked(tuple(made.value), made.diagnostics)
        except Exception as error:  # noqa: BLE001
            return Checked((), (_failed(target.name, error),))

    def check(request: EmitRequest) -> Iterable[Diagnostic]:
        try:
            return tuple(target.check(request))
        except Exception as error:  # noqa: BLE001
            return (_failed(target.name, error),)

    shared = target.shared and _guarded_shared(target.name, target.shared)
    kinds = (*target.kinds, FAILED)
    return replace(target, emit=emit, check=check, shared=shared, kinds=kinds)


def _guarded_shared(name: str, shared: Shared) -> Shared:
    def note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
        try:
            return shared.note(service, lowered_tools)
        except Exception as error:  # noqa: BLE001
            return {_PROBLEM: _reason(error)}

    def emit(notes: Sequence[JsonObject], separator: str) -> Checked[Iterable[Artifact]]:
        problem = next((each[_PROBLEM] for each in notes if _PROBLEM in each), None)
        if problem is not None:
            return Checked((), (FAILED.at(None, name=name, reason=problem),))
        try:
            made = shared.emit(notes, separator)
            return Checked(tuple(made.value), made.diagnostics)
        except Exception as error:  # noqa: BLE001
            return Checked((), (_failed(name, error),))

    return Shared(note, emit)


def _failed(name: str, error: Exception) -> Diagnostic:
    return FAILED.at(None, name=name, reason=_reason(error))


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
