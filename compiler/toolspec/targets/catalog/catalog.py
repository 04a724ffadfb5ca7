"""Catalog of a build, without defaults: services, tools, and tools by safety class.

`catalog.json` leaves out members that have their default, so a new tool adds few lines to review.
`[[render]]` templates see every member.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from toolspec.diagnostics import Checked
from toolspec.ir import DEFAULT_ICON
from toolspec.shared.records import dataclass
from toolspec.sinks.json_text import JsonSerializer, JsonText, serialized_array, serialized_items
from toolspec.targets.catalog.entries import SchemaDigests, service_entry, tool_entry
from toolspec.targets.safety import CLASSES, by_safety
from toolspec.targets.sizes import sizes
from toolspec.targets.target import Artifact, members
from toolspec.targets.versions import exact_name
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.target import EmitContext

T = TypeVar("T")

_HOOKS: JsonObject = {"before": [], "middleware": [], "after": [], "afterResponse": []}
_TIMEOUT: JsonObject = {"idle": None, "total": None}
_LIMITS: JsonObject = {"resultBytes": None}

_NESTED: Mapping[str, JsonValue] = {"chunk": None, "origin": None}

SERVICE: Mapping[str, JsonValue] = {
    "names": "prefixed",
    "instructions": "",
    "category": "",
    "icons": [],
    "definitions": {},
    "settingsDigest": None,
    "auth": {"type": "none"},
    "instances": [],
    "modes": [],
    "scopes": [],
    "permissions": [],
    "hooks": _HOOKS,
    "timeout": _TIMEOUT,
    "formats": "assert",
    "extensions": {},
}
TOOL: Mapping[str, JsonValue] = {
    "group": "",
    "tags": [],
    "icons": [],
    "icon": DEFAULT_ICON,
    "version": "",
    "wireName": "",
    "aliases": [],
    "deprecated": None,
    "inputForm": "object",
    "streaming": False,
    "reduction": None,
    "effects": [],
    "taskSupport": "forbidden",
    "idempotency": "none",
    "verify": False,
    "revert": False,
    "scopes": [],
    "permissions": [],
    "hooks": _HOOKS,
    "timeout": _TIMEOUT,
    "limits": _LIMITS,
    "errors": [],
    "examples": [],
    "contentType": "application/json",
    "formats": "assert",
    "http": None,
    "extensions": {},
}
"""`exactName` and `summary` are left out too where they repeat `name` and `description`."""


def compact_service(entry: JsonObject) -> JsonObject:
    """Return an entry of a service without members that have their default."""
    return _without(SERVICE, entry)


def compact_tool(entry: JsonObject) -> JsonObject:
    """Return an entry of a tool without members that have their default or repeat another."""
    defaults = {**TOOL, "exactName": entry["name"], "summary": entry["description"]}
    nested = {
        name: _without(_NESTED, member)
        for name in ("digests", "source")
        if isinstance(member := entry[name], dict)
    }
    return _without(defaults, {**entry, **nested})


def _without(defaults: Mapping[str, JsonValue], entry: JsonObject) -> JsonObject:
    return {
        name: value
        for name, value in entry.items()
        if name not in defaults or value != defaults[name]
    }


PATH = "catalog.json"
FORMAT = 1


class CatalogEntries(NamedTuple):
    """The entries of a service, of its tools, and the exact names of these by safety class."""

    service: JsonObject
    tools: list[JsonObject]
    by_safety: JsonObject


def entries(service: Service, lowered_tools: LoweredTools) -> CatalogEntries:
    """Return the entries of a service."""
    measured, digests = sizes(service, lowered_tools), SchemaDigests(service)
    return CatalogEntries(
        service_entry(service, digests),
        [
            tool_entry(service, tool, measured.each[exact_name(tool)], digests)
            for tool in service.tools
        ],
        {key: [*map(exact_name, tools)] for key, tools in by_safety(service.tools).items()},
    )


def note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    """Return the parts of the catalog for one service, each list serialized for its position."""
    own = entries(service, lowered_tools)
    return {
        "services": serialized_items([compact_service(own.service)], 2),
        "tools": serialized_items([*map(_serializable, own.tools)], 2),
        "bySafety": {
            key: serialized_items(names, 3)
            for key, names in own.by_safety.items()
            if isinstance(names, list)
        },
    }


def _serializable(tool: JsonObject) -> JsonObject:
    """Return the members of a tool to be written, its digests and its sizes on one line each.

    A changed description therefore changes one line of digests and at most one of sizes.
    """
    entry = compact_tool(tool)
    return {**entry, **{name: JsonText(json.dumps(entry[name])) for name in ("digests", "tokens")}}


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return `catalog.json` from its parts; see `schemas/catalog.v1.schema.json`."""
    heads = [(str(note["services"]), members(note, "bySafety")) for note in notes]
    by_safety = {
        key: JsonText("".join(serialized_array((str(names[key]) for _, names in heads), 3)))
        for key in CLASSES
    }
    services = tuple(service for service, _ in heads)
    return Checked((Artifact(PATH, rest=_Pieces(notes, context.separator, services, by_safety)),))


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The text of the catalog in pieces, the tools of one service at a time."""

    notes: Sequence[JsonObject]
    separator: str
    services: tuple[str, ...]
    by_safety: Mapping[str, str]

    def __iter__(self) -> Iterator[str]:
        value = catalog(
            self.separator,
            services=serialized_array(self.services, 2),
            tools=serialized_array((str(note["tools"]) for note in self.notes), 2),
            by_safety=dict(self.by_safety),
        )
        return JsonSerializer().pieces(value)


def catalog(
    separator: str, services: T, tools: T, by_safety: JsonObject
) -> dict[str, JsonValue | T]:
    """Return the catalog as a value: services by name, tools in document order."""
    return {
        "catalog": FORMAT,
        "generator": {"name": "toolspec", "version": __version__},
        "separator": separator,
        "services": services,
        "tools": tools,
        "bySafety": by_safety,
    }
