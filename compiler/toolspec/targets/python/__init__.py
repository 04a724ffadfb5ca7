"""The `python` target: typed handlers, registry, client and types of every service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.hooks import check_service
from toolspec.targets.python.kinds import KINDS
from toolspec.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, Emission, EmitContext


def _emit_service(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.python.emit import emit_service

    return emit_service(service, context)


def _emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.python.emit import emit_project

    return emit_project(notes, context)


TARGET = Target(
    name="python",
    summary="A typed Python package: handlers to write, registry, client, types.",
    emit_service=_emit_service,
    emit_project=_emit_project,
    check_service=check_service,
    kinds=KINDS,
    options={
        "type": "object",
        "properties": {
            "base64": {
                "description": "The Python type of `contentEncoding: base64` in handlers and clients.",
                "enum": ["str", "bytes"],
                "default": "str",
            },
            "templates": {
                "description": "A folder of templates, each in place of the built-in one of its name.",
                "type": "string",
                "minLength": 1,
            },
        },
        "additionalProperties": False,
    },
)

__all__ = ["TARGET"]
