"""Client documentation as a site: static pages that work from a folder and below any address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.page_options import OPTIONS
from toolspec.targets.site.images import SUFFIXES
from toolspec.targets.site.kinds import KINDS
from toolspec.targets.target import Target
from toolspec.targets.template_kinds import TEMPLATE_FAILED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked, Diagnostic
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, Emission, EmitContext, OptionSpan


def _emit_service(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.site.emit import emit_service

    return emit_service(service, context)


def _emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.site.emit import emit_project

    return emit_project(notes, context)


def _check_options(options: JsonObject, span: OptionSpan) -> Iterable[Diagnostic]:
    from toolspec.targets.site.colors import check_colors
    from toolspec.targets.site.versions import check_versions

    yield from check_colors(options, span)
    yield from check_versions(options, span)


_COLOR: JsonObject = {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}
_VERSION: JsonObject = {"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9_-]*(\.[0-9]+)*$"}
_PATH: JsonObject = {"type": "string", "minLength": 1}

TARGET = Target(
    name="site",
    summary="client documentation as static pages with search, as site/index.html",
    emit_service=_emit_service,
    emit_project=_emit_project,
    check_options=_check_options,
    file_options={"logo": SUFFIXES, "guides": (".md", *SUFFIXES)},
    kinds=(TEMPLATE_FAILED, *KINDS),
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
                "description": "Colour of links and of the chosen item, as `#rrggbb`, or one for each theme.",
                "oneOf": [
                    _COLOR,
                    {
                        "type": "object",
                        "properties": {"light": _COLOR, "dark": _COLOR},
                        "minProperties": 1,
                        "additionalProperties": False,
                    },
                ],
            },
            "logo": {
                **_PATH,
                "description": "An image of the project, shown beside the title: PNG, JPEG, GIF or WebP.",
            },
            "guides": {
                "description": "Markdown files, and folders of them, that become pages.",
                "oneOf": [_PATH, {"type": "array", "items": _PATH, "minItems": 1}],
            },
            "version": {
                **_VERSION,
                "description": "Version that is compiled; its pages are in the folder of its name.",
            },
            "versions": {
                "description": "Versions in the menu, the newest first; `version` alone by default.",
                "type": "array",
                "items": _VERSION,
                "minItems": 1,
                "uniqueItems": True,
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
