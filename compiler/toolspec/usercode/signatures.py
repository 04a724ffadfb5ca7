"""Signatures of methods as written: the kind of function, and the calls that it accepts.

The rules are those for binding a service when the program starts (`runtime/signature_check.py`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.usercode.imports import last_name

if TYPE_CHECKING:
    from toolspec.usercode.classes import AnyFunction

# Decorators that do not change a function's kind or signature; others may do anything.
_HARMLESS = frozenset({"final", "override", "staticmethod", "classmethod"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of a method, without `self`."""

    positional: tuple[ast.arg, ...]
    needed: int
    any_number: bool
    keywords: tuple[str, ...]
    needed_keywords: tuple[str, ...]

    def fits(self, count: int) -> bool:
        """Return whether a call with `count` arguments, and optionally the context, is valid."""
        names = [parameter.arg for parameter in self.positional]
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
    """Return whether a function has only decorators that do not change it."""
    return all(last_name(decorator) in _HARMLESS for decorator in function.decorator_list)


def kind_of(function: AnyFunction) -> str:
    """Return the kind of a function in words; a tool that streams needs an async generator."""
    if isinstance(function, ast.AsyncFunctionDef):
        return "an async generator" if yields(function) else "a coroutine"
    return "a generator" if yields(function) else "a plain function"


def yields(function: AnyFunction) -> bool:
    """Return whether a function contains `yield`, not counting nested functions."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))
    return False


def parameters_of(function: AnyFunction) -> Parameters:
    """Return the parameters of a method, as called on an object."""
    arguments = function.args
    positional = (*arguments.posonlyargs, *arguments.args)
    is_bound = not any(
        last_name(decorator) == "staticmethod" for decorator in function.decorator_list
    )
    first = min(len(positional), int(is_bound))
    keywords = [argument.arg for argument in arguments.kwonlyargs]
    needed = [
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return Parameters(
        positional[first:],
        max(0, len(positional) - len(arguments.defaults) - first),
        arguments.vararg is not None,
        tuple(keywords),
        tuple(needed),
    )
