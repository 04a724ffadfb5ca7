"""Two services that fill every place of the language that can hold a text, and a name for each place.

`SLOTS` says how a payload gets into a place. A slot of kind `key` renames a key and what refers to
it. A slot whose syntax is closed has a template, so that the payload arrives behind a legal start.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Steps = tuple[str | int, ...]


@dataclass(frozen=True)
class Slot:
    """One place: where it is, how the payload is wrapped, and whether it gives Python its names."""

    name: str
    document: str
    edits: tuple[tuple[str, Steps], ...]
    template: str = "{}"
    is_name: bool = False

    def fill(self, payload: str) -> dict[str, Any]:
        """Return the slot's document with a payload in its place."""
        document = copy.deepcopy(DOCUMENTS[self.document])
        text = self.template.replace("{}", payload)
        for kind, steps in self.edits:
            parent: Any = document
            for step in steps[:-1]:
                parent = parent[step]
            last = steps[-1]
            if kind == "key":
                renamed = {text if key == last else key: value for key, value in parent.items()}
                parent.clear()
                parent.update(renamed)
            else:
                parent[last] = "#/$defs/" + pointer_step(text) if kind == "ref" else text
        return document


def pointer_step(text: str) -> str:
    """Return a key as a step of a JSON Pointer in the fragment of a URI."""
    from urllib.parse import quote

    return quote(text.replace("~", "~0").replace("/", "~1"), safe="~")


CASES = Path(__file__).parent.parent / "cases" / "injection"
DOCUMENTS = {
    name: json.loads((CASES / f"{name}.json").read_text()) for name in ("tracker", "speaker")
}
COMPANIONS = {
    "tracker": {},
    "speaker": {"parts/more.json": (CASES / "parts" / "more.json").read_text()},
}

_SEARCH: Steps = ("tools", 0)
_IN: Steps = (*_SEARCH, "inputSchema")
_PROPERTIES: Steps = (*_IN, "properties")
_ISSUE: Steps = ("$defs", "Issue")

# Every string of a document is a slot as it stands, except what is listed here.
_TEMPLATES = {
    "service.icons.0.src": "https://example.com/{}",
    "service.icons.0.mimeType": "image/{}",
    "service.icons.0.sizes.0": "48x48{}",
    "service.version": "1.2.3-{}",
    "service.timeout.idle": "30s{}",
    "service.auth.authorizationUrl": "https://example.com/?{}",
    "service.auth.tokenUrl": "https://example.com/#{}",
    "tools.say.outputContentType": 'text/plain; a="{}"',
    "tools.0.http.path": "/issues{}",
    "tools.0.http.server": "https://example.com/{}",
    "tools.0.http.accept": "text/{}",
    "tools.0.http.in.kind.contentType": 'text/plain; a="{}"',
    "tools.0.version": "2.0-{}",
    "tools.0.icon": "search{}",
    "tools.0.aliases.0": "find{}",
    "tools.0.errors.0.code": "too{}",
    "tools.0.before.0": "check{}",
    "include.0": "parts/{}",
    "tools.0.permissions.0.file": "~/{}/**",
    "tools.0.permissions.1.web": "api.example.com/{}",
}
_NAMES = {
    "service.name",
    "service.middleware.0",
    "tools.0.name",
    "tools.1.name",
    "tools.0.before.0",
}
# A reference is not text, and what it must equal is filled in with it.
_LEFT_OUT = {"$ref", "type", "op", "required", "dependentRequired", "error", "scopes"}


def _texts(value: Any, path: Steps = ()) -> list[Steps]:
    if isinstance(value, str):
        return [path]
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = [(key, each) for key, each in value.items() if key not in _LEFT_OUT]
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [found for key, each in items for found in _texts(each, (*path, key))]


def _text_slot(document: str, path: Steps) -> Slot:
    name = ".".join(map(str, path))
    edits = (("value", path),)
    return Slot(f"{document}:{name}", document, edits, _TEMPLATES.get(name, "{}"), name in _NAMES)


def _key(name: str, document: str, *edits: tuple[str, Steps], is_name: bool = False) -> Slot:
    return Slot(f"{document}:{name}", document, edits, is_name=is_name)


SLOTS = (
    *(_text_slot(name, path) for name, value in DOCUMENTS.items() for path in _texts(value)),
    _key("key of an extension", "tracker", ("key", ("service", "x-owner", "team"))),
    Slot("tracker:extension", "tracker", (("key", ("service", "x-owner")),), "x-{}"),
    Slot("tracker:extension of a tool", "tracker", (("key", (*_SEARCH, "x-cost")),), "x-{}"),
    Slot("tracker:extension of a schema", "tracker", (("key", (*_IN, "x-hint")),), "x-{}"),
    _key("keyword of a schema", "tracker", ("key", (*_IN, "x-hint"))),
    _key("key of a service", "tracker", ("key", ("service", "x-owner"))),
    _key("key of a tool", "tracker", ("key", (*_SEARCH, "group"))),
    _key(
        "pattern of keys",
        "tracker",
        ("key", (*_ISSUE, "properties", "by", "patternProperties", "^x-")),
    ),
    _key(
        "scope",
        "tracker",
        ("key", ("service", "auth", "scopes", "issues")),
        ("value", ("service", "scopes", 0)),
        ("value", ("service", "scopes", 1, "any", 1)),
        ("value", (*_SEARCH, "scopes", 0)),
    ),
    _key("description of a scope", "tracker", ("value", ("service", "auth", "scopes", "issues"))),
    _key("scope, asked for only", "tracker", ("value", (*_SEARCH, "scopes", 0))),
    _key(
        "authorize parameter",
        "tracker",
        ("key", ("service", "auth", "authorizeParameters", "prompt")),
    ),
    _key("property", "tracker", ("key", (*_PROPERTIES, "code")), is_name=True),
    _key(
        "required property",
        "tracker",
        ("key", (*_PROPERTIES, "query")),
        ("value", (*_IN, "required", 0)),
        ("key", (*_SEARCH, "examples", 0, "input", "query")),
        ("key", (*_SEARCH, "examples", 1, "input", "query")),
        is_name=True,
    ),
    _key("required property that is not there", "tracker", ("value", (*_IN, "required", 0))),
    _key(
        "property of a shared schema",
        "tracker",
        ("key", (*_ISSUE, "properties", "by")),
        is_name=True,
    ),
    _key(
        "property of an output",
        "speaker",
        ("key", ("tools", "count", "outputSchema", "properties", "words")),
        is_name=True,
    ),
    _key(
        "property of a chunk",
        "speaker",
        ("key", ("tools", "count", "chunkSchema", "properties", "words")),
        is_name=True,
    ),
    _key(
        "setting", "tracker", ("key", ("service", "settings", "properties", "level")), is_name=True
    ),
    _key(
        "credential",
        "speaker",
        ("key", ("service", "auth", "fields", "properties", "key")),
        is_name=True,
    ),
    _key(
        "local definition",
        "tracker",
        ("key", (*_IN, "$defs", "Page")),
        ("ref", (*_PROPERTIES, "local", "$ref")),
        is_name=True,
    ),
    _key(
        "shared definition",
        "tracker",
        ("ref", (*_ISSUE, "properties", "parent", "$ref")),
        ("ref", (*_SEARCH, "outputSchema", "items", "$ref")),
        ("ref", ("tools", 1, "outputSchema", "$ref")),
        ("ref", ("tools", 1, "inputSchema", "properties", "issue", "$ref")),
        ("key", _ISSUE),
        is_name=True,
    ),
    Slot(
        "tracker:dangling reference",
        "tracker",
        (("value", (*_PROPERTIES, "local", "$ref")),),
        "parts/{}",
    ),
    _key("dependent property", "tracker", ("value", (*_IN, "dependentRequired", "kind", 0))),
    _key("type", "tracker", ("value", (*_PROPERTIES, "query", "type"))),
    _key("operation", "tracker", ("value", (*_SEARCH, "permissions", 0, "op"))),
    _key("key of a tool map", "speaker", ("key", ("tools", "say")), is_name=True),
    _key("error of an example", "tracker", ("value", (*_SEARCH, "examples", 1, "error"))),
    _key("input of an example", "tracker", ("value", (*_SEARCH, "examples", 0, "input", "query"))),
    Slot(
        "tracker:permission of a tool",
        "tracker",
        (("value", (*_SEARCH, "permissions", 2, "tool")),),
    ),
)
