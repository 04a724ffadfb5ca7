"""Catalog of a build: every tool with its names, flags, digests and source, in one JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.target import Emission, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, EmitContext


def _emit_service(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.catalog.catalog import note

    return Emission(note=note(service, context.lowered_tools))


def _emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.catalog.catalog import emit_project

    return emit_project(notes, context)


TARGET = Target(
    name="catalog",
    summary="every service and tool of the build for other programs to read, as catalog.json",
    emit_service=_emit_service,
    emit_project=_emit_project,
)
