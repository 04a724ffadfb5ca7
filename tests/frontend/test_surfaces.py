"""A field is a promise: documents state it, and the catalog, docs, MCP, `inspect` and the importer show it.

Every field of the program is changed, and each surface has to change with it. EXCEPTIONS are the fields that a surface
leaves out, with the reason; one that is not needed fails as well.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import pkgutil
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from files_in_memory import FilesInMemory
from sampling import sampled
from test_drift import AUTHS, FRAGMENT, ICON, TOOL, document, parsed, tool
from toolspec import ir
from toolspec.cli.verbs.inspect import inspection
from toolspec.frontend import naming, normalise, resolve
from toolspec.frontend.bind.unit import bind
from toolspec.frontend.includes.unit import expand
from toolspec.frontend.shape.document import Form, check
from toolspec.importers.mcp_tools import import_tools
from toolspec.targets import discovery
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.ir import Program

MARK = "zqmark"
Steps = tuple[str | int, ...]
WRITTEN = {**TOOL, "x-team": "blue"}
SMALL = {
    "toolspec": 1,
    "service": {"name": "small", "description": "Two tools."},
    "tools": [
        {
            "name": "look",
            "description": "Look.",
            "mutation": False,
            "formats": "annotate",
            "inputSchema": {"type": "string"},
            "outputSchema": {"type": "string"},
            "streaming": True,
        },
        {"name": "change", "description": "Change.", "mutation": True, "outputSchema": True},
    ],
}
# All that a list of tools and the server's name can say of a service.
LISTED = {
    "toolspec": 1,
    "service": {
        "name": "post",
        "title": "The post",
        "version": "1.2.3",
        "description": "Sends things.",
        "instructions": "Be kind.",
        "icons": [ICON],
    },
    "$defs": {"A": {"type": "string"}},
    "tools": [
        {key: value for key, value in WRITTEN.items() if key != "wireName"},
        {
            "name": "tellIt",
            "description": "Tell it.",
            "mutation": False,
            "inputSchema": {"type": "object"},
            "outputSchema": {"type": "string"},
            "streaming": True,
            "formats": "annotate",
            "source": {"kind": "mcp", "location": "post.json", "member": "tell_it"},
        },
    ],
}


def program(value: object) -> Program:
    files = FilesInMemory({"more.json": parsed(FRAGMENT, "more.json")})
    assert check(parsed(value), Form.SERVICE) == ()
    unit = expand(parsed(value), files)
    assert unit.ok, unit.diagnostics
    service = resolve.resolve(bind(unit.value).value, files).value
    for derive in normalise.PASSES:
        service = derive(service).value
    named = naming.name_program([service])
    assert named.ok, named.diagnostics
    return named.value


@cache
def programs() -> tuple[Program, ...]:
    """Return the document with every field, once for each kind of authentication."""
    documents = (
        {**document(auth), "tools": [{**tool(auth), "x-team": "blue"}], "x-team": "blue"}
        for auth in AUTHS
    )
    return tuple(map(program, documents))


@cache
def listed() -> tuple[Program, Program]:
    """Return a service, and what the import of a list of its tools makes of it."""
    about = dict(LISTED["service"])  # type: ignore[call-overload] # a mapping
    instructions = about.pop("instructions")
    dump = {"serverInfo": about, "instructions": instructions, **LISTED}
    result = import_tools(parsed({key: dump[key] for key in dump if key != "toolspec"})).value
    assert result is not None
    return program(LISTED), program(result.value)


def emitted(*names: str) -> Callable[[Program], str]:
    def emit(program: Program) -> str:
        targets = (discovery.find(name) for name in names)
        artifacts = (each for target in targets for each in emit_program(target, program).value)
        return "\n".join(artifact.text for artifact in artifacts)

    return emit


def inspected(program: Program) -> str:
    return "\n".join(json.dumps(inspection(*each)) for each in program.tools)


SURFACES: dict[str, Callable[[Program], str]] = {
    "catalog": emitted("catalog"),
    "docs": emitted("docs"),
    "mcp": emitted("mcp-2025-11-25", "mcp-2026-07-28"),
    "inspect": inspected,
}
EVERY = frozenset({"document", *SURFACES, "importer"})


@dataclass(frozen=True)
class Omission:
    """Fields that some surfaces leave out."""

    reason: str
    surfaces: frozenset[str]
    fields: frozenset[str]


def omission(reason: str, surfaces: str, fields: str) -> Omission:
    return Omission(reason, frozenset(surfaces.split()), frozenset(fields.split()))


# Fields that are no promise to anybody.
INTERNAL = {
    "location of the source, for diagnostics": (
        "Example.location Schema.location Service.location Tool.location"
    ),
    "a service with an error has no output": "Schema.broken Service.broken Tool.broken",
    "the spelling of a schema; surfaces show its bundle": "Schema.value",
    "parts of bundles that are written once": (
        "Definition.entry Definition.name Definition.schema Schema.shared Service.definitions"
    ),
    "containers of what is asked for": "Program.services Service.tools",
    "parts of full names": "Program.separator ServiceNames.prefix",
    "tells stated hints from derived ones": "Annotations.stated",
    "a copy of the service's, which `arguments` shows": "Tool.instances",
    "a copy of the schema's `contentEncoding`": "HttpArgument.is_base64 HttpBody.binary",
    "a copy of the schema's `contentMediaType`": "HttpArgument.is_json",
}
EXCEPTIONS = (
    omission(
        "`tools/list` is about tools; a server introduces itself in `initialize`",
        "mcp",
        "Service.name Service.title Service.version Service.description Service.instructions "
        "Service.icons Service.category Service.extensions Service.naming Service.instances "
        "Service.modes Instance.name Instance.title Instance.description Mode.name "
        "Mode.description",
    ),
    omission(
        "the server acts on it, and its client cannot",
        "mcp",
        "Service.settings Service.formats Service.scopes Service.permissions Auth.kind "
        "Auth.credentials Auth.authorization_url Auth.token_url Auth.scopes Auth.fields "
        "Auth.authorize_parameters Auth.token_response Scope.name Scope.description "
        "ScopeRule.any_of Tool.scopes Tool.permissions Permission.kind Permission.resource "
        "Permission.operation Hooks.middleware Hooks.before Hooks.after Hooks.after_response "
        "Timeout.idle Timeout.total CallLimits.result_bytes Tool.verify Tool.revert "
        "HttpBinding.method HttpBinding.path HttpBinding.server HttpBinding.accept "
        "HttpBinding.security HttpBinding.arguments HttpArgument.argument HttpArgument.place "
        "HttpArgument.name HttpArgument.style HttpArgument.explode HttpArgument.allow_reserved "
        "HttpArgument.content_type HttpArgument.nulls HttpArgument.is_file HttpBody.argument HttpBody.content_type "
        "HttpSecurity.credentials HttpSecurity.custom HttpCredential.field HttpCredential.place "
        "HttpCredential.name",
    ),
    omission(
        "pages name the request; the catalog has its details",
        "docs",
        "HttpBinding.accept HttpBinding.security HttpBinding.arguments HttpArgument.argument "
        "HttpArgument.place HttpArgument.name HttpArgument.style HttpArgument.explode "
        "HttpArgument.allow_reserved HttpArgument.content_type HttpArgument.nulls HttpArgument.is_file "
        "HttpBody.argument HttpBody.content_type HttpSecurity.credentials HttpSecurity.custom "
        "HttpCredential.field HttpCredential.place HttpCredential.name",
    ),
    omission(
        "MCP has no member for it, and a model would pay for it in every request",
        "mcp",
        "Tool.errors DeclaredError.code DeclaredError.description DeclaredError.retryable "
        "Tool.examples Example.title Example.input Example.output Example.error Tool.chunk",
    ),
    omission(
        "where a definition comes from is for those who maintain it",
        "docs mcp",
        "Provenance.kind Provenance.location Provenance.member Provenance.file Provenance.line "
        "Provenance.pointer Provenance.digest",
    ),
    omission(
        "hooks are for those who maintain the handlers",
        "docs",
        "Hooks.middleware Hooks.before Hooks.after Hooks.after_response",
    ),
    omission(
        "generated files name no lines, so that an edit above does not change them",
        "catalog",
        "Provenance.line",
    ),
    omission("the arguments show it", "mcp", "Tool.input Tool.input_form Tool.idempotency"),
    omission("the arguments show it", "catalog docs", "Tool.input"),
    omission("the full name shows it", "docs mcp", "Tool.name Tool.wire_name"),
    omission("`readOnlyHint` shows it", "docs mcp", "Tool.mutation"),
    omission(
        "names in generated Python",
        "mcp",
        "ServiceNames.module ServiceNames.class_stem ToolNames.method ToolNames.type_stem",
    ),
    omission("pages describe types by their members", "docs", "ToolNames.type_stem"),
    omission(
        "pages load no images; they name the Lucide icon",
        "docs",
        "Service.icons Tool.icons Icon.src Icon.mime_type Icon.sizes Icon.theme",
    ),
    omission("the title for old MCP clients", "catalog docs", "Annotations.title"),
    omission("each tool shows it", "docs inspect", "Service.scopes Service.permissions"),
    omission(
        "`inspect` prints one tool; the service has its pages and its catalog entry",
        "inspect",
        "Service.version Service.title Service.description Service.instructions Service.category "
        "Service.icons Service.settings Service.extensions Service.formats Instance.title "
        "Instance.description Mode.description Scope.description",
    ),
    omission(
        "a list of tools does not say it",
        "importer",
        "Service.category Service.extensions Service.formats Service.modes Service.permissions "
        "Service.scopes Service.settings Mode.name Mode.description Auth.kind Auth.credentials "
        "Auth.authorization_url Auth.token_url Auth.scopes Auth.fields Auth.authorize_parameters "
        "Auth.token_response Scope.name Scope.description",
    ),
    omission(
        "read from an argument `instance` (tests/importers/test_own_manifests.py)",
        "importer",
        "Service.instances Instance.name Instance.title Instance.description",
    ),
    omission(
        "chosen by the importer where names need it (tests/importers/test_own_manifests.py)",
        "importer",
        "Service.naming Tool.wire_name",
    ),
    omission(
        "a list of tools has no credentials, so its requests have none",
        "importer",
        "HttpSecurity.credentials HttpCredential.field HttpCredential.place HttpCredential.name",
    ),
    omission("the digest of the imported text", "importer", "Provenance.digest"),
)


@cache
def fields() -> tuple[tuple[type, str], ...]:
    """Return class and name of every field of the program that holds no other record of it."""
    modules = (
        importlib.import_module(f"toolspec.ir.{each.name}")
        for each in pkgutil.iter_modules(ir.__path__)
    )
    classes = {
        value: None
        for module in modules
        for value in vars(module).values()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and "__dataclass_fields__" in vars(value)
    }
    records = {name for owner in classes for name in (owner.__name__, f"{owner.__name__} | None")}
    return tuple(
        (owner, field.name)
        for owner in classes
        for field in dataclasses.fields(owner)
        if field.type not in records - {"Schema", "Schema | None"}
    )


def instances(value: object, owner: type, steps: Steps = ()) -> Iterator[Steps]:
    """Yield the steps to each record of a class."""
    if isinstance(value, owner):
        yield steps
    if dataclasses.is_dataclass(value) and not isinstance(value, ir.Schema):
        for field in dataclasses.fields(value):
            if field.name != "location":
                yield from instances(getattr(value, field.name), owner, (*steps, field.name))
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            yield from instances(each, owner, (*steps, index))


def at(value: Any, steps: Steps) -> Any:
    for step in steps:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def changed(value: Any, steps: Steps) -> Any:
    """Return a record with another value at some steps."""
    if not steps:
        return other(value)
    first, *rest = steps
    if isinstance(first, int):
        return (*value[:first], changed(value[first], tuple(rest)), *value[first + 1 :])
    return dataclasses.replace(value, **{first: changed(getattr(value, first), tuple(rest))})


def other(value: Any) -> Any:  # noqa: C901, PLR0911 - a case for each kind of value
    """Return another value of the same kind, with a mark where it can hold one."""
    match value:
        case bool():
            return not value
        case Enum():
            members = list(type(value))
            return members[(members.index(value) + 1) % len(members)]
        case str():
            return f"{value}{MARK}"
        case int() | float():
            return value + 41
        case dict():
            return {**value, f"x-{MARK}": MARK}
        case ir.Schema():
            return ir.Schema.of({"type": "object", "description": MARK})
        case tuple() if value and isinstance(value[0], Enum):
            return (*value, other(value[-1]))
        case tuple() if value and isinstance(value[0], str):
            return (*value, MARK)
        case tuple() if value and isinstance(value[0], tuple) and isinstance(value[0][0], str):
            return (*value, (MARK, MARK))
        case frozenset():
            return value | {MARK}
        case tuple():
            return ()
    return None


@cache
def shown(surface: str, index: int) -> str:
    return SURFACES[surface](programs()[index])


def reaches(surface: str, owner: type, name: str) -> bool:
    """Return whether a surface changes with a field of any record of a class."""
    for index, whole in enumerate(programs()):
        for steps in instances(whole, owner):
            if at(whole, (*steps, name)) in ((), None):
                continue
            variant = SURFACES[surface](changed(whole, (*steps, name)))
            if MARK in variant or variant != shown(surface, index):
                return True
    return False


def default(owner: type, name: str) -> object:
    """Return the default of a field; None without one."""
    field = next(each for each in dataclasses.fields(owner) if each.name == name)
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return None if field.default is dataclasses.MISSING else field.default


def is_stated(owner: type, name: str) -> bool:
    """Return whether a document can give a field another value than its default."""
    wholes = (*programs(), program(SMALL))
    values = [at(each, (*steps, name)) for each in wholes for steps in instances(each, owner)]
    return any(value not in (default(owner, name), "", ()) for value in values)


def is_imported(owner: type, name: str) -> bool:
    """Return whether an import takes over the value of a field."""
    whole, imported = listed()
    values = [(at(whole, (*steps, name)), steps) for steps in instances(whole, owner)]
    return any(value not in (default(owner, name), "", ()) for value, _ in values) and all(
        at(imported, (*steps, name)) == value for value, steps in values
    )


@pytest.mark.parametrize(
    ("owner", "name"),
    sampled(
        [
            pytest.param(owner, name, id=f"{owner.__name__}.{name}")
            for owner, name in fields()
            if f"{owner.__name__}.{name}" not in " ".join(INTERNAL.values()).split()
        ],
        30,
    ),
)
def test_a_field_reaches_every_surface(owner: type, name: str) -> None:
    reached = {surface for surface in SURFACES if reaches(surface, owner, name)}
    reached |= {"document"} if is_stated(owner, name) else set()
    reached |= {"importer"} if is_imported(owner, name) else set()
    field = f"{owner.__name__}.{name}"
    omitted = {each for one in EXCEPTIONS if field in one.fields for each in one.surfaces}
    assert reached == EVERY - omitted, f"{field} misses {sorted(EVERY - reached)}"


def test_exceptions_name_fields() -> None:
    known = {f"{owner.__name__}.{name}" for owner, name in fields()}
    assert {field for each in EXCEPTIONS for field in each.fields} <= known
    assert set(" ".join(INTERNAL.values()).split()) <= known
