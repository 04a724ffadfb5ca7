"""What a rule can visit, besides the whole `Program` and each `Service`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.ir import Program, Service, Tool
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document, JsonValue
    from toolspec.syntax.pointer import Path

# `\u202e`, `\x1b`, and YAML's one-letter names for control characters.
_ESCAPE = re.compile(r"\\[uUx0abefvN]")


@dataclass(frozen=True, slots=True)
class ToolVisit:
    """One tool, in its service."""

    service: Service
    tool: Tool

    def at(self, *steps: str | int) -> Span | None:
        """Return where something of the tool stands; the tool itself where it was left out."""
        return self.tool.place.at(*steps).span if self.tool.place else None


@dataclass(frozen=True, slots=True)
class Text:
    """A text somewhere in a document: a value, or the key of the value at its path."""

    path: Path
    text: str
    is_key: bool = False


@dataclass(frozen=True, slots=True)
class DocumentVisit:
    """One document that a service is read from: every text in it, `x-` members included."""

    service: Service
    document: Document

    def may_say(self, words: Iterable[str]) -> bool:
        """Whether one of the words, all in lower case, can be in the document.

        Looking through the source costs next to nothing beside looking at every text; escapes can
        spell any word, so a document that has them always may.
        """
        source = self.document.source.text
        folded = source.lower()
        return any(word in folded for word in words) or has_escapes(source)

    def texts(self) -> Iterator[Text]:
        """Yield every text in document order."""
        stack: list[tuple[Path, JsonValue]] = [((), self.document.value)]
        while stack:
            path, node = stack.pop()
            if isinstance(node, str):
                yield Text(path, node)
            elif isinstance(node, list):
                stack.extend(((*path, at), node[at]) for at in reversed(range(len(node))))
            elif isinstance(node, dict):
                for key in node:
                    yield Text((*path, key), key, is_key=True)
                stack.extend(((*path, key), node[key]) for key in reversed(node))

    def span(self, text: Text) -> Span:
        """Return where a text stands."""
        place = self.document.place(*text.path)
        return place.key_span if text.is_key else place.value_span

    def subject(self, text: Text) -> Subject:
        """Return what a finding about a text is about: the tool that it belongs to, if any."""
        pointer = format_pointer(text.path)
        for tool in self.service.tools:
            place = tool.place
            if (
                place
                and place.document is self.document
                and text.path[: len(place.path)] == place.path
            ):
                return Subject(self.service.name, tool.names.full, pointer)
        return Subject(self.service.name, pointer=pointer)


def has_escapes(source: str) -> bool:
    """Whether a source spells characters by escapes of JSON or YAML that can stand for any."""
    return _ESCAPE.search(source) is not None


def documents(program: Program) -> Iterator[DocumentVisit]:
    """Yield every document of a program once, with the first service that is read from it."""
    seen: set[int] = set()
    for service in program.services:
        tools = (tool.place for tool in service.tools)
        shared = (definition.schema.place for definition in service.definitions)
        for place in (service.place, *tools, *shared):
            if place is not None and id(place.document) not in seen:
                seen.add(id(place.document))
                yield DocumentVisit(service, place.document)
