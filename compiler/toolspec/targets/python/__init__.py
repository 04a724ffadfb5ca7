"""The `python` target: typed handlers, registry, client and types of every service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.hooks import check
from toolspec.targets.python.kinds import KINDS
from toolspec.targets.target import Shared, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, EmitRequest


def _emit(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.python.emit import emit

    return emit(request)


def _note(service: Service, _: LoweredTools) -> JsonObject:
    from toolspec.targets.python.emit import note

    return note(service)


def _emit_notes(notes: Sequence[JsonObject], separator: str) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.python.emit import emit_notes

    return emit_notes(notes, separator)


TARGET = Target(
    name="python",
    summary="A typed Python package: handlers to write, registry, client, types.",
    emit=_emit,
    check=check,
    shared=Shared(_note, _emit_notes),
    kinds=KINDS,
    options={
        "type": "object",
        "properties": {
            "base64": {
                "description": "The Python type of `contentEncoding: base64` in handlers and clients.",
                "enum": ["str", "bytes"],
                "default": "str",
            }
        },
        "additionalProperties": False,
    },
)

__all__ = ["TARGET"]
