"""Client documentation in Markdown: an index, and one page a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.page_options import OPTIONS
from toolspec.targets.target import Target
from toolspec.targets.template_kinds import TEMPLATE_FAILED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, Emission, EmitContext


def _emit_service(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.docs.emit import emit_service

    return emit_service(service, context)


def _emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.docs.emit import emit_project

    return emit_project(notes, context)


TARGET = Target(
    name="docs",
    summary="client documentation in Markdown, as docs/README.md and docs/<service>.md",
    emit_service=_emit_service,
    emit_project=_emit_project,
    kinds=(TEMPLATE_FAILED,),
    has_changelog=True,
    options={
        "type": "object",
        "properties": {
            **OPTIONS,
            "nav": {
                "description": "Whether `docs/.nav.yml` is written, the navigation of MkDocs and Zensical.",
                "type": "boolean",
                "default": False,
            },
        },
        "additionalProperties": False,
    },
)
