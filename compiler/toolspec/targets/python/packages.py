"""What makes packages: the `__init__.py` of a service, the stub beside it, and that of the build."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.targets.python.expressions import NONE, OBJECT, STRING, name, subscript, union
from toolspec.targets.python.hooks import hook_uses
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import (
    ALL,
    FUTURE,
    UNCHECKED,
    exported,
    for_checkers,
    from_import,
    grouped,
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
    from collections.abc import Iterator, Sequence

    from toolspec.ir import ServiceNames
    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.signatures import Signatures

_NAME, _HOMES = name("name"), name("_HOMES")
_TYPES_HOME = ".types"
_TYPES = Const(_TYPES_HOME)
_HANDSHAKE = (
    from_import("toolspec.runtime", "require_runtime"),
    Evaluate(Call(name("require_runtime"), (Const(__version__),))),
)
_REGISTRY, _PARTS = name("Registry"), name("_parts")
_BUILD_DOC = """Return one registry over the services given; one left out is not served.

A service is given as its handlers, or as what its own `bind` returned: the way to
give settings, credentials and hooks. Raises BindError for everything that does not
fit."""


def service_package(signatures: Signatures) -> Module:
    """Return the `__init__.py` of a service: each name is imported when it is first asked for."""
    homes = sorted((each, home) for home, each in _places(signatures))
    table = Dict(tuple((Const(each), Const(home)) for each, home in homes))
    body: tuple[Statement, ...] = (FUTURE, *_HANDSHAKE, Assign(_HOMES, table), _getattr())
    doc = "handlers to write, registry, clients and types"
    return Module(f"The service {signatures.service.name}: {doc}.", body)


def service_stub(signatures: Signatures) -> Module:
    """Return the `__init__.pyi` beside it, by which type checkers know the names.

    They stand apart because Python would read them at each import: hundreds, for the types.
    """
    places = [
        replace(each, names=(pair,), exported=True)
        for each in grouped(_places(signatures))
        for pair in each.names
    ]
    doc = f"What can be imported from the service {signatures.service.name}, for type checkers."
    return Module(doc, (*places, from_import(_TYPES_HOME)))


def _places(signatures: Signatures) -> Iterator[tuple[str, str]]:
    """Yield where the names of a service are that are no types, as (source, name)."""
    stem = signatures.stem
    yield ".registry", "SERVICE"
    yield ".registry", "bind"
    yield ".client", f"{stem}Client"
    yield ".client", f"{stem}SyncClient"
    yield ".handlers", f"{stem}Handlers"
    yield ".handlers", f"{stem}Stubs"
    if any(hook_uses(signatures.service)):
        yield ".handlers", f"{stem}Hooks"


def _getattr() -> Function:
    """Return the function that Python asks for a name the module does not have (PEP 562).

    A type's name has a capital: to say that others are unknown, no types need loading.
    """
    home = name("home")
    unknown = Raise(Call(name("AttributeError"), (_NAME,)))
    keep = Attribute(Call(name("globals")), Identifier("setdefault"))
    body: tuple[Statement, ...] = (
        from_import("importlib", "import_module"),
        If(
            Test(_NAME, Operator.EQUALS, Const(ALL.id)),
            (Return(List((Spread(_HOMES), Spread(Attribute(_loaded(_TYPES), ALL.id))))),),
        ),
        Assign(home, Call(Attribute(_HOMES, Identifier("get")), (_NAME,))),
        If(
            Test(home, Operator.IS, NONE),
            (
                If(Call(Attribute(_NAME, Identifier("islower"))), (unknown,)),
                Assign(home, _TYPES),
            ),
        ),
        Return(Call(keep, (_NAME, Call(name("getattr"), (_loaded(home), _NAME))))),
    )
    return Function(Identifier("__getattr__"), (Parameter(_NAME.id, STRING),), OBJECT, "", body)


def _loaded(home: Expression) -> Call:
    return Call(name("import_module"), (home, name("__name__")))


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
    return If(Test(module, Operator.IS_NOT, NONE), (given,))


def _append(part: Expression) -> Evaluate:
    return Evaluate(Call(Attribute(_PARTS, Identifier("append")), (part,)))


def _renamed(source: str, theirs: str, ours: str) -> Import:
    """Return `from source import theirs as ours`."""
    return replace(from_import(source), names=((Identifier(theirs), Identifier(ours)),))
