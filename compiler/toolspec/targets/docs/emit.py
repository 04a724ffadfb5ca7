"""Pages of a build: `docs/README.md` for all services, and one page a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.targets.docs.build_view import service_view
from toolspec.targets.docs.index import index_view, note
from toolspec.targets.docs.paths import FOLDER, INDEX, page_name
from toolspec.targets.docs.render import templates
from toolspec.targets.target import Artifact, Emission
from toolspec.targets.templates import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.docs.view import IndexView, ServiceView
    from toolspec.targets.target import EmitContext

PATH = f"{FOLDER}/{INDEX}"


def emit_service(service: Service, context: EmitContext) -> Emission:
    """Return the page of a service, and the note for the index."""
    package = str(context.options.get("package", "generated"))
    view = service_view(service, package, context.lowered_tools)
    page = Artifact(f"{FOLDER}/{page_name(service.name)}", _rendered("service.md", "service", view))
    return Emission((page,), note(service, context.lowered_tools))


def emit_project(notes: Sequence[JsonObject], _: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the index from the notes on all services."""
    return Checked((Artifact(PATH, _rendered("README.md", "index", index_view(notes))),))


def _rendered(page: str, name: str, view: IndexView | ServiceView) -> str:
    return templates().render(f"{page}{SUFFIX}", {name: view}).text
