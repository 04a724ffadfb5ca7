"""Client documentation in Markdown: an index, and one page a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.target import Shared, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact, EmitRequest


def _emit(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.docs.emit import emit

    return emit(request)


def _note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    from toolspec.targets.docs.index_page import note

    return note(service, lowered_tools)


def _emit_notes(notes: Sequence[JsonObject], separator: str) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.docs.emit import emit_notes

    return emit_notes(notes, separator)


TARGET = Target(
    name="docs",
    summary="client documentation in Markdown, as docs/README.md and docs/<service>.md",
    emit=_emit,
    shared=Shared(_note, _emit_notes),
    options={
        "type": "object",
        "properties": {
            "package": {
                "type": "string",
                "pattern": r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$",
                "default": "generated",
                "description": "The name under which a program imports the generated package.",
            }
        },
        "additionalProperties": False,
    },
)
