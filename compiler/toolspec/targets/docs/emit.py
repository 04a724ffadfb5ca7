"""Pages of a build: `docs/README.md` for all services, and one page a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.targets.docs.build_view import service_view
from toolspec.targets.docs.index import index_view, note
from toolspec.targets.docs.paths import FOLDER, INDEX, page_name
from toolspec.targets.docs.render import templates
from toolspec.targets.target import Artifact, Emission
from toolspec.targets.template_kinds import TEMPLATE_FAILED
from toolspec.targets.templates import SUFFIX, TemplateError, by_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import EmitContext

PATH = f"{FOLDER}/{INDEX}"


def emit_service(service: Service, context: EmitContext) -> Emission:
    """Return the page of a service, and the note for the index."""
    package = str(context.options.get("package", "generated"))
    view = {"service": service_view(service, package, context.lowered_tools)}
    page = _page(f"{FOLDER}/{page_name(service.name)}", "service.md", view, context)
    return Emission(page.value, note(service, context.lowered_tools), page.diagnostics)


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the index from the notes on all services."""
    return _page(PATH, "README.md", {"index": index_view(notes)}, context)


def _page(
    path: str, page: str, view: Mapping[str, object], context: EmitContext
) -> Checked[Iterable[Artifact]]:
    """Return a page; none, and a diagnostic, if the user's template for it fails."""
    try:
        rendered = templates(context.templates).render(f"{page}{SUFFIX}", view)
    except TemplateError as error:
        span = error.span(by_name(context.templates))
        failed = TEMPLATE_FAILED.at(span, template=error.template, reason=error.reason)
        return Checked((), (failed,))
    return Checked((Artifact(path, rendered.text),))
