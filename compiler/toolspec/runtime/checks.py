"""Schema validation at run time, with schemas compiled on first use."""

from __future__ import annotations

from toolspec.runtime.errors import FieldError
from toolspec.shared.json_values import path_text

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from toolspec.runtime.definition import Formats
    from toolspec.shared.explanation import Explainer
    from toolspec.shared.json_values import JsonValue

_DESCENDING = ('"$ref"', '"$dynamicRef"', '"uniqueItems"')
"""Keywords that make a validator recurse as deep as the value is nested."""

_MAX_PATH = 300


class SchemaCheck:
    """Validator of one schema, given as JSON text.

    `accepts(value)` returns whether a JSON value is valid. The first call compiles the schema and
    replaces itself with the compiled validator, so later calls have no overhead. With `formats` set
    to `annotate`, `format` and `contentEncoding` reject nothing.
    """

    __slots__ = ("_explainers", "_formats", "_text", "accepts", "is_level")

    accepts: Callable[[JsonValue], bool]

    def __init__(self, text: str, formats: Formats = "assert") -> None:
        self._text = text
        self._formats = formats == "assert"
        self._explainers: dict[bool, Explainer] = {}
        self.accepts = self._compile_and_accept
        self.is_level = not any(each in text for each in _DESCENDING)
        """Whether the validation depth is bounded by the schema instead of the value."""

    def takes(self, value: Any) -> bool:
        """Return whether a value that may not be JSON is valid, as deep as the schema looks.

        Unless `is_level`, the value must not be nested thousands of levels deep.
        """
        try:
            return self.accepts(value)
        except ValueError:  # a type that JSON does not have
            return False

    def _compile_and_accept(self, value: JsonValue) -> bool:
        from toolspec.shared.validator import compiled

        self.accepts = compiled(self._text, formats=self._formats)
        return self.accepts(value)

    def errors(self, value: JsonValue, *, shown: bool = True) -> tuple[FieldError, ...]:
        """Return the errors of a rejected value, one line each.

        Their number, length and cost are bounded. With `shown` false, messages quote no part of the
        value.
        """
        if shown not in self._explainers:
            import json

            from toolspec.shared.explanation import Explainer

            self._explainers[shown] = Explainer(
                json.loads(self._text), formats=self._formats, is_masked=not shown
            )
        return tuple(
            FieldError(
                path=_shortened(path_text(error.member_path)),
                code=error.keyword,
                message=error.message,
            )
            for error in self._explainers[shown].errors(value)
        )


def summary(errors: Sequence[FieldError], shown: int = 5) -> str:
    """Return field errors in one line, with the first `shown` in full."""
    parts = [f"{error.path}: {error.message}" for error in errors[:shown]]
    if len(errors) > shown:
        parts.append(f"and {len(errors) - shown} more")
    return "; ".join(parts)


def _shortened(path: str) -> str:
    if len(path) <= _MAX_PATH:
        return path
    half = _MAX_PATH // 2
    return f"{path[:half]}…{path[-half:]}"
