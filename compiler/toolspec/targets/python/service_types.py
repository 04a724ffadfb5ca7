"""`types.py` of a service: every type that its tools, settings and credentials need."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, InputForm, Schema
from toolspec.targets.python.expressions import NONE, OBJECT, STRING, subscript
from toolspec.targets.python.identifiers import Identifier, Names, pascal
from toolspec.targets.python.imports import FUTURE, HOMES, from_import
from toolspec.targets.python.model import Assign, Class, Module, Name
from toolspec.targets.python.records import names_used, settled
from toolspec.targets.python.sites import Root
from toolspec.targets.python.typer import Typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.scopes import Fallback

FROM_TYPING = ("Literal", "Never", "NotRequired", "TypeAlias", "TypedDict", "Union")

# Names that the other modules of a service have besides these types.
RESERVED = frozenset((*FROM_TYPING, *HOMES, "Protocol"))
ROLES = ("Handlers", "Hooks", "Stubs", "Client", "SyncClient")

# One type serves both sides of a call: hence the remark on defaults.
_DOC = """Types of the service {}.

A key that has a default may be left out by a caller; a handler always finds it."""
# What OAuth 2.0 answers a token request with (RFC 6749, section 5.1).
_TOKEN: JsonObject = {
    "type": "object",
    "description": "What the authorization server granted.",
    "properties": {
        "access_token": {"type": "string", "description": "The token that calls are made with."},
        "token_type": {"type": "string", "description": "How it is presented."},
        "expires_in": {"type": "number", "description": "Seconds that it was granted for."},
        "refresh_token": {"type": "string", "description": "Gets a new one when it has expired."},
        "scope": {"type": "string", "description": "The scopes granted, with blanks between."},
    },
    "required": ["access_token"],
}


@dataclass(frozen=True, slots=True)
class ToolTypes:
    """How a tool's handler is typed; `chunk` is None unless it streams."""

    input: Expression
    output: Name
    chunk: Name | None

    @property
    def told(self) -> Name:
        """The type of what a call tells at a time: the whole, or one chunk."""
        return self.chunk or self.output

    @property
    def answer(self) -> Expression:
        """The type of what a call gives: the whole, or an iterator over chunks."""
        return subscript("AsyncIterator", self.chunk) if self.chunk else self.output


@dataclass(frozen=True, slots=True)
class ServiceTypes:
    """The types of a service.

    `declared` are the names in `types.py`, in its order; those in `unbounded` mean `object`.
    """

    module: Module
    declared: tuple[Identifier, ...]
    unbounded: frozenset[Identifier]
    tools: tuple[ToolTypes, ...]
    settings: Expression
    credentials: Expression
    fallbacks: tuple[Fallback, ...]


def credentials_schema(service: Service) -> Schema | None:
    """Return the schema of what a handler gets as credentials; None where it gets none."""
    auth = service.auth
    if auth.kind is AuthKind.OAUTH2:
        return Schema.of(_TOKEN)
    return auth.fields if auth.kind is AuthKind.CUSTOM else None


def service_types(service: Service) -> ServiceTypes:
    """Return the types of a service, shared definitions first, then tool by tool."""
    stem = service.names.class_stem
    names = Names(RESERVED.union(f"{stem}{role}" for role in ROLES))
    own = tuple(_own(service))
    shared = {each.name: Root.of(each.name, each.schema) for each in service.definitions}
    reserved = {f"={name}": names.give(name) for name, _, _ in own}
    reserved |= {name: names.give(pascal(name) or "Definition") for name in shared}
    typer = Typer(names, shared, reserved)
    for root in shared.values():
        typer.declare(root)
    found = {name: typer.declare(Root.of(f"={name}", schema), doc) for name, schema, doc in own}
    declared = tuple(_declared(typer.declarations))
    statements = tuple(settled(typer.declarations, frozenset(declared)))
    return ServiceTypes(
        module=Module(_DOC.format(service.name), (*_imports(statements), *statements)),
        declared=declared,
        unbounded=_unbounded(typer.declarations),
        tools=tuple(_tool_types(tool, found) for tool in service.tools),
        settings=found.get(f"{stem}Settings", NONE),
        credentials=found.get(f"{stem}Credentials", NONE),
        fallbacks=tuple(typer.fallbacks),
    )


def _own(service: Service) -> Iterator[tuple[str, Schema, str]]:
    """Yield the types with a fixed name: the name, the schema, and what is said if it says nothing."""
    stem = service.names.class_stem
    if service.settings is not None:
        yield f"{stem}Settings", service.settings, "What an administrator configures."
    credentials = credentials_schema(service)
    if credentials is not None:
        yield f"{stem}Credentials", credentials, "What calls are signed in with."
    for tool in service.tools:
        name, full = tool.names.type_stem, tool.names.full
        if tool.input_form is InputForm.OBJECT:
            yield f"{name}Input", _of_object(tool.input), f"Arguments of `{full}`."
        yield f"{name}Output", tool.output, f"Result of `{full}`."
        if tool.streaming and tool.chunk is not None:
            yield f"{name}Chunk", tool.chunk, f"One piece of the result of `{full}`."


def _of_object(schema: Schema) -> Schema:
    """Return an input schema that says so: arguments are an object whatever it leaves out (MCP)."""
    bundle = schema.bundle
    if isinstance(bundle, dict) and "type" not in bundle:
        return replace(schema, bundle={"type": "object", **bundle})
    return schema


def _tool_types(tool: Tool, found: Mapping[str, Name]) -> ToolTypes:
    stem = tool.names.type_stem
    if tool.input_form is InputForm.OBJECT:
        taken: Expression = found[f"{stem}Input"]
    elif tool.input_form is InputForm.TEXT:
        taken = STRING
    else:
        taken = subscript("Mapping", STRING, OBJECT)
    return ToolTypes(taken, found[f"{stem}Output"], found.get(f"{stem}Chunk"))


def _declared(declarations: Iterable[Assign | Class]) -> Iterator[Identifier]:
    for each in declarations:
        if isinstance(each, Class):
            yield each.name
        elif isinstance(each.target, Name):
            yield each.target.id


def _unbounded(declarations: Iterable[Assign | Class]) -> frozenset[Identifier]:
    """Return the aliases that end in `object`."""
    found: dict[Expression | None, Identifier] = {}
    for each in declarations:
        if isinstance(each, Class) or not isinstance(each.target, Name):
            continue
        if each.value == OBJECT or each.value in found:
            found[each.target] = each.target.id
    return frozenset(found.values())


def _imports(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the imports that these declarations need, no more."""
    used = names_used(statements)
    wanted = [name for name in FROM_TYPING if name in used]
    yield FUTURE
    if wanted:
        yield from_import("typing", *wanted)
