"""Gate for generated code: parses it and compares it with the model it was rendered from.

The tree is compared with the model node by node: names by name, constants by value, documentation
as one string. Text of a spec is only ever such a leaf, so the tree is the one that harmless text in
the same positions gives; `decisions/0011-the-gate-reads-back.md` says why this proves no less than
rendering and parsing harmless text as well.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from toolspec.targets.python import model
from toolspec.targets.python.gate_expressions import all_read, is_name, reads
from toolspec.targets.python.identifiers import Identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from toolspec.targets.python.model import Parameter, Statement

# Body of a function without statements.
_NO_BODY = (model.Evaluate(model.Dots()),)

# Syntax tree of `model.Yield`.
_NOTHING = ast.dump(ast.parse("for _ in ():\n    yield _").body[0])


def is_safe(module: model.Module, text: str) -> bool:
    """Return whether Python parses the text to exactly the module's statements."""
    try:
        return reads_as(ast.parse(text), module)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def reads_as(tree: ast.Module, module: model.Module) -> bool:
    """Return whether a syntax tree is that of a module; documentation may be any string."""
    return _block(tree.body, module.doc, module.body)


def _reads(node: ast.stmt | None, wanted: Statement) -> bool:
    return _READERS[type(wanted)](node, wanted)


def _block(nodes: Sequence[ast.stmt], doc: str, statements: Iterable[Statement]) -> bool:
    """Return whether nodes match the statements, with a string after each documented one."""
    following = iter(nodes)
    if doc and not _is_text(next(following, None)):
        return False
    for statement in statements:
        if not _reads(next(following, None), statement):
            return False
        has_doc = isinstance(statement, model.Assign) and statement.doc
        if has_doc and not _is_text(next(following, None)):
            return False
    return next(following, None) is None


def _is_text(node: ast.stmt | None) -> bool:
    """Return whether a statement is a single string without effect."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and type(value.value) is str


def _import(node: ast.AST, wanted: model.Import) -> bool:
    names: list[tuple[str, str | None]] = [
        (name, None if name == own and not wanted.exported else own) for name, own in wanted.names
    ]
    used = (*wanted.path, *(each for pair in wanted.names for each in pair))
    return (
        isinstance(node, ast.ImportFrom)
        and (node.module or "") == ".".join(wanted.path)
        and node.level == wanted.level
        and [(each.name, each.asname) for each in node.names] == (names or [("*", None)])
        and all(type(each) is Identifier for each in used)
    )


def _assign(node: ast.AST, wanted: model.Assign) -> bool:
    if wanted.annotation is None:
        return (
            isinstance(node, ast.Assign)
            and all_read(node.targets, (wanted.target,))
            and reads(node.value, wanted.value)
        )
    return (
        isinstance(node, ast.AnnAssign)
        and reads(node.target, wanted.target)
        and reads(node.annotation, wanted.annotation)
        and reads(node.value, wanted.value)
        and node.simple == isinstance(wanted.target, model.Name)
    )


def _function(node: ast.AST, wanted: model.Function) -> bool:
    kind = ast.AsyncFunctionDef if wanted.is_async else ast.FunctionDef
    body = wanted.body or (() if wanted.doc else _NO_BODY)
    return (
        isinstance(node, kind)
        and not node.decorator_list
        and is_name(node.name, wanted.name)
        and _parameters(node.args, wanted.parameters)
        and reads(node.returns, wanted.returns)
        and _block(node.body, wanted.doc, body)
    )


def _parameters(node: ast.arguments, wanted: Sequence[Parameter]) -> bool:
    plain = [each for each in wanted if not each.keyword_only]
    keyword_only = [each for each in wanted if each.keyword_only]
    every, found = [*plain, *keyword_only], [*node.args, *node.kwonlyargs]
    return (
        not (node.posonlyargs or node.vararg or node.kwarg)
        and len(node.args) == len(plain)
        and len(node.kwonlyargs) == len(keyword_only)
        and all(is_name(one.arg, other.name) for one, other in zip(found, every, strict=True))
        and all_read([each.annotation for each in found], [each.annotation for each in every])
        and all_read(node.defaults, [each.default for each in plain if each.default is not None])
        and all_read(node.kw_defaults, [each.default for each in keyword_only])
    )


def _class(node: ast.AST, wanted: model.Class) -> bool:
    return (
        isinstance(node, ast.ClassDef)
        and not (node.keywords or node.decorator_list)
        and is_name(node.name, wanted.name)
        and all_read(node.bases, [model.Name(base) for base in wanted.bases])
        and _members(node.body, wanted)
    )


def _members(nodes: Sequence[ast.stmt], wanted: model.Class) -> bool:
    if wanted.doc or wanted.body:
        return _block(nodes, wanted.doc, wanted.body)
    return [type(each) for each in nodes] == [ast.Pass]


def _return(node: ast.AST, wanted: model.Return) -> bool:
    return isinstance(node, ast.Return) and reads(node.value, wanted.value)


def _raise(node: ast.AST, wanted: model.Raise) -> bool:
    return isinstance(node, ast.Raise) and node.cause is None and reads(node.exc, wanted.value)


def _yield(node: ast.AST, _: model.Yield) -> bool:
    return isinstance(node, ast.For) and ast.dump(node) == _NOTHING


def _evaluate(node: ast.AST, wanted: model.Evaluate) -> bool:
    return isinstance(node, ast.Expr) and reads(node.value, wanted.value)


def _if(node: ast.AST, wanted: model.If) -> bool:
    return (
        isinstance(node, ast.If)
        and reads(node.test, wanted.test)
        and _block(node.body, "", wanted.body)
        and _block(node.orelse, "", wanted.otherwise)
    )


_READERS: dict[type, Callable[..., bool]] = {
    model.Import: _import,
    model.Assign: _assign,
    model.Function: _function,
    model.Class: _class,
    model.Return: _return,
    model.Raise: _raise,
    model.Yield: _yield,
    model.Evaluate: _evaluate,
    model.If: _if,
}
