"""Pages of a site: an index, pages by safety, and a folder for each service."""

from __future__ import annotations

from itertools import chain
from posixpath import normpath
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.shared.canonical import canonical_json
from toolspec.sinks.markdown import cell, code
from toolspec.targets.docs.build_view import service_view
from toolspec.targets.docs.calling import ProgramOptions
from toolspec.targets.docs.changelog import changelog_view
from toolspec.targets.docs.emit import (
    hidden_names,
    index_entry,
    llms_files,
    markdown_page,
    note_entry,
    shown_notes,
)
from toolspec.targets.docs.published import hidden, published
from toolspec.targets.safety import CLASSES, by_safety
from toolspec.targets.site import guides, versions
from toolspec.targets.site.build_view import (
    Sidebars,
    call_views,
    guide_line,
    guide_rows,
    origins,
    search_rows,
)
from toolspec.targets.site.colors import accents
from toolspec.targets.site.images import is_image
from toolspec.targets.site.kinds import IMAGE
from toolspec.targets.site.paths import CHANGELOG, FOLDER, GUIDES, TYPES, service_folder, tool_page
from toolspec.targets.site.render import MARKUP, templates
from toolspec.targets.site.view import ListedTool, ListingView, PageView, ToolList
from toolspec.targets.target import Artifact, Emission, items, members
from toolspec.targets.template_kinds import TEMPLATE_FAILED
from toolspec.targets.templates import SUFFIX, TemplateError, by_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.docs.view import ToolView
    from toolspec.targets.target import EmitContext

_PAGES = {
    "readOnly": "safety-read-only.html",
    "writes": "safety-writes.html",
    "destructive": "safety-destructive.html",
    "idempotent": "safety-idempotent.html",
    "openWorld": "safety-open-world.html",
    "scopes": "safety-scopes.html",
    "effects": "safety-effects.html",
}
_SUMMARIES = 600  # most tools of a page that shows their summaries


def emit_service(service: Service, context: EmitContext) -> Emission:
    """Return the pages of a service, and the note for the pages of the project."""
    chosen = published(service, context.options)
    names: list[JsonValue] = [*hidden(service, chosen)]
    if chosen is None:
        return Emission(note={"hidden": names})
    service = chosen
    programs = ProgramOptions.of(context.options)
    edit, servers = str(context.options.get("edit", "")), context.options.get("try")
    view = service_view(service, context.lowered_tools, programs, MARKUP)
    folder = service_folder(service.name)
    site = _Site(context)
    sidebars = Sidebars(service, view)

    def add(file: str, template: str, title: str, values: Mapping[str, object]) -> None:
        values = {"sidebar": sidebars.of(file), "service": view, **values}
        connect = origins(servers) if template == "tool.html" else ""
        site.add(f"{folder}/{file}", template, values, title, connect=connect)

    has_summaries = len(view.tools) <= _SUMMARIES
    add("index.html", "service.html", view.title or view.name, {"has_summaries": has_summaries})
    if view.types:
        add(TYPES, "types.html", f"Types of {view.title or view.name}", {})
    calls = call_views(service, context.lowered_tools, programs, edit, servers)
    for tool, shown, call in zip(service.tools, view.tools, calls, strict=True):
        add(tool_page(tool), "tool.html", shown.name, {"tool": shown, "call": call})
    listed = [
        _listing_row(tool, shown, folder)
        for tool, shown in zip(service.tools, view.tools, strict=True)
    ]
    classes = by_safety(service.tools)
    places = {id(tool): place for place, tool in enumerate(service.tools)}
    note: JsonObject = {
        "entry": {**note_entry(service, context.lowered_tools), "page": f"{folder}/index.html"},
        "tools": [*listed],
        "safety": {key: [places[id(tool)] for tool in tools] for key, tools in classes.items()},
        "search": search_rows(service, view, folder),
        "hidden": names,
        "text": f"{site.folder}/{folder}/index.md",
    }
    text = Artifact(str(note["text"]), markdown_page(service, context))
    return Emission((*site.artifacts, text), note, tuple(site.diagnostics))


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the index, the pages by safety, the changelog, the search index, styles and scripts."""
    site = _Site(context)
    notes = tuple(notes)
    changelog = changelog_view(context.contract, hidden_names(notes))
    notes = tuple(shown_notes(notes))
    listings = [listing for listing in _listings(notes) if listing.lists]
    entries = tuple(index_entry(members(note, "entry")) for note in notes)
    counts = {listing.key: sum(len(one.tools) for one in listing.lists) for listing in listings}
    values = {"services": entries, "counts": counts, "listings": listings, "pages": _PAGES}
    site.add_root("index.html", site.title, "", values)
    site.add_root("safety.html", "Tools by safety", "safety", values)
    for listing in listings:
        title = f"Tools by safety: {listing.key}"
        has_summaries = counts[listing.key] <= _SUMMARIES
        own = {**values, "listing": listing, "has_summaries": has_summaries}
        site.add(_PAGES[listing.key], "listing.html", own, title, section="safety")
    tool_pages = {str(row[0]): str(row[1]) for note in notes for row in _rows(note)}
    own = {**values, "changelog": changelog, "tool_pages": tool_pages}
    site.add_root(CHANGELOG, "Changelog", "changelog", own)
    rows = [row for note in notes for row in items(note, "search")]
    pages = {str(row[3]).partition("#")[0] for row in rows if isinstance(row, list)} | site.pages
    read = _add_guides(site, context, pages)
    rows += (row for guide in read for row in guide_rows(guide))
    site.add("site.css", "site.css", {"accent": accents(context.options)})
    site.add("site.js", "site.js", {})
    if context.options.get("try"):
        site.add("try.js", "try.js", {})
    index = ",\n".join(map(canonical_json, rows))
    site.artifacts.append(Artifact(f"{site.folder}/search.js", f"toolspecIndex([\n{index}\n])\n"))
    lines = [guide_line(guide) for guide in read]
    site.artifacts += llms_files(notes, _lines, site.folder, site.title, lines)
    _add_logo(site, context)
    if site.version:
        names = versions.all_versions(context.options)
        site.artifacts.append(versions.page_list(site.version, pages | site.pages, site.folder))
        site.artifacts.append(Artifact(f"{FOLDER}/{versions.LIST}", versions.version_list(names)))
        site.add("../index.html", "versions.html", {"versions": names}, site.title)
    return Checked(site.artifacts, tuple(site.diagnostics))


def _add_guides(site: _Site, context: EmitContext, pages: set[str]) -> list[guides.Guide]:
    """Add the guides and their images, and return the guides."""
    if guides.OPTION not in context.options:
        return []
    read = guides.read_guides(context.files)
    own = {f"{GUIDES}/{guide.page}" for guide in read.guides}
    index = f"{GUIDES}/{guides.INDEX}"
    links = tuple(guide.link for guide in read.guides)
    for guide, view in zip(read.guides, read.views(links, pages | own | {index}), strict=True):
        path = f"{GUIDES}/{guide.page}"
        site.add(path, "guide.html", {"guide": view}, guide.title, section="guides")
    if index not in own:
        site.add(index, "guides.html", {"guides": links}, "Guides", section="guides")
    folder = f"{site.folder}/{GUIDES}"
    site.artifacts += (Artifact(f"{folder}/{name}", data=data) for name, data in read.used.items())
    site.diagnostics += read.diagnostics
    return read.guides


def _add_logo(site: _Site, context: EmitContext) -> None:
    for file in context.files:
        if file.option != "logo":
            continue
        if is_image(file.data):
            site.artifacts.append(Artifact(f"{site.folder}/{site.logo}", data=file.data))
        else:
            site.diagnostics.append(IMAGE.at(file.span, path=file.path))


def _listings(notes: Sequence[JsonObject]) -> Iterator[ListingView]:
    listed = [[*_rows(note)] for note in notes]
    for key in CLASSES:
        tools = tuple(
            _listed(rows[int(str(place))])
            for note, rows in zip(notes, listed, strict=True)
            for place in items(members(note, "safety"), key)
        )
        yield ListingView(key, (ToolList("", tools),) if tools else ())
    for key, column in (("scopes", 4), ("effects", 5)):
        by_value: dict[str, list[ListedTool]] = {}
        for row in chain(*listed):
            names = row[column]
            for name in names if isinstance(names, list) else ():
                by_value.setdefault(str(name), []).append(_listed(row))
        yield ListingView(
            key, tuple(ToolList(name, tuple(tools)) for name, tools in sorted(by_value.items()))
        )


def _listing_row(tool: Tool, shown: ToolView, folder: str) -> list[JsonValue]:
    """Return what pages by safety show of a tool, and the scopes and effects that list it."""
    scopes = dict.fromkeys(scope for rule in tool.scopes for scope in rule.any_of)
    page = f"{folder}/{tool_page(tool)}"
    return [shown.name, page, shown.summary, [*shown.flags], [*scopes], [*shown.notes.effects]]


def _rows(note: JsonObject) -> Iterator[list[JsonValue]]:
    """Yield the rows that `_listing_row` made of the tools of a service."""
    for row in items(note, "tools"):
        assert isinstance(row, list)
        yield row


def _lines(note: JsonObject) -> Iterator[str]:
    """Yield a line of `llms.txt` for each tool of a service, in Markdown."""
    for name, page, summary, *_ in _rows(note):
        yield f"[{code(str(name))}]({page}): {cell(str(summary))}"


def _listed(row: Sequence[JsonValue]) -> ListedTool:
    name, page, summary, flags, *_ = row
    words = tuple(map(str, flags)) if isinstance(flags, list) else ()
    return ListedTool(str(name), str(page), str(summary), words)


class _Site:
    """Renders pages, and collects the errors in templates of the user."""

    def __init__(self, context: EmitContext) -> None:
        self._replaced = context.templates
        options = context.options
        self.title = str(options.get("title", "Tools"))
        self.version = versions.own_version(options)
        self.folder = f"{FOLDER}/{self.version}" if self.version else FOLDER
        logo = str(options.get("logo", ""))
        self.logo = f"logo.{logo.rpartition('.')[2].lower()}" if logo else ""
        self._has_guides = guides.OPTION in options
        self.artifacts: list[Artifact] = []
        self.diagnostics: list[Diagnostic] = []

    @property
    def pages(self) -> set[str]:
        """Paths of the pages that were added, from the folder of the site."""
        start = f"{self.folder}/"
        paths = (artifact.path for artifact in self.artifacts)
        return {path.removeprefix(start) for path in paths if path.endswith(".html")}

    def add_root(self, file: str, title: str, section: str, values: Mapping[str, object]) -> None:
        """Add a page of the site's folder with the template of its name."""
        self.add(file, file, values, title, section=section)

    def add(
        self,
        path: str,
        template: str,
        values: Mapping[str, object],
        title: str = "",
        **shown: str,
    ) -> None:
        """Add a page, style or script; `path` is relative to the folder of the site.

        `shown` are further fields of the page's view.
        """
        page = PageView(
            title=title,
            root="../" * path.count("/"),
            site_title=self.title,
            path=path,
            logo=self.logo,
            has_guides=self._has_guides,
            version=self.version,
            **shown,
        )
        try:
            rendered = templates(self._replaced).render(
                f"{template}{SUFFIX}", {"page": page, **values}
            )
        except TemplateError as error:
            span = error.span(by_name(self._replaced))
            self.diagnostics.append(
                TEMPLATE_FAILED.at(span, template=error.template, reason=error.reason)
            )
        else:
            self.artifacts.append(Artifact(normpath(f"{self.folder}/{path}"), rendered.text))
