"""Canonical form of a text, parsed again before it is returned."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from typing import TYPE_CHECKING

from toolspec.driver.formatting.nodes import UnprintableError
from toolspec.driver.formatting.orders import arrange, root_order
from toolspec.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.driver.formatting.nodes import SyntaxTree
    from toolspec.driver.formatting.orders import Order
    from toolspec.syntax.nodes import Document, JsonValue

# One pass is enough unless a comment moves to where it decides about another.
_PASSES = 3


def formatted(name: str, data: bytes, document: Document) -> bytes:
    """Return a document's bytes in canonical form, with its byte order mark and line ends.

    `document` is the parsed document, without an error. Raises UnprintableError if the result would
    not parse to the same values and comments, or would change when formatted again.
    """
    text = document.source.text
    is_windows = text.split("\n", 1)[0].endswith("\r")
    text = _canonical(name, text.replace("\r\n", "\n"), root_order(document.value))
    again = parse(name, text.encode("utf-8"))
    if again.value is None or not is_same(document.value, again.value.value):
        message = "its values would change"
        raise UnprintableError(message)
    if is_windows:
        text = text.replace("\n", "\r\n")
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    return mark + text.encode("utf-8")


def _canonical(name: str, text: str, order: Order) -> str:
    """Return the stable canonical form of a text, with all of its comments."""
    tree = _read(name, text)
    comments, lines = tree.comments, text.split("\n")
    for _ in range(_PASSES):
        arrange(tree, order)
        text, before = _print(name, tree), text
        if text == before:
            return text
        tree = _read(name, text)
        if tree.comments != comments:
            message = "a comment would be lost"
            raise UnprintableError(message, _line_of_first(comments, tree.comments, lines))
    message = "its form would change again"
    raise UnprintableError(message)


def _line_of_first(
    comments: Iterable[str], left: Iterable[str], lines: Sequence[str]
) -> int | None:
    """Return the line of the first comment that is missing from `left`."""
    lost = tuple((Counter(comments) - Counter(left)).keys())
    return next((at for at, line in enumerate(lines) if line.rstrip().endswith(lost)), None)


def read_tree(document: Document) -> SyntaxTree:
    """Return the nodes of a document. Raises UnprintableError for syntax without canonical form."""
    return _read(document.source.path, document.source.text.replace("\r\n", "\n"))


def print_tree(document: Document, tree: SyntaxTree) -> str:
    """Return the text of changed nodes, with the line ends of the document that they are from."""
    text = _print(document.source.path, tree)
    is_windows = document.source.text.split("\n", 1)[0].endswith("\r")
    return text.replace("\n", "\r\n") if is_windows else text


def _read(name: str, text: str) -> SyntaxTree:
    if name.lower().endswith(".json"):
        from toolspec.driver.formatting.json_form import read_json

        return read_json(text)
    from toolspec.driver.formatting.yaml_nodes import read_yaml

    return read_yaml(text)


def _print(name: str, tree: SyntaxTree) -> str:
    if name.lower().endswith(".json"):
        from toolspec.driver.formatting.json_form import json_text

        return json_text(tree)
    from toolspec.driver.formatting.yaml_text import yaml_text

    return yaml_text(tree)


def is_same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are equal, types included; the order of members does not matter."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(is_same(one[key], other[key]) for key in one)
        case list(), list():
            return len(one) == len(other) and all(map(is_same, one, other))
        case _:
            return type(one) is type(other) and one == other
