"""Explanations of handlers and hooks that do not match; imported only where one may not."""

from __future__ import annotations

from collections.abc import Sequence

from toolspec.runtime.callables import kind_of, parameters_of, takes, takes_with_context
from toolspec.runtime.names import exact_name
from toolspec.runtime.service import as_mapping, member

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from toolspec.runtime.callables import AnyCallable, Kind
    from toolspec.runtime.definition import ToolDefinition

    _Names: TypeAlias = tuple[str, ...]
    RequiredMethods: TypeAlias = dict[str, tuple[ToolDefinition, str, _Names]]
    """Required methods by name: tool, purpose (`verify`, `revert` or empty), and arguments."""

_PAIR = 2
_NEAR = 0.8
"""Minimum similarity of names: `revert_create` and `revert_delete` are below it."""


class RequiredMethod:
    """A method that a tool requires: its handler, `verify` or `revert`."""

    __slots__ = ("arguments", "name", "of_object", "purpose", "streams", "tool")

    def __init__(self, name: str, required: RequiredMethods, of_object: bool) -> None:
        tool, self.purpose, self.arguments = required[name]
        self.name = name
        self.tool = exact_name(tool)
        self.streams = tool.streaming and not self.purpose
        self.of_object = of_object

    @property
    def signature(self) -> str:
        """The `def` line to write."""
        first = ("self",) if self.of_object else ()
        return f"async def {self.name}({', '.join((*first, *self.arguments, 'ctx'))})"


def handler_misfits(
    handlers: object,
    required: RequiredMethods,
    doubtful: Mapping[str, AnyCallable | None],
    others: Iterable[str],
) -> list[str]:
    """Return the problems of doubtful required methods and of other members."""
    of_object = as_mapping(handlers) is None and not _is_module(handlers)
    extra = [name for name in others if _is_extra(handlers, name)]
    missing: list[str] = []
    problems: list[str] = []
    for name, function in doubtful.items():
        need = RequiredMethod(name, required, of_object)
        if function is None:
            missing.append(name)
            problems.append(_missing(need, extra))
        else:
            problems += _misfits(need, function)
    return problems + [_extra(name, required, missing) for name in extra]


def hook_misfits(tools: Iterable[ToolDefinition], hooks: object, unwritten: set[str]) -> list[str]:
    """Return the problems of hooks that tools name; `unwritten` are only declared."""
    uses = {use[0]: use[1:] for tool in tools for use in _hook_uses(tool)}
    problems = []
    for name, (kind, arguments) in uses.items():
        hook = None if name in unwritten else member(hooks, name)
        first = () if as_mapping(hooks) is not None else ("self",)
        head = f"`async def {name}({', '.join((*first, *arguments))})`"
        if hook is None:
            problems.append(
                f"no {kind} hook `{name}`: write {head} in the hooks, or in the handlers that you serve"
            )
        elif not _is_hook(hook, kind, len(arguments)):
            problems.append(f"the {kind} hook `{name}` is not {head}")
    if problems and isinstance(hooks, type):
        return [is_class(hooks)]
    return problems


_HOOK_ARGUMENTS = {
    "before": ("call",),
    "middleware": ("call", "next"),
    "after": ("call", "result"),
    "afterResponse": ("call", "outcome"),
    "on_error": ("failure",),
}


def global_hook_misfits(hooks: Mapping[str, object]) -> list[str]:
    """Return the problems of hooks around every tool, given as sequences by kind."""
    problems = []
    for kind, functions in hooks.items():
        arguments = _HOOK_ARGUMENTS[kind]
        form = f"`async def …({', '.join(arguments)})`"
        if not isinstance(functions, Sequence):
            problems.append(f"the {kind} hooks are {functions!r}: pass a list of {form}")
            continue
        problems += [
            f"the {kind} hook {hook!r} is not {form}"
            for hook in functions
            if not (callable(hook) and _is_hook(hook, kind, len(arguments)))
        ]
    return problems


def _is_hook(hook: AnyCallable, kind: str, arguments: int) -> bool:
    """Return whether a function can be a hook; a plain one only after the response."""
    kinds = ("coroutine", "plain") if kind == "afterResponse" else ("coroutine",)
    return kind_of(hook) in kinds and takes(parameters_of(hook), arguments)


def is_class(cls: type) -> str:
    """Return the message for a class passed in place of an instance."""
    return f"`{cls.__name__}` is a class: pass an instance, `{cls.__name__}(…)`"


def _hook_uses(tool: ToolDefinition) -> Iterator[tuple[str, str, _Names]]:
    """Yield each hook of a tool with its kind and arguments."""
    named = {
        "before": tool.before,
        "middleware": tool.middleware,
        "after": tool.after,
        "afterResponse": tool.after_response,
    }
    for kind, names in named.items():
        for name in names:
            yield name, kind, _HOOK_ARGUMENTS[kind]


def _missing(need: RequiredMethod, extra: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(need.name, extra, 1, _NEAR)
    instead = f", or rename `{near[0]}`" if near else ""
    if need.purpose:
        what = f"`{need.tool}` declares `{need.purpose}`"
        return f"{what} and has no `{need.name}`: write `{need.signature}`{instead}"
    body = " with `yield`" if need.streams else ""
    return f"no handler for `{need.tool}`: write `{need.signature}`{body}{instead}"


def _misfits(need: RequiredMethod, function: AnyCallable) -> list[str]:
    kind = kind_of(function)
    problem = _wrong_kind(need, kind)
    if problem:
        return [f"`{need.name}` {problem}"]
    if takes_with_context(parameters_of(function), len(need.arguments)):
        return []
    call = f"{need.name}({', '.join(need.arguments)}, ctx)"
    return [f"`{need.name}` cannot be called as `{call}`: write `{need.signature}`"]


def _wrong_kind(need: RequiredMethod, kind: Kind) -> str:
    if need.streams and kind == "coroutine":
        return f"returns its result, but `{need.tool}` streams: write `yield` in it"
    if need.streams and kind != "stream":
        return f"is not an async generator, but `{need.tool}` streams: write `{need.signature}` with `yield`"
    if not need.streams and kind in ("stream", "generator"):
        return (
            f"yields, but `{need.tool}` does not stream: return the result from `{need.signature}`"
        )
    return ""


def _is_module(handlers: object) -> bool:
    return getattr(handlers, "__spec__", None) is not None


def _is_extra(handlers: object, name: str) -> bool:
    return as_mapping(handlers) is not None or _written_like_a_handler(handlers, name)


def _written_like_a_handler(handlers: object, name: str) -> bool:
    on_class = getattr(type(handlers), name, None)
    if on_class is not None and not callable(on_class):
        return False  # reading a property would run it
    function = member(handlers, name)
    if function is None or isinstance(function, type):
        return False
    if _is_module(handlers) and function.__module__ != getattr(handlers, "__name__", ""):
        return False  # imported from elsewhere
    names = parameters_of(function).positional
    return names[:1] == ("input",) or names[1:_PAIR] == ("ctx",)


def _extra(name: str, required: RequiredMethods, missing: list[str]) -> str:
    import difflib

    for prefix in ("verify_", "revert_"):
        handler = required.get(name.removeprefix(prefix))
        if name.startswith(prefix) and handler is not None:
            option = prefix[:-1]
            return f"`{name}`: `{handler[0].full_name}` does not declare `{option}`: write `{option}: true` in its spec, or remove it"
    near = difflib.get_close_matches(name, missing, 1, _NEAR)
    if near:
        return f"`{name}` belongs to no tool: rename it to `{near[0]}`, or remove it"
    return f"`{name}` belongs to no tool: remove it, or begin its name with `_`"
