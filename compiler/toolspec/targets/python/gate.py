"""The last look at generated code: its structure must not depend on any text of a spec."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeVar

from toolspec.sinks.python import literal
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.layout import WIDTH
from toolspec.targets.python.render import render

if TYPE_CHECKING:
    from toolspec.targets.python.model import Module

T = TypeVar("T")

HARMLESS, _QUOTES = "x", '""'
_FIELDS: dict[type, tuple[str, ...]] = {}

# What the sinks may write, and nothing else that Python would read as a string: no prefix, no other
# escape, no character that ends a line or cannot be encoded.
_ESCAPE = r"""\\(?:[\\"'nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})"""
_NEVER = r"\\\x00-\x09\x0b-\x1f\x7f\ud800-\udfff"
_DOUBLE, _SINGLE = (rf"[^{quote}\n{_NEVER}]*" for quote in "\"'")
_LINES = rf'[^"{_NEVER}]*'
_STRING = re.compile(
    rf'''"""{_LINES}(?:(?:{_ESCAPE}|"(?!"")){_LINES})*"""'''
    rf'''|"{_DOUBLE}(?:{_ESCAPE}{_DOUBLE})*"'''
    rf"""|'{_SINGLE}(?:{_ESCAPE}{_SINGLE})*'"""
)
# Stands for a string in what is left without them; Python refuses it in any source.
_HOLE = "\0"


def is_safe(module: Module, text: str) -> bool:
    """Whether a module's text has the structure that the module has with harmless texts."""
    return same_structure(text, render(harmless(module)))


def same_structure(text: str, wanted: str) -> bool:
    """Whether two sources are equal, character by character, but for what stands in their strings.

    That is more than equal syntax trees: a tree leaves out comments, quotes and line breaks.
    """
    return _HOLE not in text and _STRING.sub(_HOLE, text) == _STRING.sub(_HOLE, wanted)


def harmless(value: T) -> T:
    """Return the model with every text in it replaced by one as wide, so that lines break alike.

    A text that no line has room for may become any other such text.

    Works on any value made of dataclasses and tuples: whatever is a `str` and no `Identifier` is
    taken for a spec's text, so that no kind of node can be forgotten here.
    """
    if not value or isinstance(value, Identifier):
        return value
    if isinstance(value, str):
        width = len(literal(value)) - len(_QUOTES) if len(value) < WIDTH else WIDTH
        return HARMLESS * width  # type: ignore[return-value]  # T is str here
    if isinstance(value, tuple):
        return tuple([harmless(each) for each in value])  # type: ignore[return-value]  # T is a tuple
    kind: type[T] = type(value)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    replaced = [harmless(getattr(value, name)) for name in _FIELDS[kind]]
    return kind(*replaced) if replaced else value
