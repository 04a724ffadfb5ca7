"""Makes `compiled_templates.py` of each target from the code that Jinja2 generates for its templates.

The functions have the form of `targets/template_runtime.py`: an attribute is read as one, a name
without a value is a KeyError, and nothing is imported from Jinja2.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from toolspec.driver.template_files import built_in_templates
from toolspec.targets.docs.render import FILTERS as DOCS_FILTERS
from toolspec.targets.site.render import FILTERS as SITE_FILTERS
from toolspec.targets.templates import Code, Templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from toolspec.driver.template_files import BuiltInTemplate

NAME = "compiled_templates.py"
_FILTERS: Mapping[str, Mapping[str, Callable[..., Code]]] = {
    "docs": DOCS_FILTERS,
    "site": SITE_FILTERS,
}
_HEADER = '''\
"""Templates of the {target} target as functions; `make reference` writes them from `templates/`."""

# mypy: ignore-errors

from __future__ import annotations

from toolspec.targets.template_runtime import LoopContext, str_join

missing = None
'''
# What Jinja2 writes at the beginning of each function and these do without.
_UNUSED = {"resolve", "undefined", "concat", "cond_expr_undefined", "_loop_vars", "template"}


def compiled_templates() -> dict[Path, str]:
    """Return the text of each target's module by path."""
    by_target = defaultdict(list)
    for template in built_in_templates():
        by_target[template.target].append(template)
    return {
        templates[0].path.parent.parent / NAME: _module(target, templates)
        for target, templates in by_target.items()
    }


def _module(target: str, templates: Iterable[BuiltInTemplate]) -> str:
    names = {template.name: _identifier(template.name) for template in templates}
    functions = "".join(f"\n\n{_function(template, names)}\n" for template in templates)
    table = "".join(f'    "{name}": {function},\n' for name, function in names.items())
    return f"{_HEADER.format(target=target)}{functions}\n\nFUNCTIONS = {{\n{table}}}\n"


def _identifier(name: str) -> str:
    return re.sub(r"\W", "_", name.removesuffix(".jinja"))


def _function(template: BuiltInTemplate, names: Mapping[str, str]) -> str:
    filters = _FILTERS.get(template.target, {})
    environment = Templates(template.path.parent, Code, filters=filters).environment
    raw = environment.compile(template.path.read_text(encoding="utf-8"), template.name, raw=True)
    (function,) = (node for node in ast.parse(raw).body if isinstance(node, ast.FunctionDef))
    plain = _Plain().visit(function)
    assert isinstance(plain, ast.FunctionDef)
    plain.name = names[template.name]
    plain.args = ast.arguments(
        [], [ast.arg("context"), ast.arg("environment")], None, [], [], None, []
    )
    return ast.unparse(ast.fix_missing_locations(plain))


class _Plain(ast.NodeTransformer):
    """Rewrites the calls of Jinja2's environment and context as plain Python."""

    def __init__(self) -> None:
        self._included: ast.expr | None = None

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: PLR0911 - one for each call
        """Return reads, calls and writes without the context."""
        self.generic_visit(node)
        arguments = node.args
        match ast.unparse(node.func):
            case "environment.getattr":
                name = arguments[1]
                assert isinstance(name, ast.Constant)
                return ast.Attribute(arguments[0], str(name.value), ast.Load())
            case "environment.getitem":
                return ast.Subscript(arguments[0], arguments[1], ast.Load())
            case "environment.finalize":
                return ast.Call(_expression("environment.write"), arguments[1:], [])
            case "context.call":
                named = [keyword for keyword in node.keywords if keyword.arg not in _UNUSED]
                return ast.Call(arguments[0], arguments[1:], named)
            case "str":
                return arguments[0]
            case "resolve":
                return ast.Subscript(_expression("context"), arguments[0], ast.Load())
            case "LoopContext":
                return ast.Call(node.func, arguments[:1], [])
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Return a name without the test for a missing value."""
        is_missing = isinstance(node.test, ast.Compare) and ast.unparse(node.test).endswith(
            " is missing"
        )
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.IfExp)
        return visited.orelse if is_missing else visited

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        """Return an assignment that is used; an include as one call."""
        target = ast.unparse(node.targets[0])
        if target == "template":
            assert isinstance(node.value, ast.Call)
            self._included = node.value.args[0]
        if target in _UNUSED:
            return None
        if target == "gen":
            assert self._included is not None
            values = ast.unparse(node.value).partition("True, ")[2].removesuffix("))")
            call = f"environment.render({ast.unparse(self._included)}, {{**context, **{values}}})"
            node.value = _expression(call)
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.Assign)
        return visited

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        """Return the lookup of a filter, or an include, without the handling of errors."""
        if node.finalbody:
            return ast.Expr(ast.YieldFrom(_expression("gen")))
        return node.body[0]

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        """Return a branch without `pass` before its statements."""
        if ast.unparse(node.test) == "0":
            return None
        self.generic_visit(node)
        node.body, node.orelse = _busy(node.body), _busy(node.orelse)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        """Return a loop without `pass` before its statements."""
        self.generic_visit(node)
        node.body = _busy(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        """Return a function without `pass` before its statements."""
        self.generic_visit(node)
        node.body = _busy(node.body)
        return node


def _busy(body: list[ast.stmt]) -> list[ast.stmt]:
    statements = [statement for statement in body if not isinstance(statement, ast.Pass)]
    return statements or body[:1]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
