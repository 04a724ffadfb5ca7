"""The fact `errors`: errors by code, and those that have another code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonObject, JsonValue


def errors(value: JsonValue) -> dict[str, JsonObject]:
    """Return the errors by code."""
    listed = value if isinstance(value, list) else []
    return {str(error.get("code")): error for error in listed if isinstance(error, dict)}


def renamed_errors(old: JsonValue, new: JsonValue) -> dict[str, str]:
    """Return the new code of each error that is otherwise equal to one error of the other side."""
    before, after = errors(old), errors(new)
    gone = {code: _rest(error) for code, error in before.items() if code not in after}
    added = {code: _rest(error) for code, error in after.items() if code not in before}
    pairs = {
        code: [other for other, rest in added.items() if rest == own] for code, own in gone.items()
    }
    return {
        code: twins[0]
        for code, twins in pairs.items()
        if len(twins) == 1 and list(gone.values()).count(gone[code]) == 1
    }


def _rest(error: JsonObject) -> JsonObject:
    return {name: value for name, value in error.items() if name != "code"}
