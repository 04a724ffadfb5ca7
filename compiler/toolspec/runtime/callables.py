"""Classification of callables: coroutine, generator or plain, and their parameters.

Reads code objects, because a registry inspects a thousand handlers at start; `inspect` is imported
only for callables other than plain functions and methods.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    AnyCallable: TypeAlias = Callable[..., Any]  # users' functions, inspected before they are typed
    Kind: TypeAlias = Literal["coroutine", "stream", "generator", "plain"]
    _Names: TypeAlias = tuple[str, ...]

_VARARGS = 0x04
_GENERATOR = 0x20
_COROUTINE = 0x80
_ASYNC_GENERATOR = 0x200
_Code = type((lambda: None).__code__)


class Parameters:
    """Parameters of a callable: positional names, the number required, and keyword-only names."""

    __slots__ = ("any_number", "keyword_only", "needed", "needed_keywords", "positional")

    def __init__(
        self,
        positional: _Names,
        needed: int,
        any_number: bool = False,
        keyword_only: _Names = (),
        needed_keywords: _Names = (),
    ) -> None:
        self.positional = positional
        self.needed = needed
        self.any_number = any_number
        self.keyword_only = keyword_only
        self.needed_keywords = needed_keywords


def kind_of(function: AnyCallable) -> Kind:
    """Return the kind of a callable; a decorated function has the kind of the wrapped one."""
    current: object = function
    visited: set[int] = set()
    while current is not None and id(current) not in visited:
        flags = _flags(current)
        if flags & _COROUTINE:
            return "coroutine"
        if flags & _ASYNC_GENERATOR:
            return "stream"
        if flags & _GENERATOR:
            return "generator"
        visited.add(id(current))
        current = _wrapped(current)
    return "plain"


def _flags(function: object) -> int:
    code = getattr(function, "__code__", None)
    if code is None:
        code = getattr(type(function).__call__, "__code__", None)  # a callable object
    flags = getattr(code, "co_flags", 0)
    return flags if isinstance(flags, int) else 0  # a mock may return any type


def _wrapped(function: object) -> object:
    """Return the function wrapped by a decorator or partial, or None.

    Reads only attributes that exist in the instance's dict: a mock invents any other without end.
    """
    if hasattr(type(function), "func"):
        from functools import partial

        if isinstance(function, partial):
            return function.func
    plain = getattr(function, "__func__", function)
    own = getattr(plain, "__dict__", None)
    return own.get("__wrapped__") if isinstance(own, dict) else None


def parameters_of(function: AnyCallable) -> Parameters:
    """Return the parameters of a callable, without a bound `self`."""
    bound = hasattr(function, "__func__")
    plain = getattr(function, "__func__", function)
    code = getattr(plain, "__code__", None)
    if type(code) is not _Code or _wrapped(plain) is not None:
        return _inspected(function)
    count = code.co_argcount
    names = code.co_varnames
    first = 1 if bound else 0
    positional = names[first:count]
    needed = max(0, count - len(plain.__defaults__ or ()) - first)
    any_number = bool(code.co_flags & _VARARGS)
    keyword_only = names[count : count + code.co_kwonlyargcount]
    if not keyword_only:
        return Parameters(positional, needed, any_number)
    defaults = plain.__kwdefaults__ or ()
    needed_keywords = tuple(name for name in keyword_only if name not in defaults)
    return Parameters(positional, needed, any_number, keyword_only, needed_keywords)


def _inspected(function: AnyCallable) -> Parameters:
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        # A callable without a signature (a built-in, a mock of one) counts as taking no arguments.
        return Parameters(positional=(), needed=0)
    positional = [
        one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    keywords = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
    return Parameters(
        positional=tuple(one.name for one in positional),
        needed=sum(one.default is one.empty for one in positional),
        any_number=any(one.kind is one.VAR_POSITIONAL for one in parameters),
        keyword_only=tuple(one.name for one in keywords),
        needed_keywords=tuple(one.name for one in keywords if one.default is one.empty),
    )


def context_place(parameters: Parameters, before: int) -> Literal["positional", "keyword", ""]:
    """Return how a callable takes `ctx` after `before` other arguments, or "" if it does not.

    An extra parameter with a default counts only if it is named `ctx`.
    """
    names = parameters.positional
    if len(names) > before:
        named = names[before] == "ctx"
        return "positional" if named or parameters.needed > before else ""
    if parameters.any_number:
        return "positional"
    return "keyword" if "ctx" in parameters.keyword_only else ""


def takes(parameters: Parameters, count: int) -> bool:
    """Return whether a callable accepts `count` positional arguments."""
    room = parameters.any_number or len(parameters.positional) >= count
    return parameters.needed <= count and room and not parameters.needed_keywords


def takes_with_context(parameters: Parameters, before: int) -> bool:
    """Return whether a callable accepts `before` arguments and optionally `ctx`."""
    match context_place(parameters, before):
        case "positional":
            return takes(parameters, before + 1)
        case "keyword":
            room = len(parameters.positional) >= before >= parameters.needed
            return room and set(parameters.needed_keywords) <= {"ctx"}
        case _:
            return takes(parameters, before)
