"""Pages of a build: `docs/README.md` for all services, and one page a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.targets.docs.index_page import index_page
from toolspec.targets.docs.paths import FOLDER, INDEX, page_name
from toolspec.targets.docs.service_page import service_page
from toolspec.targets.target import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import EmitRequest

PATH = f"{FOLDER}/{INDEX}"


def emit(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    """Return the services' pages, made lazily one at a time."""
    package = str(request.options.get("package", "generated"))
    return Checked(
        Artifact(
            f"{FOLDER}/{page_name(service.name)}",
            service_page(service, package, request.lowered_tools),
        )
        for service in request.program.services
    )


def emit_notes(notes: Sequence[JsonObject], _: str = "") -> Checked[Iterable[Artifact]]:
    """Return the index from the notes on all services."""
    return Checked((Artifact(PATH, index_page(notes)),))
