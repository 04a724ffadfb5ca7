"""A schema at run time: compiled when first needed, with every error of a value as field errors."""

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
"""Keywords by which a check may go as deep as the value does."""

_MAX_PATH = 300


class SchemaCheck:
    """One schema, from its JSON text.

    `accepts(value)` says whether a JSON value satisfies it; the first call compiles the schema and
    puts the compiled check in its own place, so that each later one costs what that costs. With
    `formats` set to `annotate`, `format` and `contentEncoding` refuse nothing.
    """

    __slots__ = ("_explainers", "_formats", "_text", "accepts", "is_level")

    accepts: Callable[[JsonValue], bool]

    def __init__(self, text: str, formats: Formats = "assert") -> None:
        self._text = text
        self._formats = formats == "assert"
        self._explainers: dict[bool, Explainer] = {}
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
        from toolspec.shared.validator import compiled

        self.accepts = compiled(self._text, formats=self._formats)
        return self.accepts(value)

    def errors(self, value: JsonValue, *, shown: bool = True) -> tuple[FieldError, ...]:
        """Return the errors of a value that was refused, as one line each.

        Their number, their length and the work for them are bounded. With `shown` false no message
        quotes the value or a part of it.
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
    """Return field errors in one line, the first few of them in full."""
    parts = [f"{error.path}: {error.message}" for error in errors[:shown]]
    if len(errors) > shown:
        parts.append(f"and {len(errors) - shown} more")
    return "; ".join(parts)


def _shortened(path: str) -> str:
    if len(path) <= _MAX_PATH:
        return path
    half = _MAX_PATH // 2
    return f"{path[:half]}…{path[-half:]}"
