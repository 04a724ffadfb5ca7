"""Handlers module of a service (`handlers.py`): the Protocol of its handlers, stubs, hooks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.targets.python.expressions import NONE, OBJECT, name, subscript, union
from toolspec.targets.python.hooks import hook_uses
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import FUTURE, for_checkers, from_import
from toolspec.targets.python.model import (
    UNWRITTEN,
    Call,
    Class,
    Const,
    Function,
    Module,
    Parameter,
    Raise,
    Yield,
)
from toolspec.targets.python.signatures import SELF, needed
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from toolspec.ir import Service, Tool
    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.signatures import Signatures

PROTOCOL = Identifier("Protocol")
_CALL = Parameter(Identifier("call"), name("Call"))

_HANDLERS_DOC = """Handlers for the {} service.

A method may also be a plain `def`, which runs in a thread, unless it streams."""
_SECOND_DOC = """

Methods that verify and revert run outside of middleware."""
_HOOKS_DOC = "Hooks of the {} service."
_STREAMED_DOC = """

The middleware of a tool that streams gets the handler's iterator at once, before there
is a chunk: to see the chunks, it returns a generator that wraps it. `after` gets the
whole in the end, and changes nothing of what was sent."""
# For each hook role: its parameters besides the call, its return type, its documentation.
_ROLES: dict[str, tuple[tuple[Parameter, ...], Expression, str]] = {
    "before": ((), NONE, "Runs before the handler: raise to stop the call."),
    "middleware": (
        (Parameter(Identifier("next"), name("Next")),),
        OBJECT,
        "Runs around the handler: return the result of `await next()`, or another one.",
    ),
    "after": (
        (Parameter(Identifier("result"), OBJECT),),
        OBJECT,
        "Runs after the handler: return a replacement for the result, or None.",
    ),
    "afterResponse": (
        (Parameter(Identifier("outcome"), name("Outcome")),),
        NONE,
        "Runs when the call is over, however it ended, and can change nothing any more.",
    ),
}


def handlers_module(signatures: Signatures) -> Module:
    """Return the handlers module; a hook used in two roles gets the first, and is reported."""
    service = signatures.service
    handlers = tuple(signatures.handlers())
    methods = tuple(function for _, function in handlers)
    written = tuple(map(_awaited_or_not, methods))
    hooks = _hooks(service)
    checked = tuple(for_checkers(needed((*written, *hooks), signatures.types)))
    body: list[Statement] = [FUTURE]
    body.append(from_import("typing", *(["TYPE_CHECKING"] if checked else []), "Protocol"))
    if methods:
        body.append(from_import("toolspec.runtime", "not_implemented"))
    body.extend(checked)
    second = _SECOND_DOC if hooks and len(methods) > len(service.tools) else ""
    body.append(_class(signatures, "Handlers", PROTOCOL, _HANDLERS_DOC + second, written))
    if hooks:
        streams = any(tool.streaming for tool in service.tools)
        told = _HOOKS_DOC + (_STREAMED_DOC if streams else "")
        body.append(_class(signatures, "Hooks", PROTOCOL, told, hooks))
    stubs = tuple(_stub(tool, function) for tool, function in handlers)
    text = "Stubs for the handlers of the {} service: inherit and override them one by one."
    body.append(_class(signatures, "Stubs", None, text, stubs))
    return Module(f"Handlers of the service {service.name}.", tuple(body))


def _class(
    signatures: Signatures,
    suffix: str,
    base: Identifier | None,
    doc: str,
    methods: tuple[Function, ...],
) -> Class:
    declared = Identifier(f"{signatures.stem}{suffix}")
    return Class(declared, (base,) if base else (), doc.format(signatures.service.name), methods)


def _hooks(service: Service) -> tuple[Function, ...]:
    """Return a method for each hook, in the role in which it is used first."""
    found: dict[str, Function] = {}
    for role, hook in hook_uses(service):
        if hook not in found:
            parameters, returns, doc = _ROLES[role]
            found[hook] = Function(
                Identifier(hook),
                (SELF, _CALL, *parameters),
                returns,
                documentation(doc, depth=2),
                UNWRITTEN,
                is_async=True,
            )
    return tuple(found.values())


def _awaited_or_not(method: Function) -> Function:
    """Return a method that may be a plain `def` or a coroutine; generators are unchanged."""
    if not method.is_async:
        return method
    returns = union((subscript("Awaitable", method.returns), method.returns))
    return replace(method, returns=returns, is_async=False)


def _stub(tool: Tool, method: Function) -> Function:
    """Return a method that raises; a generator stays one, so that a generator can override it."""
    refusal = Raise(Call(name("not_implemented"), (Const(tool.names.full),)))
    if method.is_async:
        return replace(_awaited_or_not(method), doc="", body=(refusal,))
    return replace(method, doc="", body=(Yield(), refusal), is_async=True)
