"""The one way to the JSON Schema validator: compiler and runtime decide about values through it."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Any

    from toolspec.shared.explanation import Accepts
    from toolspec.shared.json_values import JsonObject, JsonValue, Path


class InvalidSchemaError(ValueError):
    """A schema that the validator does not compile."""


class EncodingValidator:
    """The keyword `contentEncoding`, which draft 2020-12 itself only takes for an annotation."""

    def __init__(self, parent_schema: JsonObject, value: JsonValue, schema_path: Path) -> None:
        del parent_schema, schema_path
        self._encoding = value if isinstance(value, str) else ""

    def validate(self, instance: object) -> None:
        """Raise ValueError for a text that cannot be decoded."""
        from toolspec.shared.encodings import is_encoded

        if isinstance(instance, str) and not is_encoded(self._encoding, instance):
            message = f"not valid {self._encoding}"
            raise ValueError(message)


KEYWORDS: dict[str, type[Any]] = {"contentEncoding": EncodingValidator}
"""The keywords that are checked together with formats, for the validator."""


def compiled(schema: JsonValue | str, *, formats: bool = False) -> Accepts:
    """Return the function that decides whether a schema of draft 2020-12 accepts a value.

    A text is a schema's JSON. The schema refers to nothing outside itself; nothing is fetched. With
    `formats`, known formats and encodings are checked. Raises InvalidSchemaError. The function raises ValueError
    for a value that JSON has not.
    """
    import jsonschema_rs

    try:
        validator = jsonschema_rs.validator_for(
            schema,  # type: ignore[arg-type]  # a schema, or its text
            validate_formats=formats,
            keywords=KEYWORDS if formats else None,
            offline=True,
        )
    except (ValueError, jsonschema_rs.ReferencingError) as problem:
        raise InvalidSchemaError(str(problem)) from problem
    return validator.is_valid


def is_too_expensive(pattern: str, text: str) -> bool:
    """Return whether the regex engine gave up on a text before it knew if the pattern matches."""
    import jsonschema_rs

    kinds = (
        jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded,
        jsonschema_rs.ValidationErrorKind.RegexEngineFailure,
    )
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, offline=True).validate(text)
    except jsonschema_rs.ValidationError as error:
        return isinstance(error.kind, kinds)
    return False
