"""Another gate: lays a module out with harmless texts, parses that too, and compares the trees."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from typing import Any

from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.model import Module
from toolspec.targets.python.render import render

HARMLESS = "x"


def is_shaped_as_with_harmless_texts(module: Module, text: str) -> bool:
    """Whether a module's text is Python of the shape that the module has with harmless texts."""
    try:
        return same_shape(ast.parse(text), ast.parse(render(harmless(module))))
    except (SyntaxError, ValueError):
        return False


def harmless(value: Any) -> Any:
    """Return the model with every text replaced that is no name; an empty one stays empty."""
    if isinstance(value, tuple):
        return tuple(harmless(each) for each in value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(*(harmless(getattr(value, each.name)) for each in fields(value)))
    is_text = isinstance(value, str) and not isinstance(value, Identifier)
    return HARMLESS if is_text and value else value


def same_shape(left: Any, right: Any) -> bool:
    """Whether two trees are equal but for the texts of their string constants."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same_shape, left, right))
    if isinstance(left, ast.Constant) and isinstance(left.value, str):
        return type(right.value) is str
    if isinstance(left, ast.AST):
        return all(same_shape(getattr(left, f), getattr(right, f)) for f in left._fields)
    return bool(left == right)
