"""Comparison of a method's annotations with the types of its tool."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.frontend.places import name_span
from toolspec.targets.python.code import flat
from toolspec.targets.python.expressions import names_in
from toolspec.usercode import kinds
from toolspec.usercode.shape import parameters_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.targets.python.expressions import Expression
    from toolspec.usercode.classes import AnyFunction, HandlerClass
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
        wanted = names_in([expected])
        named = [(name, at) for name, at in _mentions(stated, written) if name in owners]
        if not named or any(name in wanted for name, _ in named):
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
    given = parameters_of(function).positional
    wanted = need.signature.parameters[:-1]
    for parameter, expected in zip(given, wanted, strict=False):
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
