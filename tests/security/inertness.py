"""What it means that a text stayed a text: the structure of artifacts, and what a terminal may get."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from site_pages import is_seen_whole, parsed

CANARY = "CANARY"
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Other renderers make a link of whatever is written as one.
MARKDOWN.validateLink = lambda _: True  # type: ignore[method-assign] # the way that its manual shows
# What paragraphs of plain text are made of: as many of them as a text has.
_PLAIN = {
    "paragraph_open",
    "paragraph_close",
    "inline",
    "text",
    "text_special",
    "softbreak",
    "hardbreak",
    "code_inline",
}
_MARKUP = {"html_block", "html_inline", "image"}
_OWN_HREF = re.compile(
    r"([A-Za-z0-9_-]+\.md|([A-Za-z0-9_-]+/)?[A-Za-z0-9_.@~-]+\.html)?(#[A-Za-z0-9_-]+)?\Z"
)
_OWN_PAGE = re.compile(
    r"((\.\./)?([A-Za-z0-9_-]+/)?[A-Za-z0-9_.@~-]+\.(html|css|js))?(#[A-Za-z0-9_.~-]+)?\Z"
)
_INDEX = "toolspecIndex("
_CI_COMMAND = re.compile(r"##\w*\[")
_TEMPLATE_TAG = re.compile(r"\{[{%]")
_GITHUB_LINE = re.compile(
    r"::(error|warning|notice) (file=[^:,]*,line=\d+,((col|endColumn|endLine)=\d+,)*)?"
    r"title=[a-z0-9-]+/[a-z0-9-]+::.*\Z"
)


@lru_cache(maxsize=256)
def faults(path: str, text: str, *, is_name: bool) -> tuple[str, ...]:
    """Return what an artifact shows of text that did not stay one; most come many times in a grid."""
    checks: dict[str, Callable[[], Iterator[str]]] = {
        ".py": lambda: python_faults(text, is_name=is_name),
        ".pyi": lambda: python_faults(text, is_name=is_name),
        ".json": lambda: json_faults(text),
        ".md": lambda: markdown_faults(text),
        ".txt": lambda: markdown_faults(text),
        ".html": lambda: html_faults(text),
        ".css": lambda: script_faults(text),
        ".js": lambda: script_faults(text),
    }
    return tuple(f"{path}: {each}" for each in checks[PurePath(path).suffix]())


@lru_cache(maxsize=256)
def shape(path: str, text: str, *, is_name: bool) -> str:
    """Return the structure of an artifact: empty for JSON, whose texts cannot become anything else."""
    if path.endswith((".py", ".pyi")):
        return python_shape(text, is_name=is_name)
    if path.endswith(".html"):
        return "\n".join(parsed(text).shape)
    return markdown_shape(text) if path.endswith((".md", ".txt")) else ""


def python_faults(text: str, *, is_name: bool) -> Iterator[str]:
    """Yield what shows that spec text became code."""
    if not text.replace("\n", "").isprintable():
        yield "a character that nobody sees"
    for node in ast.walk(ast.parse(text)):
        called = ast.dump(node.func) if isinstance(node, ast.Call) else ""
        names = [value for value in vars(node).values() if isinstance(value, str)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = []
        if CANARY in called or (not is_name and any(CANARY in name for name in names)):
            yield f"a {type(node).__name__} of the canary"
        if isinstance(node, ast.ClassDef):
            fields = (each for each in node.body if isinstance(each, ast.AnnAssign))
            if any(ast.unparse(each.target).startswith("__") for each in fields):
                yield "a field that Python renames in its class"


def python_shape(text: str, *, is_name: bool) -> str:
    """Return the structure of a module without its texts; without its names where a text gave them."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = "text"
        elif is_name:
            _forget_names(node)
        if isinstance(node, ast.Call) and any(map(_is_description, node.keywords)):
            node.keywords = [each for each in node.keywords if not _is_summary(each)]
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_documentation(each)]  # type: ignore[attr-defined] # it has one
    return ast.dump(tree, indent=1)


def _is_documentation(statement: ast.stmt) -> bool:
    """Whether a statement does nothing: documentation, or what stands in a body without any."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass)


def _is_description(argument: ast.keyword) -> bool:
    return argument.arg == "description" and _is_text(argument.value)


def _is_summary(argument: ast.keyword) -> bool:
    """Return whether an argument is a summary, which is left out where the description equals it."""
    return argument.arg == "summary" and _is_text(argument.value)


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _forget_names(node: ast.AST) -> None:
    for field in ("id", "arg", "attr", "name", "asname", "module"):
        if isinstance(getattr(node, field, None), str):
            setattr(node, field, "name")


def json_faults(text: str) -> Iterator[str]:
    """Yield where JSON is not what the strictest reader takes."""
    if not text.isascii():
        yield "a character outside of ASCII"
    try:
        json.loads(text, object_pairs_hook=_once, parse_constant=_refused)
    except ValueError as error:
        yield str(error)


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in members]
    if len(set(keys)) < len(keys):
        message = f"a key stands twice among {keys}"
        raise ValueError(message)
    return dict(members)


def _refused(constant: str) -> None:
    message = f"{constant} is no number of JSON"
    raise ValueError(message)


def markdown_faults(text: str) -> Iterator[str]:
    """Yield where a page shows anything but text, or a link that does not lead to another page."""
    if not is_seen_whole(text):
        yield "a character that nobody sees"
    if _TEMPLATE_TAG.search(text):
        yield "a tag of a template"
    for token in _tokens(_parsed(text)):
        if token.type in _MARKUP:
            yield token.type
        if token.type == "link_open" and not _OWN_HREF.match(str(token.attrs["href"])):
            yield f"a link to {token.attrs['href']}"


def html_faults(text: str) -> Iterator[str]:
    """Yield where a page of the site has markup that is not ours, or a character that nobody sees."""
    if not is_seen_whole(text):
        yield "a character that nobody sees"
    page = parsed(text)
    yield from page.faults
    for link in (*page.links, *page.sources):
        if not _OWN_PAGE.match(link):
            yield f"a link to {link}"


def script_faults(text: str) -> Iterator[str]:
    """Yield where a text of a spec is in a style or a script, or anything but data in the index."""
    if text.startswith(_INDEX):
        yield from json_faults(text.removeprefix(_INDEX).removesuffix(")\n"))
    elif CANARY in text:
        yield "the canary"


def markdown_shape(text: str) -> str:
    """Return blocks and marks of a page in order, but for the paragraphs of its texts."""
    tokens = _tokens(_parsed(text))
    return "\n".join(f"{each.type} {each.tag}" for each in tokens if each.type not in _PLAIN)


@lru_cache(maxsize=16)
def _parsed(text: str) -> list[Token]:
    return MARKDOWN.parse(text)


def _tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _tokens(token.children or ())


def terminal_faults(text: str) -> Iterator[str]:
    """Yield what could steer a terminal or a CI service that copies the text to its log."""
    for line in text.split("\n"):
        start = line.lstrip()
        if not line.isprintable():
            yield f"a control character: {line!a}"
        if _CI_COMMAND.search(line):
            yield f"a command of a CI service: {line}"
        if start.startswith("::") and (not start.startswith("::: ") or "::" in start[4:]):
            yield f"a line that begins with `::`: {line}"


def github_faults(text: str) -> Iterator[str]:
    """Yield lines that are not one workflow command of ours each."""
    for line in text.splitlines():
        if not _GITHUB_LINE.match(line) or not line.isprintable():
            yield f"no annotation of ours: {line!a}"
