"""Validation of settings and credentials; messages quote no values."""

from __future__ import annotations

from toolspec.runtime.confidential import credentials_of, settings_of
from toolspec.runtime.defaults import Defaults
from toolspec.runtime.errors import FieldError, reduced
from toolspec.runtime.service import as_mapping
from toolspec.runtime.validation import SchemaCheck
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.runtime.bytes_codec import BytesCodec
    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.errors import Reduced
    from toolspec.shared.json_values import JsonObject


class ConfigurationError(ValueError):
    """Invalid settings or credentials: `problems` has one line each, `fields` the locations."""

    def __init__(self, problems: list[str], fields: tuple[FieldError, ...] = ()) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems
        self.fields = fields

    def __reduce__(self) -> Reduced:
        return reduced(self)


def checked_settings(
    service: ServiceDefinition, values: Mapping[str, object] | None
) -> Confidential | None:
    """Return the settings with defaults filled in; None for a service without settings.

    A setting with a default may be omitted. Raises ConfigurationError listing everything missing,
    unknown or invalid.
    """
    schema = service.settings_schema
    if schema is None:
        if values:
            raise ConfigurationError([f"`{service.name}` has no settings: leave `settings` out"])
        return None
    import json

    members = _checked(schema, service, values or {}, "setting")
    return settings_of(members, json.loads(schema))


def checked_credentials(service: ServiceDefinition, values: Mapping[str, object]) -> Confidential:
    """Return validated credentials with defaults filled in.

    Raises ConfigurationError if `values` is not a mapping, or listing everything missing, unknown or
    invalid.
    """
    schema = service.credentials_schema
    if schema is None:
        return credentials_of(_members(values, "credential"))
    return credentials_of(_checked(schema, service, values, "credential"))


def _members(values: Mapping[str, object], what: str) -> JsonObject:
    if as_mapping(values) is None:
        raise ConfigurationError([f"the {what}s are {type(values).__name__}, not a mapping"])
    try:
        members = copied(dict(values))
    except NotJsonError as problem:
        field = FieldError(path=problem.path, code="json", message=problem.reason)
        raise ConfigurationError(_lines((field,), what), (field,)) from None
    return members if isinstance(members, dict) else {}


def _checked(
    schema: str, service: ServiceDefinition, values: Mapping[str, object], what: str
) -> JsonObject:
    codec: BytesCodec | None = None
    if service.base64 == "bytes":
        from toolspec.runtime import bytes_codec

        codec = bytes_codec.BytesCodec.of(schema, service.formats)
    if codec is not None and as_mapping(values) is not None:
        values = codec.encoded(dict(values))
    members = _members(values, what)
    defaults = Defaults.of(schema)
    if defaults is not None:
        defaults.fill(members)
    check = SchemaCheck(schema, service.formats)
    if not check.accepts(members):
        errors = check.errors(members, shown=False)
        raise ConfigurationError(_lines(errors, what), errors)
    return members if codec is None else _decoded(codec, members, what)


def _decoded(codec: BytesCodec, members: JsonObject, what: str) -> JsonObject:
    try:
        decoded: JsonObject = codec.decoded(members)
    except NotJsonError as problem:
        field = FieldError(path=problem.path, code="contentEncoding", message=problem.reason)
        raise ConfigurationError(_lines((field,), what), (field,)) from None
    return decoded


def _lines(errors: tuple[FieldError, ...], what: str) -> list[str]:
    return [f"{what} `{error.path}`: {error.message}" for error in errors]
