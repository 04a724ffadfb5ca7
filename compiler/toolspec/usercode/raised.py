"""Comparison of the literal error codes that a method raises with those its tool lists."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label
from toolspec.shared.error_categories import CATEGORIES
from toolspec.shared.spelling import nearest
from toolspec.usercode import kinds
from toolspec.usercode.imports import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic, Subject
    from toolspec.ir import Tool
    from toolspec.usercode.classes import AnyFunction, HandlerClass
    from toolspec.usercode.imports import Bindings


def unlisted_errors(
    written: HandlerClass, function: AnyFunction, tool: Tool, subject: Subject
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each code that `errors` does not list; categories need not be listed."""
    listed = tuple(error.code for error in tool.errors)
    for code in _codes(function, written.names):
        if code.value in (*listed, *CATEGORIES):
            continue
        where = tool.place / "errors" if tool.place and listed else tool.place
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
                    owner, given = called.value, keywords
                    if last_name(called) == "ToolError":  # toolspec.runtime.ToolError(…)
                        owner, given = called, [*call.args[:1], *keywords]
                else:
                    owner, given = called, [*call.args[:1], *keywords]
                if names.original(last_name(owner)) == "ToolError":
                    yield from (
                        each
                        for each in given
                        if isinstance(each, ast.Constant) and isinstance(each.value, str)
                    )
