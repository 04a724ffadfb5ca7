"""A schema at run time: compiled when first needed, with every error of a value as field errors."""

from __future__ import annotations

from toolspec.runtime.error_paths import object_at, steps_to
from toolspec.runtime.errors import FieldError
from toolspec.runtime.values import path_text

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    import jsonschema_rs

    from toolspec.runtime.values import JsonValue

MASK = "the value"
"""Stands for values in messages about what must not be shown."""

_DESCENDING = ('"$ref"', '"$dynamicRef"', '"uniqueItems"')
"""Keywords by which a check may go as deep as the value does."""

_ERROR_LIMIT = 100
_ALTERNATIVES_SHOWN = 4
_MESSAGE_LIMIT = 300


class SchemaCheck:
    """One schema, from its JSON text.

    `accepts(value)` says whether a JSON value satisfies it; the first call compiles the schema and
    puts the compiled check in its own place, so that each later one costs what that costs.
    """

    __slots__ = ("_text", "accepts", "is_level")

    accepts: Callable[[JsonValue], bool]

    def __init__(self, text: str) -> None:
        self._text = text
        self.accepts = self._compile_and_accept
        self.is_level = not any(each in text for each in _DESCENDING)
        """Whether it looks no deeper into a value than the schema is written."""

    def takes(self, value: Any) -> bool:
        """Whether a value that is not known to be JSON satisfies it, as far as the schema looks.

        Of a check that is not `is_level` the value must not be nested thousands deep.
        """
        try:
            return self.accepts(value)
        except ValueError:  # of a type that JSON has not
            return False

    def _compile_and_accept(self, value: JsonValue) -> bool:
        self.accepts = _validator(self._text, None).is_valid
        return self.accepts(value)

    def errors(self, value: JsonValue, *, shown: bool = True) -> tuple[FieldError, ...]:
        """Return every error of a value (the first hundred), as one line each.

        With `shown` false no message quotes the value or a part of it.
        """
        found: list[FieldError] = []
        for error in _validator(self._text, None if shown else MASK).iter_errors(value):
            found += _field_errors(error, value, self._text)
            if len(found) >= _ERROR_LIMIT:
                break
        return tuple(found)


def summary(errors: Sequence[FieldError], shown: int = 5) -> str:
    """Return field errors in one line, the first few of them in full."""
    parts = [f"{error.path}: {error.message}" for error in errors[:shown]]
    if len(errors) > shown:
        parts.append(f"and {len(errors) - shown} more")
    return "; ".join(parts)


def _validator(text: str, mask: str | None) -> jsonschema_rs.Validator:
    import jsonschema_rs

    return jsonschema_rs.validator_for(text, mask=mask, offline=True)


def _field_errors(
    error: jsonschema_rs.ValidationError, value: JsonValue, text: str
) -> Iterator[FieldError]:
    steps, code = steps_to(error, value), error.kind.name
    if code == "falseSchema" and error.schema_path[-1:] == ["additionalProperties"]:
        # An object that may have no members: the error speaks of its first one.
        steps, holder = object_at(steps, value)
        for name in holder:
            path = path_text([*steps, name])
            yield FieldError(path=path, code="additionalProperties", message="is not known")
    elif code == "required":
        name = error.kind.as_dict()["property"]
        yield FieldError(path=path_text([*steps, name]), code=code, message="is missing")
    elif code in {"additionalProperties", "unevaluatedProperties"}:
        known = _properties(text, error.schema_path[:-1])
        for name in error.kind.as_dict()["unexpected"]:
            message = f"is not known{did_you_mean(name, known)}"
            yield FieldError(path=path_text([*steps, name]), code=code, message=message)
    else:
        yield FieldError(path=path_text(steps), code=code, message=_message(error))


def _message(error: jsonschema_rs.ValidationError) -> str:
    if error.kind.name == "falseSchema":
        return "nothing may stand here"
    if error.kind.name not in {"anyOf", "oneOf"}:
        return _short(error.message)
    branches = [branch for branch in error.kind.as_dict().get("context", ()) if branch]
    if not branches:
        return _short(error.message)
    reasons = [_short(branch[0].message) for branch in branches[:_ALTERNATIVES_SHOWN]]
    return f"fits none of {len(branches)} alternatives: {'; '.join(reasons)}"


def _short(message: str) -> str:
    if len(message) <= _MESSAGE_LIMIT:
        return message
    # The value comes first and may be long, the reason last: keep both ends.
    half = _MESSAGE_LIMIT // 2
    return f"{message[:half]} … {message[-half:]}"


def _properties(text: str, steps: Sequence[str | int]) -> tuple[str, ...]:
    """Return the property names of the object schema at a place of a schema."""
    import json

    schema = json.loads(text)
    for step in steps:
        schema = schema.get(str(step)) if isinstance(schema, dict) else schema[step]
    return tuple(schema.get("properties", ())) if isinstance(schema, dict) else ()


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return `; did you mean …?` with the nearest of the known names, or nothing."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{near[0]}`?" if near else ""
