"""What services and tools have in common in the catalogue."""

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
    """Return the limits of a call in seconds; null where there is none."""
    return {"idle": timeout.idle, "total": timeout.total}


def hook_names(hooks: Hooks) -> JsonObject:
    """Return the names of hooks by the moment at which they run."""
    return {
        "before": list(hooks.before),
        "middleware": list(hooks.middleware),
        "after": list(hooks.after),
        "afterResponse": list(hooks.after_response),
    }


def permission_entry(permission: Permission) -> JsonObject:
    """Return a permission as documents spell it, with `op` empty where there is none."""
    return {
        "kind": permission.kind.value,
        "resource": permission.resource,
        "op": permission.operation,
    }


def scope_entry(rule: ScopeRule) -> JsonValue:
    """Return a requirement as the scopes of which any one will do."""
    return list(rule.any_of)


def example_entry(example: Example) -> JsonObject:
    """Return a worked call; `output` is null where it ends with the error named."""
    return {
        "title": example.title,
        "input": example.input,
        "output": example.output,
        "error": example.error,
    }


def icon_entry(icon: Icon) -> JsonObject:
    """Return an icon with every member, those empty that nobody gave."""
    return {
        "src": icon.src,
        "mimeType": icon.mime_type,
        "sizes": list(icon.sizes),
        "theme": icon.theme,
    }
