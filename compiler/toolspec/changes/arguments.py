"""Arguments of tools that refinements of changes look for, by name and by place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.changes.change import Change
    from toolspec.shared.json_values import JsonObject

_SAFEGUARDS = frozenset(
    {
        "confirm", "confirmation", "confirmed", "dryrun", "preview", "requireconfirmation",
        "simulate", "validateonly", "whatif",
    }
)  # fmt: skip
"""Arguments that keep a call from acting, as `folded` returns them."""

_SELECTORS = frozenset(
    {
        "account", "email", "file", "files", "filter", "folder", "id", "ids", "key", "keys", "name",
        "names", "number", "path", "paths", "pattern", "query", "ref", "resource", "selector", "slug",
        "target", "targets", "uri", "url", "user", "users", "where",
    }
)  # fmt: skip
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def argument_of(change: Change) -> str:
    """Return the name of the argument that a change is about; empty for a part of one."""
    match change.place.path:
        case ("input", "properties", str(name), *rest) if len(rest) < 2:  # noqa: PLR2004 - a keyword
            return name
        case ("input", "required"):
            return str(change.values.get("name", ""))
    return ""


def of_idempotency_key(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the argument of a change is the idempotency key, else None."""
    is_key = change.values.get("name") == "idempotency_key"
    return {} if is_key and old.get("idempotency") != new.get("idempotency") else None


def of_safeguard(change: Change, facts: JsonObject) -> JsonObject | None:
    """Return no further values if the argument keeps calls of a writing tool from acting, else None."""
    return {} if folded(argument_of(change)) in _SAFEGUARDS and writes(facts) else None


def folded(name: str) -> str:
    """Return a name in lower case without separators."""
    return "".join(word.lower() for word in _WORD.findall(name))


def selects(name: str, facts: JsonObject) -> bool:
    """Return whether an argument says what a tool acts on: by its name, or as the only required one."""
    words = {word.lower() for word in _WORD.findall(name)}
    schema = facts.get("input")
    required = schema.get("required") if isinstance(schema, dict) else None
    is_selector = not words.isdisjoint(_SELECTORS) or required == [name]
    return is_selector and name != "idempotency_key"


def writes(facts: JsonObject) -> bool:
    """Return whether a tool writes, as far as its hints are stated."""
    return _has_hint(facts, "readOnly", holds=False)


def destroys(facts: JsonObject) -> bool:
    """Return whether a tool can destroy. A list of tools that does not say so makes no tool one."""
    return writes(facts) and _has_hint(facts, "destructive", holds=True)


def _has_hint(facts: JsonObject, name: str, *, holds: bool) -> bool:
    hints = facts.get("hints")
    if not isinstance(hints, dict):
        return False
    assumed = hints.get("assumed")
    return hints.get(name) is holds and not (isinstance(assumed, list) and name in assumed)
