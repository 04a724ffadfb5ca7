"""The last look at generated code: its structure must not depend on any text of a spec."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeVar

from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.render import render

if TYPE_CHECKING:
    from toolspec.targets.python.model import Module

T = TypeVar("T")

HARMLESS = "x"
_FIELDS: dict[type, tuple[str, ...]] = {}


def is_safe(module: Module, text: str) -> bool:
    """Whether a module's text is Python of the shape that the module has with harmless texts."""
    try:
        found = ast.parse(text)
        wanted = ast.parse(render(harmless(module)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return same_shape(found, wanted)


def harmless(value: T) -> T:
    """Return the model with every text in it replaced; an empty text stays empty.

    Works on any value made of dataclasses and tuples: whatever is a `str` and no `Identifier` is
    taken for a spec's text, so that no kind of node can be forgotten here.
    """
    if not value or isinstance(value, Identifier):
        return value
    if isinstance(value, str):
        return HARMLESS  # type: ignore[return-value]  # T is str here
    if isinstance(value, tuple):
        return tuple([harmless(each) for each in value])  # type: ignore[return-value]  # T is a tuple
    kind: type[T] = type(value)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    replaced = [harmless(getattr(value, name)) for name in _FIELDS[kind]]
    return kind(*replaced) if replaced else value


def same_shape(left: ast.AST, right: ast.AST) -> bool:
    """Whether two trees are equal but for the texts of their string constants."""
    pending: list[tuple[object, object]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        kind = type(one)
        if kind is not type(other):
            return False
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            if type(getattr(other, "value", None)) is not str:
                return False
        elif isinstance(one, ast.AST):
            # Whether a name is read or written follows from where it stands.
            pending += [(getattr(one, f), getattr(other, f)) for f in one._fields if f != "ctx"]
        elif one != other:
            return False
    return True
