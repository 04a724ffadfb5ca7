"""Fast check that handlers and hooks match a service; `required_methods` explains a mismatch.

A registry checks a thousand handlers at start, most of which match their stubs exactly.
"""

from __future__ import annotations

from toolspec.runtime.service import as_mapping, member

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.required_methods import RequiredMethods

_HANDLER = ("input",)
_VERIFY = ("input", "output")
_REVERT = ("input", "output", "metadata")
"""Arguments before `ctx`."""

_GENERATOR = 0x20
_COROUTINE = 0x80
_ASYNC_GENERATOR = 0x200
_KINDS = _GENERATOR | _COROUTINE | _ASYNC_GENERATOR
_Code = type((lambda: None).__code__)


def handler_problems(service: ServiceDefinition, handlers: object) -> list[str]:
    """Return the problems of a service's handlers.

    Missing methods, wrong kinds and wrong signatures, in the order of the tools; then functions
    that nothing calls: every function of a mapping, and every public function of a class or module
    that looks like a handler (its first parameter is `input`, or the second is `ctx`). Other public
    functions are ignored.
    """
    if isinstance(handlers, type):
        from toolspec.runtime.required_methods import is_class

        return [is_class(handlers)]
    required = _required_methods(service)
    unwritten = _declared_only(handlers)
    methods = {name: member(handlers, name) for name in required if name not in unwritten}
    doubtful = {
        name: methods.get(name)
        for name, (tool, purpose, arguments) in required.items()
        if not _is_as_stub(methods.get(name), len(arguments), tool.streaming and not purpose)
    }
    others = _others(required, handlers)
    if not doubtful and not others:
        return []
    from toolspec.runtime.required_methods import handler_misfits

    return handler_misfits(handlers, required, doubtful, others)


def hook_problems(service: ServiceDefinition, hooks: object) -> list[str]:
    """Return the hooks that are missing, not coroutines, or have the wrong signature."""
    tools = service.tools
    if not any(one.before or one.middleware or one.after or one.after_response for one in tools):
        return []
    from toolspec.runtime.required_methods import hook_misfits

    return hook_misfits(tools, hooks, _declared_only(hooks))


def _required_methods(service: ServiceDefinition) -> RequiredMethods:
    """Return the methods that the tools require."""
    required: RequiredMethods = {}
    for tool in service.tools:
        required[tool.method] = (tool, "", _HANDLER)
        if tool.verify:
            required[f"verify_{tool.method}"] = (tool, "verify", _VERIFY)
        if tool.revert:
            required[f"revert_{tool.method}"] = (tool, "revert", _REVERT)
    return required


def _is_as_stub(function: AnyCallable | None, arguments: int, streams: bool) -> bool:
    """Return whether a function has the stub's kind, or is plain, and the stub's arguments."""
    code = getattr(function, "__code__", None)
    if type(code) is not _Code or hasattr(function, "__wrapped__"):
        return False
    kinds = (_ASYNC_GENERATOR,) if streams else (_COROUTINE, 0)
    count = code.co_argcount
    return (
        code.co_flags & _KINDS in kinds
        and count == hasattr(function, "__func__") + arguments + 1
        and code.co_varnames[count - 1] == "ctx"
        and not code.co_kwonlyargcount
    )


def _declared_only(handlers: object) -> set[str]:
    """Return methods that a class only inherits from its Protocol, without an implementation."""
    names: set[str] = set()
    for cls in reversed(type(handlers).__mro__):
        if vars(cls).get("_is_protocol", False):
            names.update(vars(cls))
        else:
            names.difference_update(vars(cls))
    return names


def _others(required: RequiredMethods, handlers: object) -> list[str]:
    """Return the names of members besides the required methods."""
    functions = as_mapping(handlers)
    if functions is not None:
        return [str(name) for name in functions if name not in required]
    return [name for name in dir(handlers) if name not in required and not name.startswith("_")]
