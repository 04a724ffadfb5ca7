"""Pages of a site, read as a browser parses them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from toolspec.targets.site import TARGET
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from toolspec.ir import Program
    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.target import ProjectFile

VOID = frozenset({"meta", "link", "br", "input", "img", "path", "rect", "hr"})
IMAGE = re.compile(r"[\w./%-]+\.(?:png|jpe?g|gif|webp)")
"""Addresses of images: relative, and in formats that run nothing."""
NO_ICON = "data:,"
"""Keeps a browser from asking the server for an icon."""
POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')

_SEEN = str.maketrans("", "", "\u200c\u200d\n\t")


def is_seen_whole(text: str) -> bool:
    """Return whether a text has no character that nobody sees, but for joiners and line ends."""
    return text.translate(_SEEN).isprintable()


def site(
    program: Program, *, files: tuple[ProjectFile, ...] = (), **options: JsonValue
) -> dict[str, str]:
    """Return the files of a site by their path in its folder; images have no text."""
    checked = emit_program(TARGET, program, options, files)
    assert not checked.diagnostics
    return {each.path.removeprefix("site/"): each.text for each in checked.value}


@dataclass
class Parsed:
    """What a page consists of."""

    shape: list[str] = field(default_factory=list)
    """Start tags in order, but for those of texts in paragraphs."""
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    text: str = ""
    faults: list[str] = field(default_factory=list)


class _Parser(HTMLParser):
    def __init__(self, parsed: Parsed) -> None:
        super().__init__()
        self.parsed = parsed
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"p", "br", "code"}:
            self.parsed.shape.append(f"{tag} {' '.join(name for name, _ in attrs)}")
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.parsed.ids.append(str(value))
            elif name == "href" and value != NO_ICON:
                self.parsed.links.append(str(value))
            elif name == "src":
                self.parsed.sources.append(str(value))
            if name.startswith("on") or name == "style":
                self.parsed.faults.append(f"{tag} {name}")
        is_loaded = tag == "img" and not IMAGE.fullmatch(str(dict(attrs).get("src")))
        if is_loaded or tag in {"style", "iframe", "object", "embed", "form", "base"}:
            self.parsed.faults.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.parsed.faults.append(f"an unexpected </{tag}>")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.parsed.faults.append("a script inside of the page")
        self.parsed.text += data

    def handle_comment(self, data: str) -> None:
        self.parsed.faults.append("a comment")


def parsed(page: str) -> Parsed:
    found = Parsed()
    parser = _Parser(found)
    parser.feed(page)
    parser.close()
    found.faults += [f"<{tag}> is not closed" for tag in parser.open]
    doubled = {name for name in found.ids if found.ids.count(name) > 1}
    found.faults += [f"the id {name} twice" for name in doubled]
    return found


def target_of(path: str, link: str) -> tuple[str, str]:
    """Return the file and the fragment that a link on a page leads to."""
    file, _, fragment = link.partition("#")
    return normpath(join(dirname(path), file)) if file else path, fragment
