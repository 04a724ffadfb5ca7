"""Names bound in a Python file, imported or defined."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass, field
from toolspec.usercode.python_file import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolspec.usercode.python_file import PythonFile


@dataclass(frozen=True, slots=True)
class ImportedName:
    """One name of a `from … import`: the module with its leading dots, the original and local name.

    `for_checkers` means that only type checkers evaluate it.
    """

    module: str
    name: str
    local: str
    node: ast.alias = field(repr=False)
    for_checkers: bool = False

    def is_of(self, service: str) -> bool:
        """Return whether it comes from the generated package of a service, or from its types."""
        parts = self.module.lstrip(".").split(".")
        if parts[-1] in {"types", "handlers"}:
            parts.pop()
        return parts[-1:] == [service]


@dataclass(frozen=True)
class Bindings:
    """Imports of a file's module scope, and every other name bound in the file."""

    imported: tuple[ImportedName, ...]
    others: frozenset[str]

    @cached_property
    def by_local(self) -> dict[str, tuple[ImportedName, ...]]:
        """The imports of each local name."""
        return _grouped(self.imported, lambda imported: imported.local)

    @cached_property
    def by_name(self) -> dict[str, tuple[ImportedName, ...]]:
        """The imports by original name."""
        return _grouped(self.imported, lambda imported: imported.name)

    def original(self, local: str) -> str:
        """Return the original name of an import; any other name unchanged."""
        return self.by_local[local][0].name if local in self.by_local else local


def _grouped(
    imported: Iterable[ImportedName], key: Callable[[ImportedName], str]
) -> dict[str, tuple[ImportedName, ...]]:
    groups: dict[str, tuple[ImportedName, ...]] = {}
    for item in imported:
        groups[key(item)] = (*groups.get(key(item), ()), item)
    return groups


def bindings(file: PythonFile) -> Bindings:
    """Return all bindings of a file at any depth: a name free here is free in every scope."""
    imported = tuple(_imported(file.tree))
    top = {id(item.node) for item in imported}
    return Bindings(imported, frozenset(_others(file.tree, top)))


def is_checking(test: ast.expr) -> bool:
    """Return whether a condition is `TYPE_CHECKING` or `typing.TYPE_CHECKING`."""
    return last_name(test) == "TYPE_CHECKING"


def last_name(node: ast.expr) -> str:
    """Return `c` of `a.b.c`, of `c[…]` and of `c(…)`; empty for other expressions."""
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _imported(tree: ast.Module) -> Iterator[ImportedName]:
    for_checkers: set[int] = set()
    for statement in statements(tree.body):
        if isinstance(statement, ast.If) and is_checking(statement.test):
            for_checkers.update(id(item) for item in statements(statement.body))
        if isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            hidden = id(statement) in for_checkers
            for alias in statement.names:
                yield ImportedName(module, alias.name, alias.asname or alias.name, alias, hidden)


def _others(tree: ast.Module, top: set[int]) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name
            case ast.alias(name=name, asname=other) if id(node) not in top:
                yield other or name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case _:
                pass
