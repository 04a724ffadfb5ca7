"""Client documentation as a site: static pages that work from a folder and below any address."""

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
    from toolspec.targets.site.emit import emit_service

    return emit_service(service, context)


def _emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.site.emit import emit_project

    return emit_project(notes, context)


TARGET = Target(
    name="site",
    summary="client documentation as static pages with search, as site/index.html",
    emit_service=_emit_service,
    emit_project=_emit_project,
    kinds=(TEMPLATE_FAILED,),
    has_changelog=True,
    options={
        "type": "object",
        "properties": {
            **OPTIONS,
            "title": {
                "description": "Title of the site.",
                "type": "string",
                "minLength": 1,
                "default": "Tools",
            },
            "accent": {
                "description": "Colour of links and of the chosen item, as `#rrggbb`.",
                "type": "string",
                "pattern": "^#[0-9a-fA-F]{6}$",
            },
            "try": {
                "description": "Servers that pages may call for their readers, or `any`; none by default.",
                "oneOf": [
                    {"const": "any"},
                    {
                        "type": "array",
                        "items": {
                            "type": "string",
                            "pattern": r"^https?://[A-Za-z0-9.:\[\]-]+(/[!-~]*)?$",
                        },
                        "minItems": 1,
                    },
                ],
            },
            "edit": {
                "description": "Address at which a document is edited; `{file}` is its path.",
                "type": "string",
                "pattern": "^https?://[!-~]+$",
            },
        },
        "additionalProperties": False,
    },
)
