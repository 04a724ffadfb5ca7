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
from toolspec.usercode.shape import is_plain, kind_of, parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool
    from toolspec.source import Span
    from toolspec.targets.python.expressions import Expression
    from toolspec.usercode.classes import AnyFunction, HandlerClass
    from toolspec.usercode.imports import Bindings
    from toolspec.usercode.needs import Need, Needs


def wrong_types(
    written: HandlerClass, function: AnyFunction, need: Need, needs: Needs
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each annotation with a generated type of another tool or role.

    One without an input, output or chunk type of the service is left to type checkers.
    """
    owners = needs.owners
    subject = Subject(needs.service.name, need.tool.names.full)
    for role, stated, expected in _pairs(function, need):
        expected_names = names_in([expected])
        named = [(name, at) for name, at in _mentions(stated, written) if name in owners]
        if not named or any(name in expected_names for name, _ in named):
            continue
        name, at = named[0]
        owner = owners[name]
        span = name_span(owner)
        labels = [Label(span, f"`{name}` is of `{owner.names.full}`")] if span else []
        yield kinds.TYPE.at(
            written.file.span(at),
            labels=labels,
            subject=subject,
            role=role,
            method=need.name,
            found=name,
            expected=flat(expected),
        )


def _pairs(function: AnyFunction, need: Need) -> Iterator[tuple[str, ast.expr, Expression]]:
    """Yield role, annotation and expected type of each annotated parameter and result."""
    parameters = parameters_of(function).positional
    wanted = need.signature.parameters[:-1]
    for parameter, expected in zip(parameters, wanted, strict=False):
        if parameter.annotation is not None:
            yield f"`{parameter.arg}`", parameter.annotation, expected.type
    if function.returns is not None:
        yield "the result", function.returns, need.signature.returns


def _mentions(annotation: ast.expr, written: HandlerClass) -> Iterator[tuple[str, ast.expr]]:
    """Yield the original names in an annotation; quoted ones are located at their quotes."""
    for node in ast.walk(annotation):
        match node:
            case ast.Name(id=name):
                yield written.names.original(name), node
            case ast.Attribute(attr=name):
                yield name, node
            case ast.Constant(value=str(quoted)):
                for name in _quoted_names(quoted):
                    yield written.names.original(name), node
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
    written: HandlerClass, function: AnyFunction, tool: Tool, subject: Subject
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each code that `errors` does not list; categories need not be listed."""
    listed = tuple(error.code for error in tool.errors)
    for code in _codes(function, written.names):
        if code.value in (*listed, *CATEGORIES):
            continue
        where = tool.location / "errors" if tool.location and listed else tool.location
        labels = [Label(where.key_span, "its errors")] if where and listed else []
        meant = nearest(str(code.value), listed)
        yield kinds.UNLISTED_ERROR.at(
            written.file.span(code),
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
                keywords = [each.value for each in call.keywords if each.arg == "code"]
                if isinstance(called, ast.Attribute):
                    owner, arguments = called.value, keywords
                    if last_name(called) == "ToolError":  # toolspec.runtime.ToolError(…)
                        owner, arguments = called, [*call.args[:1], *keywords]
                else:
                    owner, arguments = called, [*call.args[:1], *keywords]
                if names.original(last_name(owner)) == "ToolError":
                    yield from (
                        each
                        for each in arguments
                        if isinstance(each, ast.Constant) and isinstance(each.value, str)
                    )


# Least similarity of misspelt names: `revert_create` and `revert_delete` are below it.
_NEAR = 0.8
# Modules of a generated package, which can be imported like its names.
_MODULES = ("client", "handlers", "schemas", "types")


def compare(written: HandlerClass, needs: Needs, package: str) -> Iterator[Diagnostic]:
    """Yield the diagnostics of a class; `package` is the import path of generated code."""
    yield from _unknown_names(written, needs, package)
    extra = list(_extra(written, needs))
    renamed = _renamed(extra, missing(written, needs))
    yield from _missing(written, needs, renamed.values())
    for need in needs.methods:
        function = written.members.get(need.name)
        if function is not None:
            yield from _misfits(written, function, need, needs)
            subject = _subject(needs, need.tool)
            yield from unlisted_errors(written, function, need.tool, subject)
    for function in extra:
        yield _extra_finding(written, function, needs, renamed.get(function.name))


def missing(written: HandlerClass, needs: Needs) -> list[Need]:
    """Return the methods that neither a class nor its bases in the same file define."""
    return [need for need in needs.methods if need.name not in written.members]


def to_add(written: HandlerClass, needs: Needs) -> list[Need]:
    """Return the missing methods, without those present under a similar name."""
    absent = missing(written, needs)
    renamed = {need.name for need in _renamed(_extra(written, needs), absent).values()}
    return [need for need in absent if need.name not in renamed]


def _extra(written: HandlerClass, needs: Needs) -> Iterator[AnyFunction]:
    """Yield the public methods with a handler's parameters that no tool needs."""
    required = {need.name for need in needs.methods}
    for name, function in written.members.items():
        if function is None or name in required or name.startswith("_"):
            continue
        names = [each.arg for each in parameters_of(function).positional]
        if names[:1] == ["input"] or names[1:2] == ["ctx"]:
            yield function


def _renamed(extra: Iterable[AnyFunction], absent: list[Need]) -> dict[str, Need]:
    """Return the missing methods that extra ones are likely misspellings of."""
    from difflib import get_close_matches

    free = {need.name: need for need in absent}
    renamed: dict[str, Need] = {}
    for function in extra:
        for near in get_close_matches(function.name.casefold(), free, 1, _NEAR):
            renamed[function.name] = free.pop(near)
    return renamed


def _missing(written: HandlerClass, needs: Needs, renamed: Iterable[Need]) -> Iterator[Diagnostic]:
    there = {need.name for need in renamed}
    absent = [need for need in missing(written, needs) if need.name not in there]
    if absent and written.unseen:
        yield _unseen(written, absent, needs)
        return
    kind = kinds.UNWRITTEN if written.inherits_stubs else kinds.MISSING
    for need in absent:
        yield kind.at(
            written.file.name_span(written.node),
            f"no `{need.name}`",
            labels=_declared(need.tool),
            subject=_subject(needs, need.tool),
            owner=written.node.name,
            method=need.name,
            signature=need.head,
        )


def _unseen(written: HandlerClass, absent: list[Need], needs: Needs) -> Diagnostic:
    base = written.unseen[0]
    names = ", ".join(f"`{need.name}`" for need in absent)
    count = f"{len(absent)} method" if len(absent) == 1 else f"{len(absent)} methods"
    span = written.file.span(base)
    return kinds.UNSEEN_BASE.at(
        span,
        "comes from another file",
        subject=Subject(service=needs.service.name),
        count=count,
        service=needs.service.name,
        base=span.text,
        methods=f"not here are {names}",
    )


def _misfits(
    written: HandlerClass, function: AnyFunction, need: Need, needs: Needs
) -> Iterator[Diagnostic]:
    """Yield the diagnostics of one method; nothing where a decorator may have changed it."""
    if not is_plain(function):
        return
    subject = _subject(needs, need.tool)
    kind = _kind(written, function, need, subject)
    if kind is not None:
        yield kind
    if not parameters_of(function).fits(len(need.arguments)):
        yield kinds.SIGNATURE.at(
            _parameters_span(written, function),
            labels=_declared(need.tool),
            subject=subject,
            method=need.name,
            call=f"{need.name}({', '.join((*need.arguments, 'ctx'))})",
            signature=need.head,
        )
    elif kind is None:
        yield from wrong_types(written, function, need, needs)


def _kind(
    written: HandlerClass, function: AnyFunction, need: Need, subject: Subject
) -> Diagnostic | None:
    kind, full = kind_of(function), need.tool.names.full
    requirement = f"`{full}` streams and needs an async generator"
    advice = "write it as `async def` and `yield` each chunk"
    if not need.streams:
        requirement = f"`{full}` does not stream" if need.is_handler else "only handlers stream"
        advice = f"return the result from `{need.head}`"
        if need.is_handler:
            advice += ", or write `streaming: true` in its spec"
    right = {"an async generator"} if need.streams else {"a coroutine", "a plain function"}
    if kind in right:
        return None
    return kinds.KIND.at(
        written.file.name_span(function),
        kind,
        labels=_declared(need.tool),
        subject=subject,
        method=need.name,
        found=kind,
        needs=requirement,
        advice=advice,
    )


def _parameters_span(written: HandlerClass, function: AnyFunction) -> Span:
    """Return the span of a function's parameters, or of its name if it has none."""
    arguments = function.args
    one = [each for each in (arguments.vararg, arguments.kwarg) if each]
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *one]
    if not every:
        return written.file.name_span(function)
    spans = [written.file.span(each) for each in every]
    return written.file.source.span(min(s.start for s in spans), max(s.end for s in spans))


def _extra_finding(
    written: HandlerClass, function: AnyFunction, needs: Needs, meant: Need | None
) -> Diagnostic:
    span = written.file.name_span(function)
    advice, fix = "remove it, or begin its name with `_`", None
    tool = meant.tool if meant else None
    if meant is not None:
        advice = f"did you mean `{meant.name}`?"
        fix = Fix(f"rename it to `{meant.name}`", (TextEdit(span, meant.name),))
    role, _, handler = function.name.partition("_")
    if tool is None and role in {"verify", "revert"}:
        tool = _tool_of(handler, needs.methods)
        if tool is not None:
            advice = f"write `{role}: true` in the spec of `{tool.names.full}`, or remove it"
    return kinds.EXTRA.at(
        span,
        labels=_declared(tool) if tool else (),
        subject=_subject(needs, tool) if tool else Subject(service=needs.service.name),
        fix=fix,
        method=function.name,
        advice=advice,
    )


def _tool_of(method: str, needs: Iterable[Need]) -> Tool | None:
    return next((need.tool for need in needs if need.name == method and need.is_handler), None)


def _unknown_names(written: HandlerClass, needs: Needs, package: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each import of an unknown name from the generated package."""
    module = needs.service.names.module
    last = package.rpartition(".")[2]
    known_names: Mapping[str, None] = dict.fromkeys((*needs.exported, *_MODULES))
    for each in written.names.imported:
        is_ours = each.is_of(module) and f".{last}.{module}" in f".{each.module.lstrip('.')}"
        if is_ours and each.name not in known_names and each.name != "*":
            hint = did_you_mean(each.name, sorted(known_names))
            yield kinds.UNKNOWN_NAME.at(
                written.file.span(each.node),
                subject=Subject(service=needs.service.name),
                package=each.module,
                name=each.name,
                suggestion=hint,
            )


def _declared(tool: Tool) -> tuple[Label, ...]:
    span = name_span(tool)
    return (Label(span, f"compiled as `{tool.names.full}`"),) if span else ()


def _subject(needs: Needs, tool: Tool) -> Subject:
    pointer = tool.location.pointer if tool.location else ""
    return Subject(needs.service.name, tool.names.full, pointer)
