"""Programs made by hand for the tests of targets: a realistic service, and one of hostile texts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.ir import (
    Annotations,
    Auth,
    AuthKind,
    DeclaredError,
    Deprecation,
    Effect,
    Example,
    Hooks,
    Icon,
    Idempotency,
    InputForm,
    Permission,
    PermissionKind,
    Program,
    Provenance,
    Reduction,
    Risk,
    Schema,
    Scope,
    ScopeRule,
    Service,
    ServiceNames,
    TaskSupport,
    Timeout,
    Tool,
    ToolNames,
)

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

CLOSED: JsonObject = {"type": "object", "properties": {}, "additionalProperties": False}
ANYTHING = True
REPOSITORY: JsonObject = {
    "type": "object",
    "description": "A repository.",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "fullName": {"type": "string", "description": "Owner and name."},
        "owner": {"$ref": "#/$defs/User"},
        "forks": {"type": "array", "items": {"$ref": "#/$defs/Repository"}},
    },
    "required": ["id", "fullName"],
}
USER: JsonObject = {
    "type": "object",
    "properties": {"login": {"type": "string"}, "site": {"type": ["string", "null"]}},
    "required": ["login"],
}


def hints(title: str, letters: str) -> Annotations:
    """Annotations by the initials of those that are true: `rdio`."""
    return Annotations(title, *(each in letters for each in "rdio"))


def tool(name: str, service: str = "github", **changes: object) -> Tool:
    """A read-only tool without parameters, and what is changed of it."""
    made = Tool(
        name=name,
        names=ToolNames(f"{service}_{name}", name.lower(), name[:1].upper() + name[1:]),
        title=name,
        description=f"Do {name}.",
        summary=f"Do {name}.",
        input=Schema.of(CLOSED),
        input_form=InputForm.OBJECT,
        arguments=CLOSED,
        output=Schema.of({"type": "string"}),
        mutation=False,
        annotations=hints(name, "rio"),
        risk=Risk(0),
        provenance=Provenance("specs/github.yaml", "/tools/0", 10, "0" * 64),
    )
    return replace(made, **changes)  # type: ignore[arg-type] # keys are fields of Tool


def takes(schema: JsonObject) -> dict[str, object]:
    """The changes that give a tool an input schema."""
    return {"input": Schema.of(schema), "arguments": schema}


def service(*tools: Tool, name: str = "github", **changes: object) -> Service:
    made = Service(
        name=name,
        names=ServiceNames(name, name.capitalize()),
        version="1.0.0",
        title=name.capitalize(),
        description=f"The service {name}.",
        tools=tools,
    )
    return replace(made, **changes)  # type: ignore[arg-type] # keys are fields of Service


def rich_program() -> Program:
    """Two services that use every field there is."""
    return Program((_billing(), _github()))


def _github() -> Service:
    listing = tool(
        "listRepositories",
        title="List repositories",
        description="List repositories of the signed-in user.\n\nNewest first.",
        summary="List repositories of the signed-in user.",
        group="Repositories",
        tags=("repos", "read"),
        output=Schema.of(
            {
                "type": "array",
                "items": {"$ref": "#/$defs/Repository"},
                "$defs": {"Repository": REPOSITORY, "User": USER},
            }
        ),
        examples=(Example("The first page", {"page": 1, "visibility": "public"}, [{"id": 1}]),),
        icons=(Icon("https://example.com/i.png", "image/png", ("48x48",), "light"),),
        aliases=("repos",),
        **takes(
            {
                "type": "object",
                "properties": {
                    "page": {"type": "integer", "minimum": 1, "default": 1},
                    "visibility": {"type": "string", "enum": ["all", "public"], "default": "all"},
                    "filter": {
                        "type": "object",
                        "description": "What to look for.",
                        "properties": {"topic": {"type": "string", "pattern": "^[a-z|]+$"}},
                        "required": ["topic"],
                    },
                },
                "additionalProperties": False,
            }
        ),
    )
    stream = tool(
        "streamMessage",
        mutation=True,
        annotations=hints("Stream", "do"),
        risk=Risk(3, "It sends mail."),
        streaming=True,
        chunk=Schema.of({"type": "string"}),
        reduction=Reduction.JOIN,
        effects=(Effect.MESSAGE,),
        task_support=TaskSupport.OPTIONAL,
        timeout=Timeout(30, 300.5),
        idempotency=Idempotency.OPTIONAL,
        deprecated=Deprecation("1.1", "github_send", "2.0"),
        version="1.0",
        permissions=(Permission(PermissionKind.WEB, "api.github.com", "POST"),),
        scopes=(ScopeRule(("repo", "public_repo")),),
        hooks=Hooks(("trace",), ("check",), ("shape",), ("count",)),
        verify=True,
        revert=True,
        errors=(DeclaredError("not_found", "There is no such user."),),
        extensions={"x-owner": "team-a", "x-toolspec-allow": []},
    )
    return service(
        listing,
        stream,
        title="GitHub",
        instructions="Look first, write later.",
        category="developer",
        settings=Schema.of(
            {
                "type": "object",
                "properties": {
                    "baseUrl": {"type": "string", "format": "uri", "default": "https://a.example"},
                    "secret": {"type": "string", "format": "password"},
                },
                "required": ["baseUrl"],
            }
        ),
        auth=Auth(
            AuthKind.OAUTH2,
            authorization_url="https://a.example/auth",
            token_url="https://a.example/token",  # noqa: S106 # an address
            scopes=(Scope("repo", "Read and write."), Scope("public_repo", "Read.")),
        ),
        scopes=(ScopeRule(("repo",)),),
        timeout=Timeout(total=60),
        extensions={"x-team": "core"},
    )


def _billing() -> Service:
    writes = hints("Note", "")
    note = tool(
        "addNote",
        "billing",
        mutation=True,
        annotations=writes,
        risk=Risk(2),
        output=Schema.of(ANYTHING),
        provenance=Provenance("b.json", "/tools/0", 3, "1" * 64, "mcp-tools", "d.json", "note"),
    )
    fields: JsonValue = {
        "type": "object",
        "properties": {
            "token": {"type": "string", "writeOnly": True},
            "region": {"type": "string"},
        },
        "required": ["token"],
    }
    return service(
        note,
        name="billing",
        auth=Auth(AuthKind.CUSTOM, fields=Schema.of(fields)),
    )


def hostile_program(text: str) -> Program:
    """One service in which every text that an author can write is the same one."""
    leaf = {
        "type": "string",
        "title": text,
        "description": text,
        "default": text,
        "enum": [text],
        "examples": [text],
        "format": text,
        "pattern": text,
        "contentMediaType": text,
    }
    schema = {
        "type": "object",
        "title": text,
        "description": text,
        "properties": {
            text: leaf,
            "constant": {"const": text},
            "named": {"$ref": "#/$defs/Named"},
            "union": {"oneOf": [{"title": text, "properties": {"a": leaf}}, {"properties": {}}]},
        },
        "patternProperties": {text: {"type": "object", "properties": {"b": leaf}}},
        "$defs": {"Named": {"type": "object", "description": text, "properties": {text: leaf}}},
    }
    made = tool(
        "attack",
        title=text,
        description=text,
        summary=text,
        group=f"Group {text}",
        tags=(text,),
        version="1.0",  # its grammar, as that of names, leaves no room for anything
        aliases=(text,),
        deprecated=Deprecation(text, text, text),
        output=Schema.of(schema),
        streaming=True,
        chunk=Schema.of(schema),
        reduction=Reduction.LAST,
        output_content_type=text,
        annotations=hints(text, "rio"),
        risk=Risk(3, text),
        permissions=(Permission(PermissionKind.WEB, text, text),),
        scopes=(ScopeRule((text, text)),),
        hooks=Hooks((text,)),
        errors=(DeclaredError(text, text),),
        examples=(Example(text, {text: text}, [text]), Example(text, text, error=text)),
        provenance=Provenance(text, text, 1, "", text, text, text),
        extensions={f"x-{text}": {text: [text]}, "x-a": text},
        **takes(schema),
    )
    return Program(
        (
            service(
                made,
                title=text,
                description=text,
                instructions=text,
                category=text,
                version=text,
                settings=Schema.of(schema),
                extensions={f"x-{text}": text},
                auth=Auth(
                    AuthKind.CUSTOM,
                    authorization_url=text,
                    token_url=text,
                    scopes=(Scope(text, text),),
                    fields=Schema.of(schema),
                ),
            ),
        )
    )
