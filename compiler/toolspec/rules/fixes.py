"""Fixes of a rule, found in its source code."""

from __future__ import annotations

import ast
import inspect
import sys
from types import FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from toolspec.rules.rule import Rule


def fixes(rule: Rule) -> tuple[tuple[str, bool], ...]:
    """Return the titles of the fixes in a rule's code, and whether each is safe.

    They are read from the calls of `fix` in its module and in the shared functions that it imports;
    `…` replaces computed parts of a title.
    """
    module = sys.modules[rule.check.__module__]
    shared = (var for var in vars(module).values() if _is_shared(var, module))
    trees = (ast.parse(inspect.getsource(part)) for part in (module, *shared))
    calls = (node for tree in trees for node in ast.walk(tree) if _is_fix(node))
    titles = (
        (_title(call.args[0]), any(_says_safe(word) for word in call.keywords))
        for call in calls
        if isinstance(call, ast.Call) and call.args
    )
    return tuple(dict.fromkeys(titles))


def _is_shared(value: object, module: ModuleType) -> bool:
    return (
        isinstance(value, FunctionType)
        and value.__module__.startswith("toolspec.rules.")
        and value.__module__ != module.__name__
    )


def _is_fix(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="fix") | ast.Attribute(attr="fix")):
            return True
    return False


def _title(node: ast.expr) -> str:
    return "".join(_pieces(node)) or "…"


def _pieces(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from _pieces(part)
        case ast.FormattedValue():
            yield "…"


def _says_safe(word: ast.keyword) -> bool:
    match word:
        case ast.keyword(arg="safe", value=ast.Constant(value=True)):
            return True
    return False
