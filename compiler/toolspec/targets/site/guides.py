"""Guides of a site: Markdown files of the project as pages, beside those of the services.

CommonMark with tables. Only the tokens that are listed here become HTML, and every text in them is
escaped: HTML in Markdown is text. Links lead by HTTP, to a mailbox, or to what is in the site; images
are files of the project.
"""

from __future__ import annotations

import re
from itertools import pairwise
from posixpath import dirname, join, normpath, relpath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from toolspec.shared.records import dataclass, field
from toolspec.shared.whitespace import single_spaced
from toolspec.sinks import html
from toolspec.sinks.markdown import visible
from toolspec.source import SourceFile
from toolspec.targets.site import kinds
from toolspec.targets.site.images import is_image
from toolspec.targets.site.paths import GUIDES
from toolspec.targets.site.view import GuideLink, GuideView
from toolspec.targets.templates import Code

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from markdown_it.token import Token

    from toolspec.diagnostics import Diagnostic
    from toolspec.targets.target import ProjectFile

OPTION = "guides"
SUFFIX = ".md"
INDEX = "index.html"
_TAKEN = ("main", "found")
"""Fragments that every page of a site has."""
_SLUG = re.compile(r"[^\w -]")
_TAGS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "list_item": "li",
    "blockquote": "blockquote",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "em": "em",
    "strong": "strong",
    "s": "s",
}
_PLAIN = {"softbreak": "\n", "hardbreak": "<br>", "hr": "<hr>", "text": "", "inline": ""}
_ALIGNMENTS = {"text-align:right": "right", "text-align:center": "center"}


@dataclass(frozen=True, slots=True)
class Guide:
    """A guide: its page below `guides/`, its text, and the headings on it by fragment."""

    page: str
    source: SourceFile
    name: str
    title: str
    summary: str
    headings: Mapping[str, str]
    tokens: Sequence[Token] = field(repr=False)

    @property
    def link(self) -> GuideLink:
        """The link to the guide in lists of all."""
        return GuideLink(self.title, quote(self.page), self.summary)


@dataclass(slots=True)
class Guides:
    """All guides of a site in the order of the configuration, and the images beside them by name.

    `used` are the images that a guide shows.
    """

    guides: list[Guide] = field(default_factory=list)
    images: dict[str, bytes] = field(default_factory=dict)
    used: dict[str, bytes] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def views(self, links: tuple[GuideLink, ...], pages: Collection[str]) -> Iterator[GuideView]:
        """Yield the views of the guides; `pages` are those of the site that they may link to."""
        by_name = {guide.name: guide for guide in self.guides}
        for guide in self.guides:
            body = _Writer(self, guide, by_name, pages).write(guide.tokens)
            yield GuideView(guide.title, quote(guide.page), Code(body), links)


def read_guides(files: Iterable[ProjectFile]) -> Guides:
    """Return the guides of the files that the option names; report those that have no page."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    # The writer judges addresses, so that a refused one is reported.
    parser.validateLink = _accept  # type: ignore[method-assign]
    read = Guides()
    paths: dict[str, str] = {}
    for file in files:
        if file.option != OPTION:
            continue
        if not file.name.lower().endswith(SUFFIX):
            read.images.setdefault(file.name, file.data)
            continue
        page = _page(file.name)
        if other := paths.get(page.casefold()):
            diagnostic = kinds.GUIDE_NAME.at(file.span, path=file.path, other=other)
            read.diagnostics.append(diagnostic)
            continue
        paths[page.casefold()] = file.path
        try:
            text = file.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            read.diagnostics.append(kinds.GUIDE_TEXT.at(file.span, path=file.path))
            continue
        source = SourceFile(file.path, visible(text))
        read.guides.append(_guide(page, file.name, source, parser.parse(source.text)))
    read.guides.sort(key=lambda guide: guide.page != INDEX)
    return read


def _accept(url: str) -> bool:  # noqa: ARG001 - as the parser calls it
    """Return that any address is parsed as one."""
    return True


def _page(name: str) -> str:
    """Return the page of a file; README is the index of its folder, as on hosts of repositories."""
    stem = name[: -len(SUFFIX)]
    folder, _, last = stem.rpartition("/")
    return join(folder, INDEX) if last.lower() in {"index", "readme"} else f"{stem}.html"


def _guide(page: str, name: str, source: SourceFile, tokens: Sequence[Token]) -> Guide:
    headings: dict[str, str] = {}
    title = summary = ""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            text = _text(inline)
            fragment = _fragment(text, headings)
            headings[fragment] = text
            token.attrSet("id", fragment)
            title = title or (text if token.tag == "h1" else "")
        elif token.type == "paragraph_open":
            summary = summary or _text(inline)
    stem = page.removesuffix(".html").removesuffix("/index").rpartition("/")[2]
    return Guide(page, source, name, title or stem, single_spaced(summary), headings, tokens)


def _fragment(text: str, taken: Collection[str]) -> str:
    slug = _SLUG.sub("", text.lower()).strip().replace(" ", "-") or "section"
    fragment, number = slug, 0
    while fragment in taken or fragment in _TAKEN:
        number += 1
        fragment = f"{slug}-{number}"
    return fragment


def _text(inline: Token) -> str:
    """Return the text of a line without its marks."""
    parts = (
        _text(child) if child.type == "image" else child.content or " " * (child.tag == "br")
        for child in inline.children or ()
    )
    return "".join(parts)


class _Writer:
    """Writes the tokens of a guide as HTML."""

    def __init__(
        self, guides: Guides, guide: Guide, by_name: Mapping[str, Guide], pages: Collection[str]
    ) -> None:
        self._guides, self._guide = guides, guide
        self._by_name, self._pages = by_name, pages
        self._lines = (0, 0)
        self._links: list[bool] = []
        self._tables = 0
        self._writers: Mapping[str, Callable[[Token], str]] = {
            "text": lambda token: html.escaped(token.content),
            "text_special": lambda token: html.escaped(token.content),
            "code_inline": lambda token: html.code(token.content),
            "code_block": lambda token: html.program(token.content.rstrip("\n"), "text"),
            "fence": self._fence,
            "image": self._image,
            "link_open": self._open_link,
            "link_close": lambda _: "</a>" if self._links.pop() else "",
            "heading_open": lambda token: f'<{token.tag} id="{html.text(str(token.attrs["id"]))}">',
            "heading_close": lambda token: f"</{token.tag}>\n",
            "ordered_list_open": _open_ordered_list,
            "ordered_list_close": lambda _: "</ol>\n",
            "table_open": self._open_table,
            "table_close": lambda _: "</table></div>\n",
            "th_open": lambda token: f'<th scope="col"{_alignment(token)}>',
            "th_close": lambda _: "</th>",
            "td_open": lambda token: f"<td{_alignment(token)}>",
            "td_close": lambda _: "</td>",
        }

    def write(self, tokens: Iterable[Token]) -> str:
        """Return the HTML of tokens."""
        body = "".join(map(self._write, tokens))
        return body if "<h1 " in body else f"<h1>{html.text(self._guide.title)}</h1>\n{body}"

    def _write(self, token: Token) -> str:
        if token.map:
            self._lines = (token.map[0], token.map[1])
        if token.type == "inline":
            return "".join(map(self._write, token.children or ()))
        writer = self._writers.get(token.type)
        if writer:
            return writer(token)
        if token.type in _PLAIN:
            return _PLAIN[token.type]
        kind, _, side = token.type.rpartition("_")
        tag = _TAGS[kind]
        if token.hidden:
            return ""
        return f"<{tag}>" if side == "open" else f"</{tag}>{chr(10) * token.block}"

    def _fence(self, token: Token) -> str:
        language = (token.info.split() or ["text"])[0]
        return f"{html.program(token.content.removesuffix(chr(10)), language)}\n"

    def _open_table(self, _: Token) -> str:
        self._tables += 1
        label = f"Table {self._tables}"
        return f'<div class="table" tabindex="0" role="region" aria-label="{label}"><table>\n'

    def _open_link(self, token: Token) -> str:
        address = str(token.attrs["href"])
        target = self._target(address)
        self._links.append(bool(target))
        rel = ' rel="noreferrer"' if ":" in target else ""
        return f'<a href="{html.text(target)}"{rel}>' if target else ""

    def _image(self, token: Token) -> str:
        address, shown = str(token.attrs["src"]), html.text(_text(token))
        name = normpath(join(dirname(self._guide.name), unquote(address)))
        data = self._guides.images.get(name)
        if data is None:
            self._report(address, "is no image of the guides", "copy the image beside the guide")
            return shown
        if not is_image(data):
            self._report(
                address, "is no PNG, JPEG, GIF or WebP image", "save it in one of these formats"
            )
            return shown
        self._guides.used[name] = data
        return f'<img src="{html.text(self._relative(name))}" alt="{shown}">'

    def _target(self, address: str) -> str:
        """Return what a link leads to, empty for nothing that a page may link to."""
        if not html.is_safe_address(address) or address.startswith(("/", "\\")):
            problem = "is no address that a guide may link to"
            self._report(address, problem, "use http, https, mailto or a relative address")
            return ""
        if ":" in address.partition("/")[0].partition("#")[0]:
            return address
        path, _, fragment = address.partition("#")
        name = normpath(join(dirname(self._guide.name), unquote(path))) if path else ""
        guide = self._by_name.get(name) if path else self._guide
        if guide:
            if fragment and unquote(fragment) not in guide.headings:
                self._report(
                    address, "leads to no heading", "use the text of a heading, as `#its-text`"
                )
                fragment = ""
            shown = self._relative(guide.page) if path else ""
            return f"{shown}#{fragment}" if fragment else shown
        if name in self._guides.images and is_image(self._guides.images[name]):
            self._guides.used[name] = self._guides.images[name]
            return self._relative(name)
        if normpath(join(GUIDES, dirname(self._guide.page), unquote(path))) in self._pages:
            return address
        self._report(address, "leads to no page of the site", "link to a guide, or to another page")
        return ""

    def _relative(self, name: str) -> str:
        return quote(relpath(name, dirname(self._guide.page) or "."))

    def _report(self, address: str, problem: str, suggestion: str) -> None:
        source, (first, last) = self._guide.source, self._lines
        starts = [*source.line_starts, len(source.text)]
        start, end = starts[first], starts[last]
        shown = unquote(address)
        at = max(source.text.find(address, start, end), source.text.find(shown, start, end))
        length = len(address) if source.text.startswith(address, at) else len(shown)
        span = source.span(at, at + length) if at >= 0 else source.span(start, end)
        self._guides.diagnostics.append(
            kinds.GUIDE_LINK.at(span, address=shown, problem=problem, suggestion=suggestion)
        )


def _open_ordered_list(token: Token) -> str:
    start = int(token.attrs.get("start", 1))
    return "<ol>\n" if start == 1 else f'<ol start="{start}">\n'


def _alignment(token: Token) -> str:
    name = _ALIGNMENTS.get(str(token.attrs.get("style")))
    return f' class="{name}"' if name else ""
