"""Text files from templates of the user's own over the catalog, as `[[render]]` asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.render.kinds import KINDS
from toolspec.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, Emission, EmitContext


def _emit_service(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.render.emit import emit_service

    return emit_service(service, context)


def _emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.render.emit import emit_project

    return emit_project(notes, context)


TARGET = Target(
    name="render",
    summary="files from templates of your own, one for each `[[render]]` of the configuration",
    emit_service=_emit_service,
    emit_project=_emit_project,
    kinds=KINDS,
)
