"""The top `__init__.py` of a build: one registry over all services."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.targets.python.expressions import NONE, name, subscript, union
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import (
    FUTURE,
    UNCHECKED,
    exported,
    for_checkers,
    from_import,
)
from toolspec.targets.python.model import (
    Assign,
    Attribute,
    Call,
    Const,
    Evaluate,
    Function,
    If,
    Import,
    List,
    Module,
    Operator,
    Parameter,
    Return,
    Spread,
    Test,
)
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.ir import ServiceNames
    from toolspec.targets.python.model import Expression, Statement

_HANDSHAKE = (
    from_import("toolspec.runtime", "require_runtime"),
    Evaluate(Call(name("require_runtime"), (Const(__version__),))),
)
_REGISTRY, _PARTS, _MODE = name("Registry"), name("_parts"), name("mode")
_BUILD_DOC = """Return one registry of the passed services; others are not served.

A service is given as its handlers, or as what its own `bind` returned: the way to
give settings, credentials and hooks. Services that are given as handlers are bound in
the `mode`, and all have to be in one. Raises BindError for everything that does not
fit."""


def build_package(services: Sequence[ServiceNames]) -> Module:
    """Return the top `__init__.py`: one registry over all services."""
    checking = [("toolspec.runtime", "Registry")]
    checking += [(f".{each.module}.handlers", f"{each.class_stem}Handlers") for each in services]
    body: tuple[Statement, ...] = (
        FUTURE,
        *_HANDSHAKE,
        UNCHECKED,
        *for_checkers(checking),
        exported(("build_registry",)),
        _build(services),
    )
    return Module("All services of this build.", body)


def _build(services: Sequence[ServiceNames]) -> Function:
    """Return the function `build_registry`; its locals begin with `_`, unlike any module's name."""
    parameters = tuple(
        Parameter(
            Identifier(each.module),
            union((name(f"{each.class_stem}Handlers"), _REGISTRY, NONE)),
            NONE,
            keyword_only=True,
        )
        for each in services
    )
    mode = Parameter(_MODE.id, name("str"), Const(""), keyword_only=True)
    body: tuple[Statement, ...] = (
        from_import("toolspec.runtime", "Registry"),
        _renamed("toolspec.runtime", "merge", "_merge"),
        Assign(_PARTS, List(()), subscript("list", _REGISTRY)),
        *(_take(each) for each in services),
        Return(Call(name("_merge"), (Spread(_PARTS),))),
    )
    parameters = (*parameters, mode)
    return Function(Identifier("build_registry"), parameters, _REGISTRY, _BUILD_DOC, body)


def _take(service: ServiceNames) -> If:
    """Return the statement that adds one service's registry to the parts."""
    module, package = name(service.module), f"_package_{service.module}"
    bound = Call(Attribute(name(package), Identifier("bind")), (module,), ((_MODE.id, _MODE),))
    imported = _renamed(".", service.module, package)
    given = If(
        Call(name("isinstance"), (module, _REGISTRY)),
        (_append(module),),
        (imported, _append(bound)),
    )
    return If(Test(module, Operator.IS_NOT, NONE), (given,))


def _append(part: Expression) -> Evaluate:
    return Evaluate(Call(Attribute(_PARTS, Identifier("append")), (part,)))


def _renamed(source: str, theirs: str, ours: str) -> Import:
    """Return `from source import theirs as ours`."""
    return replace(from_import(source), names=((Identifier(theirs), Identifier(ours)),))
