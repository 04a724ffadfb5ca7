"""Reader of tool lists, in each of their common forms."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from toolspec.diagnostics import Checked, Diagnostic, Subject
from toolspec.importers import kinds
from toolspec.importers.config_schema import settings_schema
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location

# Members that the import reads or that every JSON-RPC response has.
_READ = frozenset(
    {"tools", "result", "serverInfo", "server", "instructions", "nextCursor", "$defs"}
)
# Members that identify an object as a tool, alone or under its name in a map.
_TOOL_MEMBERS = frozenset({"description", "inputSchema", "input_schema"})
_ENVELOPE = frozenset({"jsonrpc", "id"})


@dataclass(frozen=True, slots=True)
class ListedTool:
    """An entry of the list that has a name, so it is a tool; `comments` belong to its members."""

    name: str
    members: JsonObject
    location: Location
    comments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a list: the kind of its import, the file or server, and a name for its service."""

    kind: str
    location: str
    name: str

    @staticmethod
    def of_file(document: Document, kind: str) -> Origin:
        """Return the origin of the tools in a file."""
        file = document.source.path.rpartition("/")[2]
        return Origin(kind, file, file.partition(".")[0])

    @staticmethod
    def of_server(url: str | None, command: str) -> Origin:
        """Return the origin of the tools that a server lists at a URL, or started by a command.

        Of both only parts are named that contain no credentials: neither the query nor arguments.
        """
        if url:
            location = without_credentials(url)
            return Origin("mcp", location, urlsplit(location).hostname or "server")
        program = shlex.split(command)[0].rpartition("/")[2]
        return Origin("mcp", program, program)


def without_credentials(url: str) -> str:
    """Return a URL without user, query and fragment; nothing of one that cannot be parsed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


@dataclass(frozen=True, slots=True)
class Dump:
    """Tools of a list, with what it says of their server; `info` is its `serverInfo` or empty."""

    origin: Origin
    tools: tuple[ListedTool, ...]
    location: Location
    info: JsonObject = field(default_factory=dict)
    server: str = ""
    instructions: str = ""
    protocol: str = ""
    definitions: JsonObject = field(default_factory=dict)
    settings: JsonObject | None = None


def read_dump(document: Document) -> Checked[Dump | None]:
    """Return the tools of a document; None with an error if it has no tools.

    Accepted are a dump (`tools` next to `serverInfo`, `server`, `instructions`), a result of
    `tools/list`, a JSON-RPC response with one, a list or a map of tools, and a single tool.
    """
    root, at = document.value, document.location()
    outer: JsonObject = root if isinstance(root, dict) else {}
    inner, holder = outer, at
    result = outer.get("result")
    if "tools" not in outer and isinstance(result, dict):
        inner, holder = result, at / "result"
    if "tools" in inner:
        entries = _entries(inner["tools"], holder / "tools")
    else:
        entries = _entries(root, at)
        inner = outer = {}
    if entries is None:
        return Checked(None, (kinds.NO_TOOLS.at(at.span, "no `tools` here"),))
    diagnostics: list[Diagnostic] = []
    tools = _listed(entries, diagnostics)
    both = {**inner, **outer}
    diagnostics += _incomplete(inner, holder)
    settings = settings_schema(both.get("configSchema"))
    read = _READ | {"configSchema"} if settings else _READ
    unread = [name for name in both if name not in read and name not in _ENVELOPE]
    if unread:
        members = ", ".join(f"`{name}`" for name in unread)
        diagnostics.append(
            kinds.MEMBERS_LEFT_OUT.at(
                (holder if unread[0] in inner else at).at(unread[0]).key_span, members=members
            )
        )
    info, definitions = both.get("serverInfo"), both.get("$defs")
    dump = Dump(
        origin=Origin.of_file(document, "mcp-tools"),
        tools=tools,
        location=document.location("serverInfo"),
        info=info if isinstance(info, dict) else {},
        server=_text(both.get("server")),
        instructions=_text(both.get("instructions")),
        protocol=_text(both.get("protocolVersion")),
        definitions=definitions if isinstance(definitions, dict) else {},
        settings=settings,
    )
    return Checked(dump, tuple(diagnostics))


def _entries(value: JsonValue, at: Location) -> list[tuple[JsonValue, Location]] | None:
    """Return the entries of a list or a map of tools, or a single tool; None for anything else."""
    match value:
        case list() if at.path or any(map(_name, value)):
            return [(entry, at / index) for index, entry in enumerate(value)]
        case {"name": str()} if _is_tool(value):
            return [(value, at)]
        case dict() if value and all(_is_tool(member) for member in value.values()):
            named = ((key, member) for key, member in value.items() if isinstance(member, dict))
            return [({"name": key, **member}, at / key) for key, member in named]
        case _:
            return None


def _is_tool(value: JsonValue) -> bool:
    return isinstance(value, dict) and not _TOOL_MEMBERS.isdisjoint(value)


def _listed(
    entries: list[tuple[JsonValue, Location]], diagnostics: list[Diagnostic]
) -> tuple[ListedTool, ...]:
    tools: list[ListedTool] = []
    for number, (entry, location) in enumerate(entries, 1):
        name = _name(entry)
        if isinstance(entry, dict) and name:
            tools.append(ListedTool(name, entry, location))
            continue
        problem = "it has no `name`" if isinstance(entry, dict) else "it is not an object"
        subject = Subject(pointer=location.pointer)
        diagnostics.append(
            kinds.NOT_A_TOOL.at(location.span, subject=subject, number=number, problem=problem)
        )
    return tuple(tools)


def _incomplete(result: JsonObject, at: Location) -> tuple[Diagnostic, ...]:
    if not result.get("nextCursor"):
        return ()
    location = at / "nextCursor"
    return (kinds.MORE_PAGES.at(location.span, subject=Subject(pointer=location.pointer)),)


def _name(entry: JsonValue) -> str:
    return _text(entry.get("name")) if isinstance(entry, dict) else ""


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
