"""Pages of a build: `docs/README.md` for all services, and one page a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.providers.tool_sizes import shown
from toolspec.shared.records import dataclass, replace
from toolspec.shared.tokens import BYTES
from toolspec.sinks.markdown import blocks, bullets, cell
from toolspec.targets.docs.build_view import service_view
from toolspec.targets.docs.calling import ProgramOptions
from toolspec.targets.docs.changelog import changelog_view
from toolspec.targets.docs.paths import (
    CHANGELOG,
    FOLDER,
    INDEX,
    NAVIGATION,
    link,
    page_name,
)
from toolspec.targets.docs.published import hidden, published
from toolspec.targets.docs.render import templates
from toolspec.targets.docs.view import IndexEntry, IndexView, Markdown, SafetyClass, ToolLink
from toolspec.targets.safety import CLASSES, by_safety
from toolspec.targets.sizes import sizes
from toolspec.targets.target import Artifact, Emission, ServiceFile, items, members
from toolspec.targets.template_kinds import TEMPLATE_FAILED
from toolspec.targets.templates import SUFFIX, TemplateError, by_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.target import EmitContext


def note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    """Return the data of a service that the index shows."""
    page = page_name(service.name)
    # A tool is in several classes.
    places = {id(tool): place for place, tool in enumerate(service.tools)}
    return {
        "entry": {**note_entry(service, lowered_tools), "page": page},
        "tools": [[link(tool, page), tool.summary or tool.title] for tool in service.tools],
        "safety": {
            key: [places[id(tool)] for tool in tools]
            for key, tools in by_safety(service.tools).items()
        },
    }


def note_entry(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    """Return the entry of a service in an index, without its page."""
    return {
        "name": service.name,
        "title": service.title,
        "version": service.version,
        "tools": len(service.tools),
        "tokens": shown(sizes(service, lowered_tools).together),
        "description": service.description,
    }


def hidden_names(notes: Iterable[JsonObject]) -> set[str]:
    """Return the names of services and tools that are not published."""
    return {str(name) for note in notes for name in items(note, "hidden")}


def shown_notes(notes: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """Yield the notes of services that are published."""
    return (note for note in notes if "entry" in note)


def index_view(notes: Iterable[JsonObject]) -> IndexView:
    """Return the view of the index from the notes on all services."""
    entries: list[IndexEntry] = []
    classes: dict[str, list[ToolLink]] = {key: [] for key in CLASSES}
    for note in shown_notes(notes):
        entries.append(index_entry(members(note, "entry")))
        links = _tool_links(note)
        for key, places in members(note, "safety").items():
            assert isinstance(places, list)
            classes[key] += (links[int(str(place))] for place in places)
    return IndexView(
        tools=sum(entry.tools for entry in entries),
        services=tuple(entries),
        safety=tuple(SafetyClass(key, tuple(tools)) for key, tools in classes.items() if tools),
        token_bytes=BYTES,
    )


def index_entry(entry: JsonObject) -> IndexEntry:
    """Return the entry of a service from its note."""
    return IndexEntry(
        name=str(entry["name"]),
        title=str(entry["title"]),
        page=Markdown(str(entry["page"])),
        version=str(entry["version"]),
        tools=int(str(entry["tools"])),
        tokens=str(entry["tokens"]),
        description=str(entry["description"]),
    )


def _tool_links(note: JsonObject) -> list[ToolLink]:
    """Return the tools of a service from its note."""
    pairs = (pair for pair in items(note, "tools") if isinstance(pair, list))
    return [ToolLink(Markdown(str(link)), str(summary)) for link, summary in pairs]


def _lines(note: JsonObject) -> Iterator[str]:
    return (f"{tool.link}: {cell(tool.summary)}" for tool in _tool_links(note))


PATH = f"{FOLDER}/{INDEX}"


def emit_service(service: Service, context: EmitContext) -> Emission:
    """Return the page of a service, and the note for the index."""
    shown = published(service, context.options)
    names: list[JsonValue] = [*hidden(service, shown)]
    if shown is None:
        return Emission(note={"hidden": names})
    service = shown
    path = f"{FOLDER}/{page_name(service.name)}"
    page = _page(path, "service.md", _view(service, context), context)
    own = {**note(service, context.lowered_tools), "text": path, "hidden": names}
    return Emission(page.value, own, page.diagnostics)


def markdown_page(service: Service, context: EmitContext) -> str:
    """Return the page of a service in Markdown, by the built-in templates."""
    return templates().render(f"service.md{SUFFIX}", _view(service, context)).text


def _view(service: Service, context: EmitContext) -> Mapping[str, object]:
    options = ProgramOptions.of(context.options)
    return {"service": service_view(service, context.lowered_tools, options)}


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the index from the notes on all services, and the changelog of a contract."""
    contract = context.contract
    changelog = changelog_view(contract, hidden_names(notes)) if contract else None
    index = replace(index_view(notes), has_changelog=changelog is not None)
    pages = [_page(PATH, "README.md", {"index": index}, context)]
    if changelog:
        path = f"{FOLDER}/{CHANGELOG}"
        pages.append(_page(path, CHANGELOG, {"changelog": changelog}, context))
    others = [*llms_files(notes, _lines, FOLDER, str(context.options.get("title", "Tools")))]
    if context.options.get("nav"):
        others.append(_navigation(index))
    return Checked(
        (*(artifact for page in pages for artifact in page.value), *others),
        tuple(diagnostic for page in pages for diagnostic in page.diagnostics),
    )


def _navigation(index: IndexView) -> Artifact:
    """Return the navigation of MkDocs, of Zensical, and of the plugin awesome-nav.

    Pages have no titles in it, so that they get those of their headings, whose text is escaped.
    """
    pages = [INDEX, *(str(service.page) for service in index.services)]
    if index.has_changelog:
        pages.append(CHANGELOG)
    lines = "".join(f"  - {page}\n" for page in pages)
    return Artifact(f"{FOLDER}/{NAVIGATION}", f"nav:\n{lines}")


def llms_files(
    notes: Sequence[JsonObject],
    lines: Callable[[JsonObject], Iterable[str]],
    folder: str,
    title: str,
    guides: Sequence[str] = (),
) -> Iterator[Artifact]:
    """Yield `llms.txt`, a list of pages for models, and `llms-full.txt`, the text of all services.

    `lines` returns one for each tool of a service from its note, `guides` are those on further pages.
    """
    head = f"# {cell(title)}\n"
    yield Artifact(f"{folder}/llms.txt", head, rest=_Listing(notes, lines, guides))
    pages = tuple(ServiceFile(str(note["text"])) for note in shown_notes(notes))
    yield Artifact(f"{folder}/llms-full.txt", head, rest=pages)


@dataclass(frozen=True, slots=True)
class _Listing:
    """The sections of `llms.txt`, one service at a time."""

    notes: Sequence[JsonObject]
    lines: Callable[[JsonObject], Iterable[str]]
    guides: Sequence[str]

    def __iter__(self) -> Iterator[str]:
        for note in shown_notes(self.notes):
            entry = index_entry(members(note, "entry"))
            title, description = cell(entry.title or entry.name), cell(entry.description)
            yield f"\n{blocks(f'## {title}', description, bullets(self.lines(note)))}\n"
        if self.guides:
            yield f"\n{blocks('## Guides', bullets(self.guides))}\n"


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
