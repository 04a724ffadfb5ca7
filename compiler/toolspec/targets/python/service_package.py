"""Package of a service: its tool table, `bind`, and lazy imports of its other names.

All of it is in `__init__.py`, so that a registry over many services needs one import for each
(`decisions/0019-the-table-is-the-package.md`). Type checkers read the stub next to it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind
from toolspec.targets.python.definitions import definition
from toolspec.targets.python.expressions import NONE, OBJECT, STRING, name, subscript, union
from toolspec.targets.python.hooks import hook_uses
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import (
    ALL,
    FUTURE,
    UNCHECKED,
    for_checkers,
    from_import,
    grouped,
)
from toolspec.targets.python.model import (
    UNWRITTEN,
    Assign,
    Attribute,
    Call,
    Const,
    Dict,
    Dots,
    Function,
    If,
    List,
    Module,
    Operator,
    Parameter,
    Raise,
    Return,
    Spread,
    Test,
    Tuple,
)
from toolspec.targets.python.signatures import homes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.targets.python.model import Expression, Import, Statement
    from toolspec.targets.python.signatures import Signatures

SERVICE = name("SERVICE")
_OWN = (Const("SERVICE"), Const("bind"))
_DEFINITION = ("toolspec.runtime", "ServiceDefinition")
_NAME, _HOMES = name("name"), name("_HOMES")
_TYPES_HOME = ".types"
_TYPES = Const(_TYPES_HOME)
_CHECKS = (
    (Identifier("output_check"), name("OutputCheck"), Const("strict")),
    (Identifier("log"), union((name("Logger"), NONE)), NONE),
    (Identifier("mode"), STRING, Const("")),
)
_FUNCTIONS = subscript("Mapping", STRING, subscript("Callable", Dots(), OBJECT))
_BIND_DOC = """Return a registry of this service.

The handlers are an object with its methods, a module, or a mapping of functions by
name. A result that breaks its schema is no result, unless `output_check` is "warn" or
"off". In a `mode` of the service nothing real is changed. Raises BindError for
everything that does not fit, in one message."""


def service_package(
    signatures: Signatures, fields: Mapping[str, object], tools: Sequence[Mapping[str, object]]
) -> Module:
    """Return the `__init__.py` of a service, given its fields and those of each tool.

    Names outside of the table are imported on first access.
    """
    service = signatures.service
    tool = ["ToolDefinition"] if tools else []
    oauth = ["OAuth"] if service.auth.kind is AuthKind.OAUTH2 else []
    names = [*oauth, "ServiceDefinition", *tool, "bind_service"]
    elsewhere = sorted((each, home) for home, each in _places(signatures))
    body: tuple[Statement, ...] = (
        FUTURE,
        from_import("toolspec.runtime", *names),
        UNCHECKED,
        *for_checkers(_needed(signatures)),
        Assign(SERVICE, _table(fields, tools)),
        _bind(signatures),
        Assign(_HOMES, Dict(tuple((Const(each), Const(home)) for each, home in elsewhere))),
        _getattr(),
    )
    doc = "its tools as a table, handlers to write, registry, clients and types"
    return Module(f"The service {service.name}: {doc}.", body)


def service_stub(signatures: Signatures) -> Module:
    """Return the stub `__init__.pyi` with the package's names for type checkers.

    They are kept apart because Python would read them at each import: hundreds, for the types.
    """
    needed = {*_needed(signatures), _DEFINITION}.difference(_places(signatures))
    types = {each for each in needed if each[0] == _TYPES_HOME}
    body: tuple[Statement, ...] = (
        *grouped(needed - types),
        *_exported(_places(signatures)),
        from_import(_TYPES_HOME),
        *_exported(types),
        Assign(SERVICE, annotation=name(_DEFINITION[1])),
        replace(_bind(signatures), doc="", body=UNWRITTEN),
    )
    doc = f"Public names of the service {signatures.service.name}, for type checkers."
    return Module(doc, body)


def _exported(names: Iterable[tuple[str, str]]) -> Iterator[Import]:
    """Yield an import for each (source, name) that re-exports the name."""
    for each in grouped(names):
        for pair in each.names:
            yield replace(each, names=(pair,), exported=True)


def _table(fields: Mapping[str, object], tools: Sequence[Mapping[str, object]]) -> Call:
    """Return the definition of a service with those of its tools."""
    about = definition(_DEFINITION[1], fields)
    package = name("__name__")
    listed = Tuple(
        tuple(definition("ToolDefinition", {**each, "package": package}) for each in tools)
    )
    return replace(about, keywords=(*about.keywords, (Identifier("tools"), listed)))


def _bind(signatures: Signatures) -> Function:
    handlers = union((name(f"{signatures.stem}Handlers"), _FUNCTIONS))
    parameters = [Parameter(Identifier("handlers"), handlers)]
    types = signatures.types
    settings, credentials = types.given_settings, types.given_credentials
    provider = _provider(credentials, types.instance if signatures.service.instances else None)
    optional: dict[str, Expression] = {}
    if settings != NONE:
        optional["settings"] = _by_instance(signatures, settings)
    if credentials != NONE:
        optional["credentials"] = union((_by_instance(signatures, credentials), provider))
    if any(hook_uses(signatures.service)):
        optional["hooks"] = union((name(f"{signatures.stem}Hooks"), _FUNCTIONS))
    passed = []
    for option, kind in optional.items():
        parameter = Identifier(option)
        parameters.append(Parameter(parameter, union((kind, NONE)), NONE, keyword_only=True))
        passed.append((parameter, name(option)))
    for parameter, kind, usual in _CHECKS:
        parameters.append(Parameter(parameter, kind, usual, keyword_only=True))
        passed.append((parameter, name(parameter)))
    return Function(
        Identifier("bind"),
        tuple(parameters),
        name("Registry"),
        _BIND_DOC,
        (Return(Call(name("bind_service"), (SERVICE, name("handlers")), tuple(passed))),),
    )


def _by_instance(signatures: Signatures, kind: Expression) -> Expression:
    """Return a configuration's type, as a mapping by instance name if the service has instances."""
    if not signatures.service.instances:
        return kind
    return subscript("Mapping", signatures.types.instance, kind)


def _provider(credentials: Expression, instance: Expression | None) -> Expression:
    """Return the type of a function from a caller to that caller's credentials.

    For a service with instances, the function takes the instance as well.
    """
    caller = List((union((STRING, NONE)), *((instance,) if instance else ())))
    return subscript("Callable", caller, union((credentials, subscript("Awaitable", credentials))))


def _needed(signatures: Signatures) -> Iterator[tuple[str, str]]:
    yield "collections.abc", "Callable"
    yield "collections.abc", "Mapping"
    yield "logging", "Logger"
    yield "toolspec.runtime", "Registry"
    yield "toolspec.runtime.service", "OutputCheck"
    yield ".handlers", f"{signatures.stem}Handlers"
    if any(hook_uses(signatures.service)):
        yield ".handlers", f"{signatures.stem}Hooks"
    types = signatures.types
    if types.given_credentials != NONE:
        yield "collections.abc", "Awaitable"
    given = [types.given_settings, types.given_credentials]
    if signatures.service.instances:
        given.append(types.instance)
    yield from homes(given, frozenset(types.declared))


def _places(signatures: Signatures) -> Iterator[tuple[str, str]]:
    """Yield the lazily imported names of a service, without types, as (source, name)."""
    stem = signatures.stem
    yield ".client", f"{stem}Client"
    yield ".client", f"{stem}SyncClient"
    yield ".handlers", f"{stem}Handlers"
    yield ".handlers", f"{stem}Stubs"
    if any(hook_uses(signatures.service)):
        yield ".handlers", f"{stem}Hooks"


def _getattr() -> Function:
    """Return the module's `__getattr__` (PEP 562).

    Type names begin with a capital, so other unknown names are rejected without loading the types.
    """
    home, types = name("home"), Attribute(_loaded(_TYPES), ALL.id)
    unknown = Raise(Call(name("AttributeError"), (_NAME,)))
    keep = Attribute(Call(name("globals")), Identifier("setdefault"))
    body: tuple[Statement, ...] = (
        from_import("importlib", "import_module"),
        If(
            Test(_NAME, Operator.EQUALS, Const(ALL.id)),
            (Return(List((*_OWN, Spread(_HOMES), Spread(types)))),),
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
