"""What a written method is, by its syntax: its kind, and what it can be called with.

The rules are those by which a service is bound when the program starts (`runtime/fitting.py`).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.handlers.imports import last_name

if TYPE_CHECKING:
    from toolspec.handlers.classes import AnyFunction

# Decorators that leave a function what it is; whatever another one makes of it can't be told.
_HARMLESS = frozenset({"final", "override", "staticmethod", "classmethod"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a method takes, `self` left out."""

    positional: tuple[ast.arg, ...]
    needed: int
    any_number: bool
    keywords: tuple[str, ...]
    needed_keywords: tuple[str, ...]

    def fits(self, count: int) -> bool:
        """Whether it can be called with `count` arguments and perhaps the context."""
        names = [each.arg for each in self.positional]
        if len(names) > count:
            with_context = names[count] == "ctx" or self.needed > count
            return self._takes(count + 1 if with_context else count)
        if self.any_number:
            return self._takes(count + 1)
        if "ctx" in self.keywords:
            return len(names) >= count >= self.needed and set(self.needed_keywords) <= {"ctx"}
        return self._takes(count)

    def _takes(self, count: int) -> bool:
        room = self.any_number or len(self.positional) >= count
        return self.needed <= count and room and not self.needed_keywords


def is_plain(function: AnyFunction) -> bool:
    """Whether no decorator can have made something else of a function."""
    return all(last_name(each) in _HARMLESS for each in function.decorator_list)


def kind_of(function: AnyFunction) -> str:
    """Return what a function is, in words; an async generator is what streams."""
    if isinstance(function, ast.AsyncFunctionDef):
        return "an async generator" if yields(function) else "a coroutine"
    return "a generator" if yields(function) else "a plain function"


def yields(function: AnyFunction) -> bool:
    """Whether `yield` stands in a function itself, and not in one inside it."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))
    return False


def parameters_of(function: AnyFunction) -> Parameters:
    """Return what a method takes when it is called on an object."""
    arguments = function.args
    positional = (*arguments.posonlyargs, *arguments.args)
    is_bound = not any(last_name(each) == "staticmethod" for each in function.decorator_list)
    first = min(len(positional), int(is_bound))
    keywords = [each.arg for each in arguments.kwonlyargs]
    needed = [
        each.arg
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return Parameters(
        positional[first:],
        max(0, len(positional) - len(arguments.defaults) - first),
        arguments.vararg is not None,
        tuple(keywords),
        tuple(needed),
    )
