"""Files of `[[render]]`: a template over the catalog, once, for each service or for each tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.source import SourceFile
from toolspec.targets.catalog.catalog import catalog, entries
from toolspec.targets.render.filters import FILTERS, as_written
from toolspec.targets.render.kinds import TEMPLATE_FAILED
from toolspec.targets.safety import CLASSES
from toolspec.targets.target import Artifact, Emission, items, members
from toolspec.targets.templates import TemplateError, Templates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.target import EmitContext


def emit_service(service: Service, context: EmitContext) -> Emission:
    """Return the files for one service and its tools, and its part of the catalog as a note."""
    renderer = _Renderer(context)
    own = entries(service, context.lowered_tools)
    tools = [
        {**entry, **_schemas(tool)} for tool, entry in zip(service.tools, own.tools, strict=True)
    ]
    view: JsonObject = {"service": own.service, "tools": [*tools]}
    files = [*renderer.files("service", view, service=service.name)]
    for tool in tools:
        view = {"service": own.service, "tool": tool}
        files += renderer.files("tool", view, service=service.name, tool=str(tool["exactName"]))
    note: JsonObject = {}
    if renderer.has("project"):
        note = {"service": own.service, "tools": [*tools], "bySafety": own.by_safety}
    return Emission(files, note, tuple(renderer.diagnostics))


def _schemas(tool: Tool) -> JsonObject:
    """Return the schemas of a tool, without references to the outside; null for one that it lacks."""
    return {
        "inputSchema": tool.arguments,
        "outputSchema": tool.output.bundle,
        "chunkSchema": tool.chunk.bundle if tool.chunk else None,
    }


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the files about all services."""
    renderer = _Renderer(context)
    if not renderer.has("project"):
        return Checked(())
    value = catalog(
        context.separator,
        services=[note["service"] for note in notes],
        tools=[tool for note in notes for tool in items(note, "tools")],
        by_safety={
            key: [name for note in notes for name in items(members(note, "bySafety"), key)]
            for key in CLASSES
        },
    )
    files = tuple(renderer.files("project", {"catalog": value}))
    return Checked(files, tuple(renderer.diagnostics))


class _Renderer:
    """Renders the templates of a configuration, and collects the errors in them."""

    def __init__(self, context: EmitContext) -> None:
        entries = context.options.get("renders")
        self._entries = [
            _Entry(entry)
            for entry in (entries if isinstance(entries, list) else ())
            if isinstance(entry, dict)
        ]
        self.diagnostics: list[Diagnostic] = []

    def has(self, subject: str) -> bool:
        """Return whether a template is for this kind of subject."""
        return any(render.subject == subject for render in self._entries)

    def files(
        self, subject: str, view: Mapping[str, JsonValue], **names: str
    ) -> Iterator[Artifact]:
        """Yield the files of one subject; `names` are the values of placeholders in their paths."""
        for render in self._entries:
            if render.subject == subject:
                path = render.to
                for name, value in names.items():
                    path = path.replace(f"{{{name}}}", value)
                try:
                    text = render.templates.render(render.name, view).text
                except TemplateError as error:
                    self.diagnostics.append(_diagnostic(error, render, names))
                else:
                    yield Artifact(path, text)


def _diagnostic(error: TemplateError, entry: _Entry, names: Mapping[str, str]) -> Diagnostic:
    name = names.get("tool") or names.get("service")
    source = entry.sources.get(error.template)
    return TEMPLATE_FAILED.at(
        error.span(entry.sources),
        template=source.path if source else error.template,
        of=f"`{name}`" if name else "the project",
        reason=error.reason,
    )


class _Entry:
    """A `[[render]]`: its template is named by its file, an included one by its path below."""

    def __init__(self, entry: JsonObject) -> None:
        path = str(entry["template"])
        folder, slash, self.name = path.rpartition("/")
        self.subject, self.to = str(entry["for"]), str(entry["to"])
        self.sources = {
            name: SourceFile(f"{folder}{slash}{name}", str(text))
            for name, text in {**members(entry, "included"), self.name: entry["text"]}.items()
        }
        self.templates = Templates(None, as_written, self.sources, filters=FILTERS)
