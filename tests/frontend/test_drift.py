"""The document schema, what binding reads, the program and the example specs speak of one language."""

from __future__ import annotations

import dataclasses
import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from contract_walk import declared, used, walk
from files_in_memory import FilesInMemory
from toolspec import ir
from toolspec.frontend.bind.unit import bind
from toolspec.frontend.includes.unit import expand
from toolspec.frontend.shape.document import Form, check
from toolspec.syntax import parse
from toolspec.syntax.nodes import Document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ICON = {
    "src": "https://example.com/a.png",
    "mimeType": "image/png",
    "sizes": ["any"],
    "theme": "dark",
}
INSTANCE = {"title": "The main one", "description": "Where everything is."}
HOOKS = {"middleware": ["trace"], "before": ["look"], "after": ["redact"], "afterResponse": ["log"]}
OWN_HOOKS = {key: [f"own_{name}" for name in names] for key, names in HOOKS.items()}
AUTHS = [
    {"type": "none"},
    {
        "type": "oauth2",
        "authorizationUrl": "https://example.com/authorize",
        "tokenUrl": "https://example.com/token",
        "scopes": {"a": "First", "b": "Second"},
        "credentials": "shared",
        "authorizeParameters": {"prompt": "consent"},
        "tokenResponse": {
            "accessToken": "a",
            "refreshToken": "r",
            "expiresIn": "e",
            "tokenType": "t",
        },
    },
    {
        "type": "custom",
        "fields": {"type": "object", "properties": {"access_token": {"type": "string"}}},
        "credentials": "shared",
    },
]
HTTP = {
    "method": "POST",
    "path": "/send/{to}",
    "server": "https://example.com/{region}",
    "accept": "text/plain",
    "security": ["custom"],
    "in": {
        "who": {"name": "to", "style": "label", "explode": True},
        "which": {"allowReserved": True, "contentType": "application/json", "nulls": "empty"},
        "text": {"file": True},
        "why": {"in": "header"},
    },
    "body": {"argument": "text", "contentType": "text/plain"},
}
TOOL = {
    "name": "sendIt",
    "title": "Send",
    "description": "Send it. Really.",
    "summary": "Sends",
    "inputSchema": {
        "type": "object",
        "properties": {
            "who": {"type": "string", "default": "you"},
            "which": {"type": "integer"},
            "why": {"type": "string"},
            "text": {"type": "string"},
        },
    },
    "outputSchema": {"type": "object"},
    "chunkSchema": {"type": "object"},
    "mutation": True,
    "streaming": True,
    "annotations": {
        "title": "Sending",
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
    "taskSupport": "optional",
    "group": "Sending",
    "tags": ["send"],
    "icons": [ICON],
    "icon": "send",
    "version": "1.0",
    "wireName": "send.it",
    "aliases": ["send"],
    "deprecated": {"since": "1", "use": "other", "remove": "2"},
    "outputContentType": "application/problem+json",
    "formats": "assert",
    "http": HTTP,
    "permissions": [{"file": "f", "op": "read"}, {"web": "w", "op": "GET"}, {"tool": "t"}],
    "scopes": ["a", {"any": ["a", "b"]}],
    "verify": True,
    "revert": True,
    **OWN_HOOKS,
    "idempotency": "required",
    "timeout": {"idle": "500ms", "total": 2},
    "limits": {"resultBytes": 4194304},
    "errors": [{"code": "gone", "description": "It is gone.", "retryable": True}],
    "examples": [
        {"title": "One", "input": {"a": 1}, "output": {}},
        {"title": "Two", "input": {"a": 2}, "error": "gone"},
    ],
    "effects": ["money"],
    "risk": {"tier": 3, "reason": "Money moves."},
    "source": {"kind": "mcp", "location": "https://example.com", "member": "send_it"},
}
FRAGMENT = {
    "$schema": "part.v1.schema.json",
    "$defs": {"B": {"type": "string"}},
    "tools": {"other": {**TOOL, "name": "other", "aliases": ["another"], "wireName": "other.it"}},
}


def tool(auth: Mapping[str, object]) -> dict[str, object]:
    """Return a tool with every field, with credentials where a service has them."""
    token = {"access_token": {"in": "header", "name": "X-Token"}}
    return {**TOOL, "http": {**HTTP, "security": [token, "custom"]}} if len(auth) > 1 else TOOL


def document(auth: Mapping[str, object]) -> dict[str, object]:
    return {
        "$schema": "service.v1.schema.json",
        "toolspec": 1,
        "service": {
            "name": "post",
            "names": "as-written",
            "version": "1.2.3",
            "title": "The post",
            "description": "Sends things.",
            "instructions": "Be kind.",
            "category": "mail",
            "icons": [ICON],
            "settings": {"type": "object", "properties": {"region": {"type": "string"}}},
            "auth": auth,
            "instances": {"main": INSTANCE, "other": INSTANCE},
            "modes": {"sandbox": {"description": "Nothing is sent."}},
            "scopes": ["a"],
            "permissions": [{"tool": "t"}],
            "timeout": {"idle": "1s", "total": "1m"},
            "formats": "annotate",
            **HOOKS,
        },
        "$defs": {"A": {"type": "string"}},
        "include": ["more.json"],
        "tools": [tool(auth)],
    }


def parsed(value: object, path: str = "post.json") -> Document:
    found = parse(path, json.dumps(value).encode())
    assert found.ok
    assert found.value is not None
    return found.value


class Watched(dict[str, object]):
    """A mapping that notes which of its keys are asked for."""

    def __init__(self, value: dict[str, object], asked: set[str]) -> None:
        super().__init__(value)
        self.asked = asked

    def get(self, key: str, default: object = None) -> object:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> object:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return super().__contains__(key)


def test_the_documents_of_this_test_use_every_property() -> None:
    seen = set(used(FRAGMENT, "fragment"))
    for auth in AUTHS:
        assert check(parsed(document(auth)), Form.SERVICE) == ()
        seen.update(used(document(auth)))
    missing = {(name, key) for name, keys in declared().items() for key in keys} - seen
    assert not missing


def test_binding_reads_every_property() -> None:
    asked: dict[str, set[str]] = defaultdict(set)

    def watch(mapping: dict[str, object], name: str) -> Watched:
        return Watched(mapping, asked[name])

    fragment = parsed(FRAGMENT, "more.json")
    fragment = dataclasses.replace(fragment, value=walk(fragment.value, "fragment", watch))
    for auth in AUTHS:
        whole = parsed(document(auth))
        watched = dataclasses.replace(whole, value=walk(whole.value, "", watch))
        unit = expand(watched, FilesInMemory({"more.json": fragment}))
        assert unit.ok
        service = bind(unit.value).value
        # A mapping from name to name: read as a whole.
        asked["tokenResponse"].update(dict(service.auth.token_response))
    asked[""].add("toolspec")  # the version of the language is the document schema's to check
    for name in ("", "fragment"):
        asked[name].add("$schema")  # read by editors alone
    unread = {name: sorted(keys - asked[name]) for name, keys in declared().items()}
    assert {name: keys for name, keys in unread.items() if keys} == {}


# Where a property has another name in the program, and what a definition there is called.
CLASSES = {
    "service": ir.Service,
    "tool": ir.Tool,
    "annotations": ir.Annotations,
    "authOauth2": ir.Auth,
    "authCustom": ir.Auth,
    "timeout": ir.Timeout,
    "limits": ir.CallLimits,
    "iconObject": ir.Icon,
    "deprecation": ir.Deprecation,
    "instance": ir.Instance,
    "mode": ir.Mode,
    "error": ir.DeclaredError,
    "example": ir.Example,
    "risk": ir.Risk,
    "source": ir.Provenance,
    "scopeRule": ir.ScopeRule,
    "permission": ir.Permission,
    "http": ir.HttpBinding,
    "httpArgument": ir.HttpArgument,
    "httpBody": ir.HttpBody,
    "httpCredential": ir.HttpCredential,
}
RENAMED = {
    "names": "naming",
    "inputSchema": "input",
    "outputSchema": "output",
    "chunkSchema": "chunk",
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
    "source": "provenance",
    "any": "any_of",
    "op": "operation",
    "file": "resource",
    "web": "resource",
    "tool": "resource",
    **dict.fromkeys(("middleware", "before", "after", "afterResponse"), "hooks"),
}
# What no property says: made by the compiler, or carried along.
DERIVED = {
    ir.Service: {"names", "tools", "definitions", "extensions", "location", "broken"},
    ir.Instance: {"name"},
    ir.Mode: {"name"},
    ir.Tool: {
        "names",
        "instances",
        "input_form",
        "arguments",
        "reduction",
        "extensions",
        "location",
        "broken",
    },
    ir.Annotations: {"stated"},
    ir.Example: {"location"},
    ir.Provenance: {"file", "pointer", "line", "digest"},
    ir.HttpArgument: {"argument", "is_base64", "is_json"},
    ir.HttpBody: {"binary"},
    ir.HttpCredential: {"field"},
}
SPECIAL = {
    ir.Auth: {"type": "kind"},
    ir.HttpBinding: {"in": "arguments"},
    ir.HttpArgument: {"in": "place", "file": "is_file"},
    ir.HttpCredential: {"in": "place"},
}
PERMISSION_KIND = {"kind"}


def test_the_program_has_a_field_for_every_property_and_no_other() -> None:
    wanted: dict[type, set[str]] = defaultdict(set)
    for name, owner in CLASSES.items():
        renamed = RENAMED | SPECIAL.get(owner, {})
        wanted[owner] |= {renamed.get(key, _snake(key)) for key in declared()[name]}
    wanted[ir.Permission] |= PERMISSION_KIND
    for owner, names in wanted.items():
        fields = {field.name for field in dataclasses.fields(owner)}
        assert names | DERIVED.get(owner, set()) == fields, owner


def test_every_property_is_shown_in_the_example_specs(repository: Path) -> None:
    files = [path for path in sorted((repository / "specs").rglob("*")) if path.is_file()]
    if not files:
        pytest.skip("there are no example specs yet")
    seen: set[tuple[str, str]] = set()
    for path in files:
        value = parsed_file(path)
        seen.update(used(value, "" if "toolspec" in value else "fragment"))
    missing = {(name, key) for name, keys in declared().items() for key in keys} - seen
    assert not missing


def parsed_file(path: Path) -> dict[str, object]:
    document = parse(path.name, path.read_bytes()).value
    assert document is not None
    assert isinstance(document.value, dict)
    return document.value


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()
