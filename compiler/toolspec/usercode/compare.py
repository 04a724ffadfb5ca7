"""Comparison of a handler class with its service: methods, annotations, error codes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, Label, Subject, TextEdit, did_you_mean
from toolspec.frontend.locations import name_span
from toolspec.shared.error_categories import CATEGORIES
from toolspec.shared.spelling import nearest
from toolspec.targets.python.code import flat
from toolspec.targets.python.expressions import names_in
from toolspec.usercode import kinds
from toolspec.usercode.imports import last_name
from toolspec.usercode.signatures import is_plain, kind_of, parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool
    from toolspec.source import Span
    from toolspec.targets.python.expressions import Expression
    from toolspec.usercode.classes import AnyFunction, HandlerClass
    from toolspec.usercode.imports import Bindings
    from toolspec.usercode.required_methods import RequiredMethod, RequiredMethods


def wrong_types(
    handler_class: HandlerClass,
    function: AnyFunction,
    method: RequiredMethod,
    required: RequiredMethods,
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each annotation with a generated type of another tool or role.

    One without an input, output or chunk type of the service is left to type checkers.
    """
    owners = required.owners
    subject = Subject(required.service.name, method.tool.names.full)
    for role, stated, expected in _pairs(function, method):
        expected_names = names_in([expected])
        named = [(name, at) for name, at in _mentions(stated, handler_class) if name in owners]
        if not named or any(name in expected_names for name, _ in named):
            continue
        name, at = named[0]
        owner = owners[name]
        span = name_span(owner)
        labels = [Label(span, f"`{name}` is of `{owner.names.full}`")] if span else []
        yield kinds.TYPE.at(
            handler_class.file.span(at),
            labels=labels,
            subject=subject,
            role=role,
            method=method.name,
            found=name,
            expected=flat(expected),
        )


def _pairs(
    function: AnyFunction, method: RequiredMethod
) -> Iterator[tuple[str, ast.expr, Expression]]:
    """Yield role, annotation and expected type of each annotated parameter and result."""
    parameters = parameters_of(function).positional
    wanted = method.signature.parameters[:-1]
    for parameter, expected in zip(parameters, wanted, strict=False):
        if parameter.annotation is not None:
            yield f"`{parameter.arg}`", parameter.annotation, expected.type
    if function.returns is not None:
        yield "the result", function.returns, method.signature.returns


def _mentions(annotation: ast.expr, handler_class: HandlerClass) -> Iterator[tuple[str, ast.expr]]:
    """Yield the original names in an annotation; quoted ones are located at their quotes."""
    for node in ast.walk(annotation):
        match node:
            case ast.Name(id=name):
                yield handler_class.names.original(name), node
            case ast.Attribute(attr=name):
                yield name, node
            case ast.Constant(value=str(quoted)):
                for name in _quoted_names(quoted):
                    yield handler_class.names.original(name), node
            case _:
                pass


def _quoted_names(text: str) -> Iterator[str]:
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def unlisted_errors(
    handler_class: HandlerClass, function: AnyFunction, tool: Tool, subject: Subject
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each code that `errors` does not list; categories need not be listed."""
    listed = tuple(error.code for error in tool.errors)
    for code in _codes(function, handler_class.names):
        if code.value in (*listed, *CATEGORIES):
            continue
        where = tool.location / "errors" if tool.location and listed else tool.location
        labels = [Label(where.key_span, "its errors")] if where and listed else []
        meant = nearest(str(code.value), listed)
        yield kinds.UNLISTED_ERROR.at(
            handler_class.file.span(code),
            labels=labels,
            subject=subject,
            tool=tool.names.full,
            code=code.value,
            suggestion=f"did you mean `{meant}`? Else list" if meant else "list",
        )


def _codes(function: AnyFunction, names: Bindings) -> Iterator[ast.Constant]:
    """Yield the codes of `raise ToolError(CODE, …)` and `raise ToolError.conflict(…, code=CODE)`."""
    for node in ast.walk(function):
        match node:
            case ast.Raise(exc=ast.Call(func=called) as call):
                keywords = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
                if isinstance(called, ast.Attribute):
                    owner, arguments = called.value, keywords
                    if last_name(called) == "ToolError":  # toolspec.runtime.ToolError(…)
                        owner, arguments = called, [*call.args[:1], *keywords]
                else:
                    owner, arguments = called, [*call.args[:1], *keywords]
                if names.original(last_name(owner)) == "ToolError":
                    yield from (
                        argument
                        for argument in arguments
                        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                    )


# Least similarity of misspelt names: `revert_create` and `revert_delete` are below it.
_MIN_SIMILARITY = 0.8
# Modules of a generated package, which can be imported like its names.
_MODULES = ("client", "handlers", "schemas", "types")


def compare(
    handler_class: HandlerClass, required: RequiredMethods, package: str
) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a class; `package` is the import path of generated code."""
    yield from _unknown_names(handler_class, required, package)
    extra = list(_extra(handler_class, required))
    renamed = _renamed(extra, missing(handler_class, required))
    yield from _missing(handler_class, required, renamed.values())
    for method in required.methods:
        function = handler_class.members.get(method.name)
        if function is not None:
            yield from _check_method(handler_class, function, method, required)
            subject = _subject(required, method.tool)
            yield from unlisted_errors(handler_class, function, method.tool, subject)
    for function in extra:
        yield _extra_method(handler_class, function, required, renamed.get(function.name))


def missing(handler_class: HandlerClass, required: RequiredMethods) -> list[RequiredMethod]:
    """Return the methods that neither a class nor its bases in the same file define.

    The generated class that sends requests defines those of their tools.
    """
    return [
        method
        for method in required.methods
        if method.name not in handler_class.members
        and not (handler_class.sends_requests and method.is_handler and method.tool.http)
    ]


def to_add(handler_class: HandlerClass, required: RequiredMethods) -> list[RequiredMethod]:
    """Return the missing methods, without those present under a similar name."""
    absent = missing(handler_class, required)
    renamed = {method.name for method in _renamed(_extra(handler_class, required), absent).values()}
    return [method for method in absent if method.name not in renamed]


def _extra(handler_class: HandlerClass, required: RequiredMethods) -> Iterator[AnyFunction]:
    """Yield the public methods with a handler's parameters that no tool needs."""
    expected = {method.name for method in required.methods}
    for name, function in handler_class.members.items():
        if function is None or name in expected or name.startswith("_"):
            continue
        names = [parameter.arg for parameter in parameters_of(function).positional]
        if names[:1] == ["input"] or names[1:2] == ["ctx"]:
            yield function


def _renamed(
    extra: Iterable[AnyFunction], absent: list[RequiredMethod]
) -> dict[str, RequiredMethod]:
    """Return the missing methods that extra ones are likely misspellings of."""
    from difflib import get_close_matches

    free = {method.name: method for method in absent}
    renamed: dict[str, RequiredMethod] = {}
    for function in extra:
        for near in get_close_matches(function.name.casefold(), free, 1, _MIN_SIMILARITY):
            renamed[function.name] = free.pop(near)
    return renamed


def _missing(
    handler_class: HandlerClass, required: RequiredMethods, renamed: Iterable[RequiredMethod]
) -> Iterator[Diagnostic]:
    renamed_names = {method.name for method in renamed}
    absent = [
        method for method in missing(handler_class, required) if method.name not in renamed_names
    ]
    if absent and handler_class.unseen:
        yield _unseen(handler_class, absent, required)
        return
    kind = kinds.UNWRITTEN if handler_class.inherits_stubs else kinds.MISSING
    for method in absent:
        yield kind.at(
            handler_class.file.name_span(handler_class.node),
            f"no `{method.name}`",
            labels=_declared(method.tool),
            subject=_subject(required, method.tool),
            owner=handler_class.node.name,
            method=method.name,
            signature=method.head,
        )


def _unseen(
    handler_class: HandlerClass, absent: list[RequiredMethod], required: RequiredMethods
) -> Diagnostic:
    base = handler_class.unseen[0]
    names = ", ".join(f"`{method.name}`" for method in absent)
    count = f"{len(absent)} method" if len(absent) == 1 else f"{len(absent)} methods"
    span = handler_class.file.span(base)
    return kinds.UNSEEN_BASE.at(
        span,
        "comes from another file",
        subject=Subject(service=required.service.name),
        count=count,
        service=required.service.name,
        base=span.text,
        methods=names,
    )


def _check_method(
    handler_class: HandlerClass,
    function: AnyFunction,
    method: RequiredMethod,
    required: RequiredMethods,
) -> Iterator[Diagnostic]:
    """Yield the diagnostics of one method; nothing where a decorator may have changed it."""
    if not is_plain(function):
        return
    subject = _subject(required, method.tool)
    kind = _kind(handler_class, function, method, subject)
    if kind is not None:
        yield kind
    if not parameters_of(function).fits(len(method.arguments)):
        yield kinds.SIGNATURE.at(
            _parameters_span(handler_class, function),
            labels=_declared(method.tool),
            subject=subject,
            method=method.name,
            call=f"{method.name}({', '.join((*method.arguments, 'ctx'))})",
            signature=method.head,
        )
    elif kind is None:
        yield from wrong_types(handler_class, function, method, required)


def _kind(
    handler_class: HandlerClass, function: AnyFunction, method: RequiredMethod, subject: Subject
) -> Diagnostic | None:
    kind, full = kind_of(function), method.tool.names.full
    requirement = f"`{full}` streams and needs an async generator"
    advice = "write it as `async def` and `yield` each chunk"
    if not method.streams:
        requirement = f"`{full}` does not stream" if method.is_handler else "only handlers stream"
        advice = f"return the result from `{method.head}`"
        if method.is_handler:
            advice += ", or write `streaming: true` in its spec"
    right = {"an async generator"} if method.streams else {"a coroutine", "a plain function"}
    if kind in right:
        return None
    return kinds.KIND.at(
        handler_class.file.name_span(function),
        kind,
        labels=_declared(method.tool),
        subject=subject,
        method=method.name,
        found=kind,
        requirement=requirement,
        advice=advice,
    )


def _parameters_span(handler_class: HandlerClass, function: AnyFunction) -> Span:
    """Return the span of a function's parameters, or of its name if it has none."""
    arguments = function.args
    one = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *one]
    if not every:
        return handler_class.file.name_span(function)
    spans = [handler_class.file.span(argument) for argument in every]
    return handler_class.file.source.span(min(s.start for s in spans), max(s.end for s in spans))


def _extra_method(
    handler_class: HandlerClass,
    function: AnyFunction,
    required: RequiredMethods,
    meant: RequiredMethod | None,
) -> Diagnostic:
    span = handler_class.file.name_span(function)
    advice, fix = "remove it, or begin its name with `_`", None
    tool = meant.tool if meant else None
    if meant is not None:
        advice = f"did you mean `{meant.name}`?"
        fix = Fix(f"rename it to `{meant.name}`", (TextEdit(span, meant.name),))
    role, _, handler = function.name.partition("_")
    if tool is None and role in {"verify", "revert"}:
        tool = _tool_of(handler, required.methods)
        if tool is not None:
            advice = f"write `{role}: true` in the spec of `{tool.names.full}`, or remove it"
    return kinds.EXTRA.at(
        span,
        labels=_declared(tool) if tool else (),
        subject=_subject(required, tool) if tool else Subject(service=required.service.name),
        fix=fix,
        method=function.name,
        advice=advice,
    )


def _tool_of(handler: str, methods: Iterable[RequiredMethod]) -> Tool | None:
    return next(
        (method.tool for method in methods if method.name == handler and method.is_handler), None
    )


def _unknown_names(
    handler_class: HandlerClass, required: RequiredMethods, package: str
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each import of an unknown name from the generated package."""
    module = required.service.names.module
    last = package.rpartition(".")[2]
    known_names: Mapping[str, None] = dict.fromkeys((*required.exported, *_MODULES))
    for imported in handler_class.names.imported:
        is_ours = (
            imported.is_of(module) and f".{last}.{module}" in f".{imported.module.lstrip('.')}"
        )
        if is_ours and imported.name not in known_names and imported.name != "*":
            hint = did_you_mean(imported.name, sorted(known_names))
            yield kinds.UNKNOWN_NAME.at(
                handler_class.file.span(imported.node),
                subject=Subject(service=required.service.name),
                package=imported.module,
                name=imported.name,
                suggestion=hint,
            )


def _declared(tool: Tool) -> tuple[Label, ...]:
    span = name_span(tool)
    return (Label(span, f"compiled as `{tool.names.full}`"),) if span else ()


def _subject(required: RequiredMethods, tool: Tool) -> Subject:
    pointer = tool.location.pointer if tool.location else ""
    return Subject(required.service.name, tool.names.full, pointer)
