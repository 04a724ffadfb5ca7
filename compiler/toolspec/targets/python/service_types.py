"""Types module of a service (`types.py`): types of its tools, settings and credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import AuthKind, InputForm, Schema
from toolspec.shared.records import dataclass, replace
from toolspec.targets.python.defaults import DefaultedSchema, RootNames
from toolspec.targets.python.expressions import (
    NEVER,
    NONE,
    OBJECT,
    STRING,
    Const,
    Name,
    subscript,
)
from toolspec.targets.python.identifiers import Names, pascal
from toolspec.targets.python.imports import HOMES
from toolspec.targets.python.records import Alias, settled
from toolspec.targets.python.schema_location import Locations, Root, SchemaLocation
from toolspec.targets.python.typer import Typer
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.python.expressions import Expression
    from toolspec.targets.python.identifiers import Identifier
    from toolspec.targets.python.records import Declaration
    from toolspec.targets.python.typer import Fallback

FROM_TYPING = ("Literal", "Never", "NotRequired", "TypeAlias", "TypedDict", "Union")

# Names in the service's other modules, not available for types.
RESERVED = frozenset((*FROM_TYPING, *HOMES, "Protocol", "SERVICE", "AttributeError"))
ROLES = ("Handlers", "Hooks", "Stubs", "Client", "SyncClient")

_DOC = "Types of the {} service."
_TWICE_DOC = (
    "Types with defaults exist twice: `{0}` is what a handler receives, with defaults; `{1}` is "
    "what a caller passes, where keys with a default are optional."
)
# Response of OAuth 2.0 to a token request (RFC 6749, section 5.1).
_TOKEN: JsonObject = {
    "type": "object",
    "description": "Token response of the authorization server.",
    "properties": {
        "access_token": {"type": "string", "description": "Token for calls."},
        "token_type": {"type": "string", "description": "Type of the token."},
        "expires_in": {"type": "number", "description": "Lifetime in seconds."},
        "refresh_token": {"type": "string", "description": "Token that renews an expired one."},
        "scope": {"type": "string", "description": "Granted scopes, separated by spaces."},
    },
    "required": ["access_token"],
}


@dataclass(frozen=True, slots=True)
class ToolTypes:
    """Types of a tool; only one that streams has a `chunk`.

    `arguments` is the type that callers pass, `input` the type that the handler gets.
    """

    arguments: Expression
    input: Expression
    output: Name
    chunk: Name | None

    @property
    def told(self) -> Name:
        """Type of the values that a call yields or returns: a chunk, or the whole result."""
        return self.chunk or self.output

    @property
    def answer(self) -> Expression:
        """Return type of a call: the result, or an iterator over chunks."""
        return subscript("AsyncIterator", self.chunk) if self.chunk else self.output


@dataclass(frozen=True, slots=True)
class ServiceTypes:
    """Types of a service: the declarations of `types.py`, and what it says about itself.

    `declared` are the names in `types.py`, in its order; those in `unbounded` mean `object`, and
    those in `impossible` `Never`. The types with prefix `given` are parameters of `bind`, those
    without it are what handlers get.
    """

    doc: str
    declarations: tuple[Declaration, ...]
    declared: tuple[Identifier, ...]
    unbounded: frozenset[Identifier]
    impossible: frozenset[Identifier]
    tools: tuple[ToolTypes, ...]
    instance: Expression
    settings: Expression
    given_settings: Expression
    credentials: Expression
    given_credentials: Expression
    fallbacks: tuple[Fallback, ...]


def credentials_schema(service: Service) -> Schema | None:
    """Return the schema of the credentials that handlers get; None where they get none."""
    auth = service.auth
    if auth.kind is AuthKind.OAUTH2:
        return Schema.of(_TOKEN)
    return auth.fields if auth.kind is AuthKind.CUSTOM else None


@dataclass(frozen=True, slots=True)
class _Own:
    """A type with a fixed name; `doc` is its documentation if its schema has none.

    `given` is the name of the type before defaults are filled in, empty if that is the same type.
    """

    name: str
    root: Root
    doc: str
    given: str = ""


def service_types(service: Service, *, is_binary: bool = False) -> ServiceTypes:
    """Return the types of a service, shared definitions first, then tool by tool.

    With `is_binary`, base64 is `bytes`.
    """
    stem = service.names.class_stem
    names = Names(RESERVED.union(f"{stem}{role}" for role in ROLES))
    shared = {
        definition.name: Root.of(definition.name, definition.schema)
        for definition in service.definitions
    }
    locations = Locations(shared)
    roots = RootNames(names, DefaultedSchema(locations))
    own = tuple(_own(service, roots.filling))
    for each in own:
        roots.plain[each.root.key] = names.give(each.name)
        if each.given:
            roots.given[each.root.key] = names.give(each.given)
    for key in shared:
        roots.plain[key] = names.give(pascal(key) or "Definition")
    typer = Typer(names, locations, roots, is_binary=is_binary)
    for root in shared.values():
        typer.declare(root)
    found = {each.name: _declare(each, typer) for each in own}
    declared = tuple(declaration.name for declaration in typer.declarations)
    declarations = tuple(settled(typer.declarations, frozenset(declared)))
    instance: Expression = STRING
    if service.instances:
        instance = Name(names.give(f"{stem}Instance"))
        chosen = subscript("Literal", *(Const(each.name) for each in service.instances))
        alias = Alias(instance.id, chosen, "A configured target of the service.")
        declared, declarations = (instance.id, *declared), (alias, *declarations)
    settings = found.get(f"{stem}Settings", (NONE, NONE))
    credentials = found.get(f"{stem}Credentials", (NONE, NONE))
    return ServiceTypes(
        doc=_doc(service, found.values()),
        declarations=declarations,
        declared=declared,
        unbounded=_aliases_of(OBJECT, typer.declarations),
        impossible=_aliases_of(NEVER, typer.declarations),
        tools=tuple(_tool_types(tool, found) for tool in service.tools),
        instance=instance,
        settings=settings[0],
        given_settings=settings[1],
        credentials=credentials[0],
        given_credentials=credentials[1],
        fallbacks=tuple(dict.fromkeys(typer.fallbacks)),
    )


def types_of(service: Service, tool: Tool) -> list[str]:
    """Return the type names of a tool, the handler's input first."""
    types = service_types(service)
    found = next(each for one, each in zip(service.tools, types.tools, strict=True) if one is tool)
    every = (found.input, found.arguments, found.output, found.chunk)
    named = [each.id for each in every if isinstance(each, Name) and each.id in types.declared]
    return list(dict.fromkeys(named))


def _doc(service: Service, found: Iterable[tuple[Name, Name]]) -> str:
    """Return the module's documentation, with an example of a type that exists twice."""
    twice = (_TWICE_DOC.format(got.id, given.id) for got, given in found if got != given)
    return documentation(_DOC.format(service.name), next(twice, ""), depth=0)


def _declare(own: _Own, typer: Typer) -> tuple[Name, Name]:
    """Return the types with and without defaults filled in, which are usually the same."""
    if not own.given:
        return (typer.declare(own.root, own.doc),) * 2
    got = typer.declare(own.root, f"{own.doc} Defaults are filled in.", filled=True)
    return got, typer.declare(own.root, own.doc)


def _own(service: Service, filling: DefaultedSchema) -> Iterator[_Own]:
    """Yield the types with a fixed name."""
    stem = service.names.class_stem

    def filled(name: str, schema: Schema, doc: str, given: str) -> _Own:
        root = Root.of(f"={name}", schema)
        return _Own(
            name, root, doc, given if filling.adds(SchemaLocation(root, (), root.value)) else ""
        )

    if service.settings is not None:
        name, doc = f"{stem}Settings", "Settings of an administrator."
        yield filled(name, service.settings, doc, f"{name}Given")
    credentials = credentials_schema(service)
    if credentials is not None:
        name, doc = f"{stem}Credentials", "Credentials."
        yield filled(name, credentials, doc, f"{name}Given")
    for tool in service.tools:
        yield from _of_tool(tool, filled)


def _of_tool(tool: Tool, filled: Callable[[str, Schema, str, str], _Own]) -> Iterator[_Own]:
    name, full = tool.names.type_stem, tool.names.full
    if tool.input_form is InputForm.OBJECT:
        doc = f"Arguments of `{full}`."
        yield filled(f"{name}Input", _of_object(tool.input), doc, f"{name}Arguments")
    rest = [("Output", tool.output, "Result")]
    if tool.streaming and tool.chunk is not None:
        rest.append(("Chunk", tool.chunk, "One piece of the result"))
    for role, schema, what in rest:
        root = Root.of(f"={name}{role}", schema)
        yield _Own(f"{name}{role}", root, f"{what} of `{full}`.")


def _of_object(schema: Schema) -> Schema:
    """Return an input schema with `type: object`, which MCP implies for arguments."""
    bundle = schema.bundle
    if isinstance(bundle, dict) and "type" not in bundle:
        return replace(schema, bundle={"type": "object", **bundle})
    return schema


def _tool_types(tool: Tool, found: Mapping[str, tuple[Name, Name]]) -> ToolTypes:
    stem = tool.names.type_stem
    got: Expression = subscript("Mapping", STRING, OBJECT)
    if tool.input_form is InputForm.TEXT:
        got = STRING
    given = got
    if tool.input_form is InputForm.OBJECT:
        got, given = found[f"{stem}Input"]
    chunk = found.get(f"{stem}Chunk", (None,))[0]
    return ToolTypes(given, got, found[f"{stem}Output"][0], chunk)


def _aliases_of(meaning: Expression, declarations: Iterable[Declaration]) -> frozenset[Identifier]:
    """Return the aliases that resolve to a type."""
    found: dict[Expression, Identifier] = {}
    for declaration in declarations:
        if isinstance(declaration, Alias) and (
            declaration.type == meaning or declaration.type in found
        ):
            found[Name(declaration.name)] = declaration.name
    return frozenset(found.values())
