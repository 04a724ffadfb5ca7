"""Views of the pages of a service, besides the view of the docs target."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from toolspec.providers.ledger import Outcome
from toolspec.shared.whitespace import single_spaced
from toolspec.sinks.markdown import cell
from toolspec.syntax.pointer import parse_pointer
from toolspec.targets.docs.calling import snippets
from toolspec.targets.provider_plan import plan
from toolspec.targets.safety import safety_word
from toolspec.targets.site.paths import GUIDES, fragment, tool_page
from toolspec.targets.site.view import (
    CallView,
    LossView,
    ProviderView,
    Sidebar,
    SidebarGroup,
    SidebarLink,
    TrialView,
)
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.ir import Service, Tool
    from toolspec.providers.ledger import Entry
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.docs.calling import ProgramOptions
    from toolspec.targets.docs.view import ServiceView
    from toolspec.targets.provider_plan import SentTool
    from toolspec.targets.site.guides import Guide

_LISTED = 60
"""Number of tools up to which a sidebar lists all of a service, or of a group."""
_LARGEST_FORM = 50_000  # longest schema, as JSON, of which a form is made
_LOST = frozenset({Outcome.MOVED, Outcome.NARROWED, Outcome.WIDENED, Outcome.REFUSED})


class Sidebars:
    """Makes the sidebar of each page of a service; pages of one group share most of it."""

    def __init__(self, service: Service, view: ServiceView) -> None:
        self._title = service.title or service.name
        self._has_types = bool(view.types)
        self._names = {
            exact_name(tool): SidebarLink(tool_page(tool), _short(service, tool), safety_word(tool))
            for tool in service.tools
        }
        self._groups = [
            (group.name, [self._names[tool.name] for tool in group.tools]) for group in view.groups
        ]
        self._is_large = len(service.tools) > _LISTED

    def of(self, page: str) -> Sidebar:
        """Return the sidebar of a page."""
        groups = (self._group(name, links, page) for name, links in self._groups)
        return Sidebar(self._title, page, tuple(groups), self._has_types)

    def _group(self, name: str, links: Sequence[SidebarLink], page: str) -> SidebarGroup:
        listed = links
        if self._is_large:
            here = next((at for at, link in enumerate(links) if link.page == page), None)
            # As many tools before the page as after it, so that a reader can go on to either.
            start = max(0, min((here or 0) - _LISTED // 2, len(links) - _LISTED))
            listed = [] if here is None else links[start : start + _LISTED]
        return SidebarGroup(
            name, f"group-{fragment(name)}", tuple(listed), len(links) - len(listed)
        )


def _short(service: Service, tool: Tool) -> str:
    name = exact_name(tool)
    return name.removeprefix(service.names.prefix).lstrip("_./-") or name


def call_views(
    service: Service,
    lowered_tools: LoweredTools,
    options: ProgramOptions,
    edit: str,
    servers: JsonValue = None,
) -> Iterator[CallView]:
    """Yield the view of each tool in the order of the document."""
    sent = {
        profile.name: {
            id(one.tool): one for one in plan(service, profile, lowered_tools) if profile.steps
        }
        for profile in lowered_tools.declared
    }
    families: dict[str, list[Tool]] = {}
    for tool in service.tools:
        families.setdefault(tool.names.full, []).append(tool)
    for tool in service.tools:
        yield CallView(
            safety=safety_word(tool),
            asks=tool.risk.tier >= 2 or bool(tool.permissions),  # noqa: PLR2004 - the first that asks
            snippets=snippets(service, tool, options),
            providers=tuple(
                _provider(target, tools[id(tool)], lowered_tools)
                for target, tools in sent.items()
                if id(tool) in tools
            ),
            versions=tuple(
                (exact_name(other), tool_page(other))
                for other in families[tool.names.full]
                if other is not tool
            ),
            trial=_trial(tool, servers) if servers else None,
            edit=edit.replace("{file}", tool.provenance.file) if edit else "",
        )


def _trial(tool: Tool, servers: JsonValue) -> TrialView:
    schema = json.dumps(tool.arguments)
    return TrialView(json.dumps(servers), schema if len(schema) <= _LARGEST_FORM else "{}")


def origins(servers: JsonValue) -> str:
    """Return what the policy of a page allows its script to call."""
    if servers == "any":
        return "https: http:"
    addresses = servers if isinstance(servers, list) else []
    parts = (urlsplit(str(address)) for address in addresses)
    return " ".join(dict.fromkeys(f"{part.scheme}://{part.netloc}" for part in parts))


def _provider(target: str, sent: SentTool, lowered_tools: LoweredTools) -> ProviderView:
    lowered = sent.lowered
    form = "left out" if sent.is_left_out else "strict" if lowered.is_strict else "loose"
    size = f"{lowered_tools.tokens(lowered):,}"
    losses = (
        LossView(_argument(entry.pointer), entry.keyword, entry.outcome.value)
        for entry in (*lowered.ledger, *lowered.strict_refusals)
        if _is_lost(entry)
    )
    return ProviderView(
        target, "" if sent.is_left_out else size, form, tuple(dict.fromkeys(losses))
    )


def _is_lost(entry: Entry) -> bool:
    return entry.outcome in _LOST and (entry.widens or entry.outcome is not Outcome.MOVED)


def _argument(pointer: str) -> str:
    """Return the dotted name of the argument that a pointer leads into."""
    name, is_member = "", False
    for step in parse_pointer(pointer):
        if is_member:
            name, is_member = f"{name}.{step}" if name else step, False
        elif step == "properties":
            is_member = True
        elif step == "items":
            name += "[]"
    return name


def search_rows(service: Service, view: ServiceView, folder: str) -> list[JsonValue]:
    """Return what the search finds of a service: a row for itself, each tool and each type."""
    rows: list[JsonValue] = [
        ["service", service.name, view.title, f"{folder}/index.html", _line(view.description)]
    ]
    for tool, shown in zip(service.tools, view.tools, strict=True):
        arguments: list[JsonValue] = [row.path for row in shown.parameters.rows]
        errors: list[JsonValue] = [error.code for error in shown.errors]
        rows.append(
            [
                *("tool", shown.name, shown.title, f"{folder}/{tool_page(tool)}"),
                *(_line(shown.summary), safety_word(tool), arguments, errors),
            ]
        )
    for kind in view.types:
        members: list[JsonValue] = [row.path for row in kind.schema.rows]
        rows.append(
            [
                "type",
                kind.name,
                "",
                f"{folder}/types.html#{fragment(kind.anchor)}",
                "",
                "",
                members,
                [],
            ]
        )
    return rows


def guide_line(guide: Guide) -> str:
    """Return the line of `llms.txt` for a guide, in Markdown."""
    return f"[{cell(guide.title)}]({GUIDES}/{guide.link.page}): {cell(_line(guide.summary))}"


def guide_rows(guide: Guide) -> Iterator[JsonValue]:
    """Yield what the search finds of a guide: a row for itself, and for each heading below its title."""
    page = f"{GUIDES}/{guide.link.page}"
    yield ["guide", guide.title, "", page, _line(guide.summary)]
    for anchor, heading in guide.headings.items():
        if heading != guide.title:
            yield ["guide", heading, "", f"{page}#{quote(anchor)}", _line(guide.title)]


def _line(text: str, longest: int = 160) -> str:
    line = single_spaced(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
