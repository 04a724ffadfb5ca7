"""Catalogue of a build: every tool with its names, flags, digests and source, in one JSON file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.target import Shared, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Artifact


def _note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    from toolspec.targets.catalog.catalog import note

    return note(service, lowered_tools)


def _emit_notes(notes: Sequence[JsonObject], separator: str) -> Checked[Iterable[Artifact]]:
    from toolspec.targets.catalog.catalog import emit_notes

    return emit_notes(notes, separator)


TARGET = Target(
    name="catalog",
    summary="every service and tool of the build for other programs to read, as catalog.json",
    shared=Shared(_note, _emit_notes),
)
