"""JSON Schema validation for compiler and runtime.

jsonschema-rs validates on platforms that it has a wheel for, the package jsonschema on others, as
set up in `shared/python_validator.py`; `TOOLSPEC_VALIDATOR=jsonschema` forces the latter.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from jsonschema_rs import ValidationError

    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue, Path


VARIABLE = "TOOLSPEC_VALIDATOR"
_URI = "urn:toolspec:schema"
_has_wheel: bool | None = None
# Compiling a metaschema takes longer than validating any schema with it.
_metaschemas: dict[str, Any] = {}


class InvalidSchemaError(ValueError):
    """A schema that the validator cannot compile."""


class EncodingValidator:
    """The keyword `contentEncoding`, which is only an annotation in draft 2020-12."""

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
"""Additional keywords that are validated together with formats."""


def is_native() -> bool:
    """Return whether jsonschema-rs is used."""
    import os

    global _has_wheel  # noqa: PLW0603 - cached, as it is called for each schema
    if _has_wheel is None:
        from importlib.util import find_spec

        _has_wheel = find_spec("jsonschema_rs") is not None
    return _has_wheel and os.environ.get(VARIABLE) != "jsonschema"


def name() -> str:
    """Return the name and version of the package in use."""
    from importlib.metadata import version

    package = "jsonschema-rs" if is_native() else "jsonschema"
    return f"{package} {version(package)}"


def compiled(schema: JsonValue | str, *, formats: bool = False) -> Accepts:
    """Return a function that decides whether a value satisfies a schema of draft 2020-12.

    A string is a schema as JSON text. The schema must not have external references; nothing is
    fetched. With `formats`, known formats and encodings are validated. Raises InvalidSchemaError.
    The function raises ValueError for a value that is not JSON.
    """
    if not is_native():
        from toolspec.shared import python_validator

        return python_validator.compiled(schema, formats=formats, error=InvalidSchemaError)
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


def compiled_parts(root: JsonValue, *, formats: bool = False) -> Callable[[str], Accepts]:
    """Return a function that compiles the subschema at a pointer (a URI fragment).

    It raises InvalidSchemaError.
    """
    if not is_native():
        whole: JsonObject = {**root, "$id": _URI} if isinstance(root, dict) else {"$id": _URI}
        defined: JsonObject = {"schema": whole}
        return lambda pointer: compiled(
            {"$ref": f"{_URI}#{pointer}", "$defs": defined}, formats=formats
        )
    import jsonschema_rs

    registries: list[jsonschema_rs.Registry] = []

    def part(pointer: str) -> Accepts:
        try:
            if not registries:
                registries.append(jsonschema_rs.Registry([(_URI, root)]))
            validator = jsonschema_rs.Draft202012Validator(
                {"$ref": f"{_URI}#{pointer}"},
                registry=registries[0],
                validate_formats=formats,
                keywords=KEYWORDS if formats else None,
                offline=True,
            )
        except (ValueError, jsonschema_rs.ReferencingError) as problem:
            raise InvalidSchemaError(str(problem)) from problem
        return validator.is_valid

    return part


def is_too_expensive(pattern: str, text: str) -> bool:
    """Return whether matching a text exceeds the limit of the regex engine."""
    if not is_native():
        from toolspec.shared.safe_patterns import UnsafePatternError, safe_pattern

        try:
            return safe_pattern(pattern).is_too_expensive(text)
        except UnsafePatternError:
            return True
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


def is_schema(schema: JsonObject | bool, dialect: str) -> bool:
    """Return whether a schema is valid by the metaschema of a dialect, a URI."""
    if not is_native():
        return not invalid_parts(schema, dialect)
    import jsonschema_rs

    declared = {**schema, "$schema": dialect} if isinstance(schema, dict) else schema
    return jsonschema_rs.meta.is_valid(declared)


def invalid_parts(schema: JsonObject | bool, dialect: str) -> set[Path]:
    """Return the paths in a schema that violate the metaschema of its dialect, a URI."""
    if not is_native():
        from toolspec.shared import python_validator

        return python_validator.invalid_parts(schema, dialect)
    import jsonschema_rs

    from toolspec.shared.validator import paths_of

    if is_schema(schema, dialect):
        return set()
    declared = {**schema, "$schema": dialect} if isinstance(schema, dict) else schema
    if dialect not in _metaschemas:
        # Old dialects assert formats; patterns and references are diagnosed elsewhere.
        _metaschemas[dialect] = jsonschema_rs.validator_for(
            {"$schema": dialect, "$ref": dialect}, offline=True, validate_formats=False
        )
    errors = _metaschemas[dialect].iter_errors(declared)
    return {path for error in errors for path in paths_of(error, declared)}


def text_finder(pattern: str) -> Callable[[JsonValue], bool]:
    """Return a function that searches a value's texts and keys for a pattern.

    The pattern is an internal one, with the same meaning in Rust's `regex` and Python's `re`.
    """
    if not is_native():
        from toolspec.shared import python_validator

        return python_validator.text_finder(pattern)
    import jsonschema_rs

    matches: dict[str, JsonValue] = {"type": "string", "pattern": pattern}
    schema: dict[str, JsonValue] = {
        "not": matches,
        "propertyNames": {"not": matches},
        "items": {"$ref": "#"},
        "additionalProperties": {"$ref": "#"},
    }
    validator = jsonschema_rs.Draft202012Validator(
        schema, pattern_options=jsonschema_rs.RegexOptions(), offline=True
    )
    return lambda value: not validator.is_valid(value)


# Numbers as parsed by Rust: `1`, `01` and `+1` are equal.
_NUMERAL = re.compile(r"\+?[0-9]+")


def paths_of(error: ValidationError, value: JsonValue) -> Iterator[Path]:
    """Yield every location in the validated value that an error may refer to."""
    candidates = list(_past_empty_keys([((), value)]))
    for step in error.instance_path:
        further = [
            ((*path, key), holder[key])  # type: ignore[index]  # an existing step
            for path, holder in candidates
            for key in _steps(holder, step)
        ]
        candidates = list(_past_empty_keys(further))
    if len(candidates) > 1:
        candidates = [
            candidate for candidate in candidates if candidate[1] == error.instance
        ] or candidates
    return (path for path, _ in candidates)


def _past_empty_keys(
    candidates: Iterable[tuple[Path, JsonValue]],
) -> Iterator[tuple[Path, JsonValue]]:
    """Yield the locations, and those below them that are reached through empty keys only."""
    for candidate in candidates:
        path, value = candidate
        yield candidate
        while isinstance(value, dict) and "" in value:
            path, value = (*path, ""), value[""]
            yield path, value


def _steps(holder: JsonValue, step: str | int) -> Iterable[str | int]:
    """Return the keys or indices that a step may refer to, most likely first."""
    match holder, step:
        case dict(), int():
            digits = str(step).lstrip("0")
            same = (key for key in holder if _NUMERAL.fullmatch(key) and key.lstrip("+0") == digits)
            return sorted(same, key=lambda key: (len(key), key))
        case dict(), str() if step in holder:
            return (step,)
        case list(), int() if step < len(holder):
            return (step,)
    return ()  # a numeral was misread: no match
