"""Expression part of the gate: compares syntax trees with the model's expressions."""

from __future__ import annotations

import ast
from types import NoneType
from typing import TYPE_CHECKING

from toolspec.targets.python import model
from toolspec.targets.python.identifiers import Identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from toolspec.targets.python.model import Expression


def reads(node: ast.AST | None, wanted: Expression | None) -> bool:
    """Return whether a syntax tree is that of an expression; both may be None."""
    return _READERS[type(wanted)](node, wanted)


def all_read(nodes: Sequence[ast.AST | None], wanted: Sequence[Expression | None]) -> bool:
    """Return whether syntax trees match expressions one by one."""
    return len(nodes) == len(wanted) and all(map(reads, nodes, wanted))


def is_name(found: str | None, wanted: str) -> bool:
    """Return whether a name is the wanted one, and the wanted one is an `Identifier`."""
    return found == wanted and type(wanted) is Identifier


def _nothing(node: ast.AST | None, _: None) -> bool:
    return node is None


def _name(node: ast.AST, wanted: model.Name) -> bool:
    return isinstance(node, ast.Name) and is_name(node.id, wanted.id)


def _quoted(node: ast.AST, wanted: model.Quoted) -> bool:
    """Return whether a string contains the type: type checkers read it as code."""
    if not isinstance(node, ast.Constant) or type(node.value) is not str:
        return False
    return reads(ast.parse(node.value, mode="eval").body, wanted.type)


def _const(node: ast.AST, wanted: model.Const) -> bool:
    value = wanted.value
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_negated(node.operand, value)
    return isinstance(node, ast.Constant) and _is_same(node.value, value)


def _is_negated(node: ast.AST, value: str | float | None) -> bool:
    """Return whether a negated node makes a number: Python has no negative literals."""
    if not isinstance(node, ast.Constant) or isinstance(value, str | bool | None):
        return False
    return _is_same(node.value, -value)


def _is_same(found: object, wanted: str | float | None) -> bool:
    """Return whether two constants are the same in type and value, including the sign of zero."""
    kind = str if isinstance(wanted, str) else type(wanted)
    if type(found) is not kind or found != wanted:
        return False
    return kind is not float or repr(found) == repr(wanted)


def _dots(node: ast.AST, _: model.Dots) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _attribute(node: ast.AST, wanted: model.Attribute) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and is_name(node.attr, wanted.name)
        and reads(node.value, wanted.value)
    )


def _subscript(node: ast.AST, wanted: model.Subscript) -> bool:
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return False
    if not is_name(node.value.id, wanted.base):
        return False
    if len(wanted.items) == 1:
        return reads(node.slice, wanted.items[0])
    return isinstance(node.slice, ast.Tuple) and all_read(node.slice.elts, wanted.items)


def _union(node: ast.AST, wanted: model.Union) -> bool:
    first, *others = wanted.options
    for option in reversed(others):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr):
            return False
        if not reads(node.right, option):
            return False
        node = node.left
    return reads(node, first)


def _tuple(node: ast.AST, wanted: model.Tuple) -> bool:
    return isinstance(node, ast.Tuple) and all_read(node.elts, wanted.items)


def _list(node: ast.AST, wanted: model.List) -> bool:
    return isinstance(node, ast.List) and all_read(node.elts, wanted.items)


def _dict(node: ast.AST, wanted: model.Dict) -> bool:
    return (
        isinstance(node, ast.Dict)
        and all_read(node.keys, [key for key, _ in wanted.entries])
        and all_read(node.values, [value for _, value in wanted.entries])
    )


def _call(node: ast.AST, wanted: model.Call) -> bool:
    return (
        isinstance(node, ast.Call)
        and reads(node.func, wanted.function)
        and all_read(node.args, wanted.positional)
        and len(node.keywords) == len(wanted.keywords)
        and all(map(_keyword, node.keywords, wanted.keywords))
    )


def _keyword(node: ast.keyword, wanted: tuple[Identifier, Expression]) -> bool:
    name, value = wanted
    return is_name(node.arg, name) and reads(node.value, value)


def _spread(node: ast.AST, wanted: model.Spread) -> bool:
    return isinstance(node, ast.Starred) and reads(node.value, wanted.value)


def _await(node: ast.AST, wanted: model.Await) -> bool:
    return isinstance(node, ast.Await) and reads(node.value, wanted.value)


_OPERATORS = {
    model.Operator.EQUALS: ast.Eq,
    model.Operator.IS: ast.Is,
    model.Operator.IS_NOT: ast.IsNot,
}


def _test(node: ast.AST, wanted: model.Test) -> bool:
    return (
        isinstance(node, ast.Compare)
        and [type(each) for each in node.ops] == [_OPERATORS[wanted.operator]]
        and reads(node.left, wanted.left)
        and all_read(node.comparators, (wanted.right,))
    )


_READERS: dict[type, Callable[..., bool]] = {
    NoneType: _nothing,
    model.Name: _name,
    model.Quoted: _quoted,
    model.Const: _const,
    model.Dots: _dots,
    model.Attribute: _attribute,
    model.Subscript: _subscript,
    model.Union: _union,
    model.Tuple: _tuple,
    model.List: _list,
    model.Dict: _dict,
    model.Call: _call,
    model.Spread: _spread,
    model.Await: _await,
    model.Test: _test,
}
