"""Pages of a site: an index, pages by safety, and a folder for each service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.shared.canonical import canonical_json
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
from toolspec.targets.site.build_view import Sidebars, call_views, llms_lines, origins, search_rows
from toolspec.targets.site.paths import CHANGELOG, FOLDER, TYPES, service_folder, tool_page
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
        site.add(f"{folder}/{file}", template, PageView(title, "../", site.title, connect), values)

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
        "lines": llms_lines(service, folder),
        "text": markdown_page(service, context),
    }
    return Emission(site.artifacts, note, tuple(site.diagnostics))


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the index, the pages by safety, the changelog, the search index, styles and scripts."""
    site = _Site(context)
    changelog = changelog_view(context.contract, hidden_names(notes))
    notes = shown_notes(notes)
    listings = [listing for listing in _listings(notes) if listing.lists]
    entries = tuple(index_entry(members(note, "entry")) for note in notes)
    counts = {listing.key: sum(len(one.tools) for one in listing.lists) for listing in listings}
    values = {"services": entries, "counts": counts, "listings": listings, "pages": _PAGES}
    site.add_root("index.html", site.title, "", values)
    site.add_root("safety.html", "Tools by safety", "safety", values)
    for listing in listings:
        page = PageView(f"Tools by safety: {listing.key}", "", site.title, section="safety")
        has_summaries = counts[listing.key] <= _SUMMARIES
        own = {**values, "listing": listing, "has_summaries": has_summaries}
        site.add(_PAGES[listing.key], "listing.html", page, own)
    site.add_root(CHANGELOG, "Changelog", "changelog", {**values, "changelog": changelog})
    accent = str(context.options.get("accent", ""))
    site.add("site.css", "site.css", PageView("", "", site.title), {"accent": accent})
    site.add("site.js", "site.js", PageView("", "", site.title), {})
    if context.options.get("try"):
        site.add("try.js", "try.js", PageView("", "", site.title), {})
    rows = ",\n".join(canonical_json(row) for note in notes for row in items(note, "search"))
    site.artifacts.append(Artifact(f"{FOLDER}/search.js", f"toolspecIndex([\n{rows}\n])\n"))
    site.artifacts += llms_files(notes, FOLDER, site.title)
    return Checked(site.artifacts, tuple(site.diagnostics))


def _listings(notes: Sequence[JsonObject]) -> Iterator[ListingView]:
    for key in CLASSES:
        tools = tuple(
            _listed(items(note, "tools")[int(str(place))])
            for note in notes
            for place in items(members(note, "safety"), key)
        )
        yield ListingView(key, (ToolList("", tools),) if tools else ())
    for key, column in (("scopes", 4), ("effects", 5)):
        by_value: dict[str, list[ListedTool]] = {}
        for note in notes:
            for row in items(note, "tools"):
                assert isinstance(row, list)
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


def _listed(row: JsonValue) -> ListedTool:
    assert isinstance(row, list)
    name, page, summary, flags, *_ = row
    words = tuple(map(str, flags)) if isinstance(flags, list) else ()
    return ListedTool(str(name), str(page), str(summary), words)


class _Site:
    """Renders pages, and collects the errors in templates of the user."""

    def __init__(self, context: EmitContext) -> None:
        self._replaced = context.templates
        self.title = str(context.options.get("title", "Tools"))
        self.artifacts: list[Artifact] = []
        self.diagnostics: list[Diagnostic] = []

    def add_root(self, file: str, title: str, section: str, values: Mapping[str, object]) -> None:
        """Add a page of the site's folder with the template of its name."""
        self.add(file, file, PageView(title, "", self.title, section=section), values)

    def add(self, path: str, template: str, page: PageView, values: Mapping[str, object]) -> None:
        """Add a page."""
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
            self.artifacts.append(Artifact(f"{FOLDER}/{path}", rendered.text))
