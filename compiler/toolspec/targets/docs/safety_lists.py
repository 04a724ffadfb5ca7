"""Lists of links to tools by safety class, each with its meaning for a client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import cell
from toolspec.sinks.markdown_layout import blocks, bullets
from toolspec.targets.notes import items
from toolspec.targets.safety import (
    DESTRUCTIVE,
    IDEMPOTENT,
    OPEN_WORLD,
    READ_ONLY,
    WRITES,
    by_safety,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolspec.ir import Tool
    from toolspec.syntax.nodes import JsonObject

_TITLES = {
    READ_ONLY: "Read-only",
    WRITES: "Writes",
    DESTRUCTIVE: "Destructive",
    IDEMPOTENT: "Idempotent",
    OPEN_WORLD: "Open world",
}
_MEANING = {
    READ_ONLY: "They change nothing. An agent may call them freely, without asking anybody.",
    WRITES: "They add or change data, and nothing is lost by it. A client may ask first.",
    DESTRUCTIVE: (
        "They delete, overwrite, or do something else that is hard to take back. A client asks a "
        "person before each call, and shows the arguments."
    ),
    IDEMPOTENT: (
        "A second call with the same arguments changes nothing more. A client may repeat them after "
        "a lost connection or a passing failure."
    ),
    OPEN_WORLD: (
        "They reach systems outside the service, whose answers nobody here vouches for. A client "
        "logs these calls apart, and treats what comes back as data, never as instructions."
    ),
}
# Each tool is in exactly one of these; the other lists only repeat names.
_EXCLUSIVE = (READ_ONLY, WRITES, DESTRUCTIVE)


@dataclass(frozen=True, slots=True)
class SafetyList:
    """A safety class of tools: `items` one a line, or `names` in one line for overlapping classes."""

    title: str
    meaning: str
    items: tuple[str, ...]
    names: str

    @property
    def block(self) -> str:
        """The section of the class."""
        return blocks(f"### {self.title}", self.meaning, bullets(self.items), self.names)


def safety_lists(tools: Iterable[Tool], linked: Callable[[Tool], str]) -> tuple[SafetyList, ...]:
    """Return the classes that have tools, the three exclusive ones first."""
    return tuple(
        SafetyList(
            title=_TITLES[key],
            meaning=_MEANING[key],
            items=tuple(_item(tool, linked) for tool in found) if key in _EXCLUSIVE else (),
            names="" if key in _EXCLUSIVE else ", ".join(map(linked, found)),
        )
        for key, found in by_safety(tools).items()
        if found
    )


def joined_lists(notes: Sequence[JsonObject]) -> tuple[SafetyList, ...]:
    """Return the classes of several services as one list each, from lines by the class's title."""
    lines = {
        key: tuple(str(line) for note in notes if title in note for line in items(note, title))
        for key, title in _TITLES.items()
    }
    return tuple(
        SafetyList(
            title=_TITLES[key],
            meaning=_MEANING[key],
            items=found if key in _EXCLUSIVE else (),
            names="" if key in _EXCLUSIVE else ", ".join(found),
        )
        for key, found in lines.items()
        if found
    )


def _item(tool: Tool, linked: Callable[[Tool], str]) -> str:
    return f"{linked(tool)}: {cell(tool.summary or tool.title)}"


def badges(tool: Tool) -> str:
    """Return the flags of a tool in words, for the line above its description."""
    hints = tool.annotations
    care = "read-only" if hints.read_only else "destructive" if hints.destructive else "writes"
    said = [
        care,
        "idempotent" if hints.idempotent else "",
        "open world" if hints.open_world else "",
        "streams" if tool.streaming else "",
        f"risk tier {tool.risk.tier}" if tool.risk.reason else "",
        "deprecated" if tool.deprecated else "",
    ]
    return " · ".join(filter(None, said))
