"""Synonyms that model APIs and MCP use for keys of a tool, and whether a value fits a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend.shape.contract import contract
from toolspec.frontend.wording import TRUTHS
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.shared.json_values import Accepts
    from toolspec.syntax.nodes import JsonObject, JsonValue

_INPUT = ("parameters", "params", "args", "arguments", "input", "inputs", "parametersJsonSchema")
_OUTPUT = ("returns", "return", "output", "outputs", "result", "results", "response")
_READ_ONLY = ("readonly", "isReadonly", "readOnlyHint", "safe")
_MUTATION = ("mutates", "mutating", "write", "writes", "modifies", "sideEffects", "hasSideEffects")
_KEYS = {
    "tool": {
        "inputSchema": _INPUT,
        "outputSchema": _OUTPUT,
        "mutation": (*_READ_ONLY, *_MUTATION),
        "title": ("displayName", "label"),
        "description": ("desc", "doc", "docs", "help"),
        "group": ("section",),
        "streaming": ("stream", "streams"),
        "idempotency": ("idempotencyKey",),
        "scopes": ("requiredScopes", "oauthScopes"),
        "deprecated": ("deprecation",),
    },
    "service": {
        "title": ("displayName", "label"),
        "description": ("desc", "doc", "docs"),
        "settings": ("config", "configuration"),
    },
    "error": {"code": ("name", "id", "status"), "description": ("message", "desc")},
}


def _folded(key: str) -> str:
    return key.replace("_", "").replace("-", "").casefold()


_MEANT = {
    holder: {_folded(word): key for key, words in keys.items() for word in words}
    for holder, keys in _KEYS.items()
}
_OPPOSITES = frozenset(map(_folded, _READ_ONLY))


def synonym(holder: str, key: str) -> str:
    """Return the key of a definition that another system calls by this word."""
    return _MEANT.get(holder, {}).get(_folded(key), "")


def is_opposite(key: str, intended: str) -> bool:
    """Return whether a synonym of `mutation` has the opposite meaning, such as `readOnly`."""
    return intended == "mutation" and _folded(key) in _OPPOSITES


def fits(properties: Mapping[str, JsonValue], key: str, value: JsonValue) -> bool:
    """Return whether a value is valid under a key; unknown keys alone are not a JSON Schema."""
    schema = properties.get(key)
    if not isinstance(schema, dict):
        return False
    if schema.get("type") == "boolean" and isinstance(value, str):
        return value.casefold() in TRUTHS
    if key.endswith("Schema") and isinstance(value, dict) and value:
        words = _schema_words()
        if not any(item in words for item in value):
            return False
    return _validator(schema)(value)


def _validator(schema: JsonObject) -> Accepts:
    """Return the validator of a key, compiled once: each subschema of the contract is one object."""
    if id(schema) not in _validators:
        wrapper: JsonObject = {"$ref": "#/$defs/it", "$defs": {**_definitions(), "it": schema}}
        _validators[id(schema)] = schema, compiled(wrapper)
    return _validators[id(schema)][1]


_validators: dict[int, tuple[JsonObject, Accepts]] = {}


def _definitions() -> JsonObject:
    entries = contract()["$defs"]
    return entries if isinstance(entries, dict) else {}


def _schema_words() -> frozenset[str]:
    keywords = _definitions()["schemaKeywords"]
    listed = keywords.get("properties") if isinstance(keywords, dict) else None
    return frozenset(listed) if isinstance(listed, dict) else frozenset()
