"""The pages of a build: `docs/README.md` over all services, and one page a service."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.targets.docs.index_page import index_page
from toolspec.targets.docs.paths import FOLDER, INDEX, page_name
from toolspec.targets.docs.service_page import service_page
from toolspec.targets.target import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.targets.docs.render import Renderer
    from toolspec.targets.target import EmitRequest


def emit(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    """Return the index and the services' pages; rendered one at a time, as they are asked for."""
    return Checked(_pages(request))


def _pages(request: EmitRequest) -> Iterator[Artifact]:
    renderer = _renderer()
    package = str(request.options.get("package", "generated"))
    index = index_page(request.program)
    yield Artifact(f"{FOLDER}/{INDEX}", renderer.render("index.md.j2", index))
    for service in request.program.services:
        page = service_page(service, package)
        yield Artifact(
            f"{FOLDER}/{page_name(service.name)}", renderer.render("service.md.j2", page)
        )


@cache
def _renderer() -> Renderer:
    """Return the renderer of this process: compiling the templates takes longer than a small page."""
    from toolspec.targets.docs.render import Renderer

    return Renderer()
