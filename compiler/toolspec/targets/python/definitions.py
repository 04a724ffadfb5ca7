"""Field values of the runtime's service and tool definitions."""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING, Any

from toolspec.ir import AuthKind, Effect, HttpNulls
from toolspec.shared.records import field_values
from toolspec.targets.python.hooks import hook_uses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.ir import Auth, HttpArgument, HttpBinding, Provenance, Schema, Service, Tool
    from toolspec.syntax.nodes import JsonValue

# Defaults of the runtime's definitions: fields with these values are left out, as are empty ones.
_USUAL: Mapping[str, object] = {
    "auth": "none",
    "credentials": "perUser",
    "input_form": "object",
    "mutation": False,
    "streaming": False,
    "read_only": False,
    "destructive": True,
    "idempotent": False,
    "open_world": True,
    "risk": 0,
    "assumed_destructive": False,
    "task_support": "forbidden",
    "idempotency": "none",
    "verify": False,
    "revert": False,
    "output_content_type": "application/json",
    "formats": "assert",
    "base64": "str",
}
_COMPACT = JSONEncoder(separators=(",", ":"), check_circular=False)
_EMPTY: tuple[object, ...] = (None, "", ())


def stated(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields that are neither empty nor their default."""
    for field, value in fields.items():
        if value not in _EMPTY and not (field in _USUAL and value == _USUAL[field]):
            yield field, value


def service_fields(
    service: Service, settings: str | None, credentials: str | None, *, is_binary: bool = False
) -> dict[str, object]:
    """Return the fields of a service definition, without its tools.

    `settings` and `credentials` are schemas, None where absent or with references.
    """
    return {
        "name": service.name,
        "version": service.version,
        "title": service.title,
        "description": service.description,
        "instructions": service.instructions,
        "icons": tuple((i.src, i.mime_type, i.sizes, i.theme) for i in service.icons),
        "settings_schema": settings,
        "credentials_schema": credentials,
        "auth": service.auth.kind.value,
        "credentials": service.auth.credentials.value,
        "formats": service.formats.value,
        "base64": _base64(is_binary, service.settings, service.auth.fields),
        "instances": tuple(instance.name for instance in service.instances),
        "modes": tuple(mode.name for mode in service.modes),
        "hooks": tuple(dict.fromkeys(hook for _, hook in hook_uses(service))),
        "source": service.file,
    }


def oauth_fields(auth: Auth) -> dict[str, object] | None:
    """Return the fields of an OAuth definition; None for other kinds of authentication."""
    if auth.kind is not AuthKind.OAUTH2:
        return None
    return {
        "authorization_url": auth.authorization_url,
        "token_url": auth.token_url,
        "scopes": tuple((scope.name, scope.description) for scope in auth.scopes),
        "authorize_parameters": auth.authorize_parameters,
        "token_response": auth.token_response,
    }


def tool_fields(
    tool: Tool, arguments: Mapping[str, object], *, is_binary: bool = False
) -> dict[str, object]:
    """Return the fields of a tool: its interface, its behaviour, its requirements.

    `arguments` is the field with the schema of its arguments.
    """
    base64 = _base64(is_binary, tool.input, tool.output, tool.chunk)
    interface = {**_interface(tool), **arguments}
    fields = {**interface, **_behaviour(tool), "aliases": tool.aliases, **_terms(tool)}
    return {**fields, "base64": base64}


def http_fields(http: HttpBinding) -> dict[str, object]:
    """Return the fields of a request, without its arguments."""
    return {
        "method": http.method,
        "path": http.path,
        "server": http.server,
        "accept": http.accept,
        "security": tuple(
            None
            if alternative.custom
            else tuple(
                (each.field, each.place.value, each.name) for each in alternative.credentials
            )
            for alternative in http.security
        ),
        "body_argument": http.body.argument if http.body else "",
        "body_binary": http.body.binary if http.body else (),
        "content_type": http.body.content_type if http.body else "",
    }


def http_argument_fields(argument: HttpArgument) -> dict[str, object]:
    """Return the fields of an argument's position that are not their default."""
    fields = {
        "argument": argument.argument,
        "place": argument.place.value,
        "name": "" if argument.name == argument.argument else argument.name,
        "style": argument.style.value if argument.style else "",
        "explode": argument.explode,
        "allow_reserved": argument.allow_reserved,
        "content_type": argument.content_type,
        "nulls": "" if argument.nulls is HttpNulls.OMIT else argument.nulls.value,
        "is_base64": argument.is_base64,
        "is_json": argument.is_json,
        "is_file": argument.is_file,
    }
    return {name: value for name, value in fields.items() if value not in ("", False)}


def _interface(tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name,
        "full_name": tool.names.full,
        "method": tool.names.method,
        "title": tool.title,
        "description": tool.description,
        "summary": "" if tool.summary == tool.description else tool.summary,
        "input_form": tool.input_form.value,
        "reduction": tool.reduction.value if tool.streaming else None,
    }


def _behaviour(tool: Tool) -> dict[str, object]:
    hints, hooks = tool.annotations, tool.hooks
    return {
        "mutation": tool.mutation,
        "streaming": tool.streaming,
        "read_only": hints.read_only,
        "destructive": hints.destructive,
        "idempotent": hints.idempotent,
        "open_world": hints.open_world,
        "risk": tool.risk.tier,
        "assumed_destructive": _is_assumed_destructive(tool),
        "task_support": tool.task_support.value,
        "idempotency": tool.idempotency.value,
        "instances": tool.instances,
        "verify": tool.verify,
        "revert": tool.revert,
        "before": hooks.before,
        "middleware": hooks.middleware,
        "after": hooks.after,
        "after_response": hooks.after_response,
        "version": tool.version,
    }


def _is_assumed_destructive(tool: Tool) -> bool:
    """Return whether MCP's default alone makes a writing tool destructive."""
    hints = tool.annotations
    is_stated = "destructiveHint" in hints.stated or Effect.MONEY in tool.effects
    return hints.destructive and not is_stated and not tool.risk.reason


def _terms(tool: Tool) -> dict[str, object]:
    deprecated = tool.deprecated
    return {
        "scopes": tuple(rule.any_of for rule in tool.scopes),
        "permissions": tuple(
            (permission.kind.value, permission.resource, permission.operation)
            for permission in tool.permissions
        ),
        "timeout_idle": tool.timeout.idle,
        "timeout_total": tool.timeout.total,
        **_limits(tool),
        "output_content_type": tool.output_content_type,
        "formats": tool.formats.value,
        "group": tool.group,
        "tags": tool.tags,
        "errors": tuple((error.code, error.description, error.retryable) for error in tool.errors),
        "deprecated": field_values(deprecated) if deprecated else None,
        "source": tool.provenance.file,
        "origin": _origin(tool.provenance),
    }


def _origin(provenance: Provenance) -> tuple[str, str, str] | None:
    """Return what a definition was imported from; None for one that was written as a spec."""
    if provenance.kind == "spec":
        return None
    return provenance.kind, provenance.location, provenance.member


def _limits(tool: Tool) -> dict[str, object]:
    stated = tool.limits.result_bytes
    return {} if stated is None else {"result_bytes": stated}


def _base64(is_binary: bool, *schemas: Schema | None) -> str:
    """Return the type of base64 strings: `bytes` if enabled and used by a schema, else `str`."""
    texts = (as_json(schema.bundle) for schema in schemas if schema is not None)
    if is_binary and any('"contentEncoding"' in text for text in texts):
        return "bytes"
    return "str"


def as_json(value: JsonValue) -> str:
    """Return compact JSON in ASCII, keys in the author's order."""
    return _COMPACT.encode(value)
