"""Catalog entries shared by services and tools."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json

if TYPE_CHECKING:
    from toolspec.ir import Example, Hooks, Icon, Permission, ScopeRule, Timeout
    from toolspec.syntax.nodes import JsonObject, JsonValue


def digest(value: JsonValue) -> str:
    """Return the SHA-256 of the canonical JSON of a value, in hex."""
    return sha256(canonical_json(value).encode("ascii")).hexdigest()


def limits(timeout: Timeout) -> JsonObject:
    """Return the timeouts of a call in seconds; null for no limit."""
    return {"idle": timeout.idle, "total": timeout.total}


def hook_names(hooks: Hooks) -> JsonObject:
    """Return the names of hooks by role."""
    return {
        "before": list(hooks.before),
        "middleware": list(hooks.middleware),
        "after": list(hooks.after),
        "afterResponse": list(hooks.after_response),
    }


def permission_entry(permission: Permission) -> JsonObject:
    """Return a permission in the form of documents, with an empty `op` if it has none."""
    return {
        "kind": permission.kind.value,
        "resource": permission.resource,
        "op": permission.operation,
    }


def scope_entry(rule: ScopeRule) -> JsonValue:
    """Return a scope requirement as its alternative scopes."""
    return list(rule.any_of)


def example_entry(example: Example) -> JsonObject:
    """Return an example call; `output` is null where it fails with `error`."""
    return {
        "title": example.title,
        "input": example.input,
        "output": example.output,
        "error": example.error,
    }


def icon_entry(icon: Icon) -> JsonObject:
    """Return an icon with every member, empty ones included."""
    return {
        "src": icon.src,
        "mimeType": icon.mime_type,
        "sizes": list(icon.sizes),
        "theme": icon.theme,
    }
