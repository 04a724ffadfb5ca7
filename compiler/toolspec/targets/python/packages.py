"""The two `__init__.py`: that of a service, whose names load on demand, and that of the build."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.targets.python.expressions import NONE, OBJECT, STRING, name, subscript, union
from toolspec.targets.python.hooks import hook_uses
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import (
    CHECKING,
    FUTURE,
    UNCHECKED,
    for_checkers,
    from_import,
    grouped,
    in_order,
)
from toolspec.targets.python.model import (
    Assign,
    Attribute,
    Call,
    Const,
    Dict,
    Evaluate,
    Function,
    If,
    Import,
    List,
    Module,
    Operator,
    Parameter,
    Raise,
    Return,
    Spread,
    Test,
)
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.ir import Service, ServiceNames
    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.signatures import Signatures

_NAME, _ALL = name("name"), name("__all__")
_HANDSHAKE = (
    from_import("toolspec.runtime", "require_runtime"),
    Evaluate(Call(name("require_runtime"), (Const(__version__),))),
)
_REGISTRY, _PARTS = name("Registry"), name("_parts")
_BUILD_DOC = """Return one registry over the services given; one left out is not served.

A service is given as its handlers, or as what its own `bind` returned: the way to
give settings, credentials and hooks. Raises BindError for everything that does not
fit."""
_IS_NOT = Operator(negated=True, membership=False)


def service_package(signatures: Signatures) -> Module:
    """Return the `__init__.py` of a service: each name is imported when it is first asked for."""
    service, stem = signatures.service, signatures.stem
    places = {
        "SERVICE": ".registry",
        "bind": ".registry",
        f"{stem}Client": ".client",
        f"{stem}SyncClient": ".client",
        f"{stem}Handlers": ".handlers",
        f"{stem}Stubs": ".handlers",
    }
    if any(hook_uses(service)):
        places[f"{stem}Hooks"] = ".handlers"
    names = in_order((*places, *signatures.types.declared))
    imports = [(home, each) for each, home in places.items()]
    imports += [(".types", each) for each in signatures.types.declared]
    homes = tuple((Const(each), Const(home)) for each, home in sorted(places.items()))
    home_table = Assign(name("_HOMES"), Dict(homes))
    body: tuple[Statement, ...] = (
        FUTURE,
        *_HANDSHAKE,
        UNCHECKED,
        If(CHECKING, tuple(grouped(imports)), (home_table, _getattr())),
        Assign(_ALL, List(tuple(Const(each) for each in names))),
    )
    return Module(_service_doc(service), body)


def _service_doc(service: Service) -> str:
    return f"The service {service.name}: handlers to write, registry, clients and types."


def _getattr() -> Function:
    """Return the function that Python asks for a name the module does not have (PEP 562)."""
    home = Call(Attribute(name("_HOMES"), Identifier("get")), (_NAME, Const(".types")))
    loaded = Call(name("import_module"), (home, name("__name__")))
    unknown = Call(name("AttributeError"), (_NAME,))
    keep = Attribute(Call(name("globals")), Identifier("setdefault"))
    body: tuple[Statement, ...] = (
        If(Test(_NAME, Operator(negated=True, membership=True), _ALL), (Raise(unknown),)),
        from_import("importlib", "import_module"),
        Return(Call(keep, (_NAME, Call(name("getattr"), (loaded, _NAME))))),
    )
    return Function(Identifier("__getattr__"), (Parameter(_NAME.id, STRING),), OBJECT, "", body)


def build_package(services: Sequence[ServiceNames]) -> Module:
    """Return the top `__init__.py`: one registry over all services."""
    checking = [("toolspec.runtime", "Registry")]
    checking += [(f".{each.module}.handlers", f"{each.class_stem}Handlers") for each in services]
    body: tuple[Statement, ...] = (
        FUTURE,
        *_HANDSHAKE,
        UNCHECKED,
        *for_checkers(checking),
        Assign(_ALL, List((Const("build_registry"),))),
        _build(services),
    )
    return Module("All services of this build.", body)


def _build(services: Sequence[ServiceNames]) -> Function:
    """Return `build_registry`. Its own names begin with `_`: no service's module does."""
    parameters = tuple(
        Parameter(
            Identifier(each.module),
            union((name(f"{each.class_stem}Handlers"), _REGISTRY, NONE)),
            NONE,
            keyword_only=True,
        )
        for each in services
    )
    body: tuple[Statement, ...] = (
        from_import("toolspec.runtime", "Registry"),
        _renamed("toolspec.runtime", "merge", "_merge"),
        Assign(_PARTS, List(()), subscript("list", _REGISTRY)),
        *(_take(each) for each in services),
        Return(Call(name("_merge"), (Spread(_PARTS),))),
    )
    return Function(Identifier("build_registry"), parameters, _REGISTRY, _BUILD_DOC, body)


def _take(service: ServiceNames) -> If:
    """Return the statement that adds one service's registry to the parts."""
    module = name(service.module)
    bind = f"_bind_{service.module}"
    bound = Call(name(bind), (module,))
    imported = _renamed(f".{service.module}.registry", "bind", bind)
    given = If(
        Call(name("isinstance"), (module, _REGISTRY)),
        (_append(module),),
        (imported, _append(bound)),
    )
    return If(Test(module, _IS_NOT, NONE), (given,))


def _append(part: Expression) -> Evaluate:
    return Evaluate(Call(Attribute(_PARTS, Identifier("append")), (part,)))


def _renamed(source: str, theirs: str, ours: str) -> Import:
    """Return `from source import theirs as ours`."""
    return replace(from_import(source), names=((Identifier(theirs), Identifier(ours)),))
