"""What an import reads: the list of a server's tools, in each of the forms it is passed around in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Diagnostic, Subject
from toolspec.importers import kinds

if TYPE_CHECKING:
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Place

# Members that the import reads or that every JSON-RPC response has.
_READ = frozenset({"tools", "result", "serverInfo", "server", "instructions", "nextCursor"})
_ENVELOPE = frozenset({"jsonrpc", "id"})


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One entry of the list that is a tool: it has a name."""

    name: str
    members: JsonObject
    place: Place


@dataclass(frozen=True, slots=True)
class Dump:
    """A server's tools, and what it says of itself; `info` is its `serverInfo` or empty."""

    tools: tuple[ListedTool, ...]
    info: JsonObject
    place: Place
    server: str
    instructions: str
    protocol: str


def read_dump(document: Document) -> Checked[Dump | None]:
    """Return the tools of a document; None with an error where it is no list of tools.

    Accepted are a dump (`tools` beside `serverInfo`, `server`, `instructions`), a result of
    `tools/list`, a JSON-RPC response with one, and a bare list of tools.
    """
    root = document.value
    outer: JsonObject = root if isinstance(root, dict) else {}
    inner, at = outer, document.place()
    result = outer.get("result")
    if "tools" not in outer and isinstance(result, dict):
        inner, at = result, at / "result"
    entries: JsonValue = root if isinstance(root, list) else inner.get("tools")
    if not isinstance(entries, list) or (isinstance(root, list) and not any(map(_name, entries))):
        return Checked(None, (kinds.NO_TOOLS.at(at.span, "no `tools` here"),))
    found: list[Diagnostic] = []
    tools = _listed(entries, at if isinstance(root, list) else at / "tools", found)
    both = {**inner, **outer}
    found += _incomplete(inner, at)
    unread = [name for name in both if name not in _READ and name not in _ENVELOPE]
    if unread:
        members = ", ".join(f"`{name}`" for name in unread)
        found.append(kinds.MEMBERS_LEFT_OUT.at((at / unread[0]).key_span, members=members))
    info = both.get("serverInfo")
    dump = Dump(
        tools=tools,
        info=info if isinstance(info, dict) else {},
        place=document.place("serverInfo"),
        server=_text(both.get("server")),
        instructions=_text(both.get("instructions")),
        protocol=_text(both.get("protocolVersion")),
    )
    return Checked(dump, tuple(found))


def _listed(entries: list[JsonValue], at: Place, found: list[Diagnostic]) -> tuple[ListedTool, ...]:
    tools: list[ListedTool] = []
    for index, entry in enumerate(entries):
        name = _name(entry)
        if isinstance(entry, dict) and name:
            tools.append(ListedTool(name, entry, at / index))
            continue
        problem = "it has no `name`" if isinstance(entry, dict) else "it is no object"
        place = at / index
        subject = Subject(pointer=place.pointer)
        found.append(
            kinds.NOT_A_TOOL.at(place.span, subject=subject, number=index + 1, problem=problem)
        )
    return tuple(tools)


def _incomplete(result: JsonObject, at: Place) -> tuple[Diagnostic, ...]:
    if not result.get("nextCursor"):
        return ()
    place = at / "nextCursor"
    return (kinds.MORE_PAGES.at(place.span, subject=Subject(pointer=place.pointer)),)


def _name(entry: JsonValue) -> str:
    return _text(entry.get("name")) if isinstance(entry, dict) else ""


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
