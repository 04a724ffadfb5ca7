"""Handler class of a service, found by its bases, with all its members."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

from toolspec.diagnostics import Checked, Label, Subject
from toolspec.shared.records import dataclass, field
from toolspec.shared.spelling import nearest
from toolspec.usercode import kinds
from toolspec.usercode.imports import bindings, last_name
from toolspec.usercode.python_file import statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.usercode.imports import Bindings
    from toolspec.usercode.python_file import PythonFile
    from toolspec.usercode.required_methods import RequiredMethods

AnyFunction: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"

# Bases without handlers.
_BARE = frozenset({"ABC", "Generic", "Protocol", "object"})


@dataclass(frozen=True, slots=True)
class HandlerClass:
    """A class with its methods, including those of its bases in the same file.

    A member that is not a plain `def` is None: its kind is unknown without running it. `unseen` are
    bases from other files. With `inherits_stubs` unwritten methods are inherited from the stubs, and
    with `sends_requests` those of tools with an HTTP request send it.
    """

    file: PythonFile
    names: Bindings
    node: ast.ClassDef
    members: Mapping[str, AnyFunction | None] = field(repr=False)
    unseen: tuple[ast.expr, ...] = ()
    inherits_stubs: bool = False
    sends_requests: bool = False


def find_class(
    file: PythonFile, required: RequiredMethods, wanted: str = ""
) -> Checked[HandlerClass | None]:
    """Return the class of a service: the one named `wanted`, else by its bases.

    Reports an error if there is none, or more than one.
    """
    names = bindings(file)
    top = statements(file.tree.body)
    classes = {
        statement.name: statement for statement in top if isinstance(statement, ast.ClassDef)
    }
    family = _Family(classes, names)
    chosen = (
        _leaves(family, required.bases) if not wanted else [wanted] if wanted in classes else []
    )
    if len(chosen) == 1:
        return Checked(_described(file, family, chosen[0], required))
    if not chosen:
        return Checked(None, (no_class(file, required, nearest(wanted, classes)),))
    spans = [file.name_span(classes[name]) for name in chosen]
    several = kinds.SEVERAL_CLASSES.at(
        spans[0],
        labels=[Label(span, "and this one") for span in spans[1:]],
        subject=Subject(service=required.service.name),
        service=required.service.name,
        names=" and ".join(f"`{name}`" for name in chosen),
        path=file.source.path,
    )
    return Checked(None, (several,))


def no_class(file: PythonFile, required: RequiredMethods, meant: str = "") -> Diagnostic:
    """Return the diagnostic for a missing class; `meant` is a similar one in the file."""
    return kinds.NO_CLASS.at(
        file.source.span(0, 0),
        subject=Subject(service=required.service.name),
        path=file.source.path,
        service=f"`{required.service.name}`",
        stem=required.stem,
        near=f"; did you mean `{meant}`?" if meant else "",
    )


@dataclass(frozen=True, slots=True)
class _Family:
    """The classes of a file by name, and the names it imports."""

    classes: Mapping[str, ast.ClassDef]
    names: Bindings

    def line(self, name: str) -> Iterator[ast.ClassDef]:
        """Yield a class, then its bases in the same file, nearest first, each once."""
        seen: dict[str, ast.ClassDef] = {}
        pending = [name]
        while pending:
            at = pending.pop(0)
            if at in seen or at not in self.classes:
                continue
            seen[at] = self.classes[at]
            pending += [last_name(base) for base in seen[at].bases if isinstance(base, ast.Name)]
        yield from seen.values()

    def outside(self, name: str) -> Iterator[tuple[str, ast.expr]]:
        """Yield the bases from other files of a class and its local bases, by original name."""
        for node in self.line(name):
            for base in node.bases:
                if not (isinstance(base, ast.Name) and base.id in self.classes):
                    yield self.names.original(last_name(base)), base


def _leaves(family: _Family, bases: frozenset[str]) -> list[str]:
    """Return the classes that inherit a service's handlers and have no such subclass."""
    able = [name for name in family.classes if bases & {base for base, _ in family.outside(name)}]
    inner = {node.name for name in able for node in family.line(name) if node.name != name}
    return [name for name in able if name not in inner]


def _described(
    file: PythonFile, family: _Family, name: str, required: RequiredMethods
) -> HandlerClass:
    members: dict[str, AnyFunction | None] = {}
    for class_node in family.line(name):
        for member, node in _defined(class_node):
            members.setdefault(member, node)
    outside = dict(family.outside(name))
    known = {*required.bases, *_BARE}
    sender = f"{required.stem}HttpHandlers"
    sends = sender in required.bases and sender in outside
    return HandlerClass(
        file,
        family.names,
        family.classes[name],
        members,
        tuple(node for base, node in outside.items() if base not in known),
        inherits_stubs=sends or f"{required.stem}Stubs" in outside,
        sends_requests=sends,
    )


def _defined(node: ast.ClassDef) -> Iterator[tuple[str, AnyFunction | None]]:
    """Yield the definitions in a class body, only the last one of each name."""
    members: dict[str, AnyFunction | None] = {}
    for statement in statements(node.body):
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                members[name] = statement
            case ast.ClassDef(name=name):
                members[name] = None
            case ast.Assign(targets=targets):
                members |= dict.fromkeys(map(last_name, targets))
            case ast.AnnAssign(target=target, value=ast.expr()):
                members[last_name(target)] = None
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                members |= {alias.asname or alias.name: None for alias in names}
            case _:
                pass
    yield from members.items()
