"""Catalog entries of services and tools, with digests in place of schemas."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.ir import AuthKind
from toolspec.shared.canonical import canonical_json
from toolspec.targets.shared_definitions import SharedDefinitions
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.ir import (
        Auth,
        Example,
        Hooks,
        HttpArgument,
        HttpBinding,
        HttpSecurity,
        Icon,
        Permission,
        Provenance,
        Schema,
        ScopeRule,
        Service,
        Timeout,
        Tool,
    )
    from toolspec.syntax.nodes import JsonObject, JsonValue


class SchemaDigests:
    """Digests of a service's schemas and of the definitions that they share.

    The digest of a schema is that of its canonical JSON. Where it needs definitions of the service,
    it is that of `{"definitions": …, "schema": …}`: the schema without them, and the digest of the
    object that has the digest of each definition under its name.
    """

    def __init__(self, service: Service) -> None:
        self._shared = SharedDefinitions(service)
        self._definitions: dict[str, str] = {
            definition.name: digest(definition.entry)
            for definition in service.definitions
            if definition.entry is not None
        }
        self._together: dict[frozenset[str], str] = {}

    @property
    def definitions(self) -> JsonObject:
        """The digest of each definition by name."""
        return dict(self._definitions)

    def of(self, bundle: JsonValue, schema: Schema) -> str:
        """Return the digest of a self-contained schema, which may be derived from `schema`."""
        own, used = self._shared.without_copies(bundle, schema.shared)
        if not used:
            return digest(bundle)
        if used not in self._together:
            self._together[used] = digest({name: self._definitions[name] for name in used})
        return digest({"definitions": self._together[used], "schema": own})


def digest(value: JsonValue) -> str:
    """Return the SHA-256 of the canonical JSON of a value, in hex."""
    return sha256(canonical_json(value).encode("ascii")).hexdigest()


def service_entry(service: Service, digests: SchemaDigests) -> JsonObject:
    """Return the catalog entry of a service, without its tools."""
    return {
        "name": service.name,
        "names": service.naming.value,
        "version": service.version,
        "title": service.title,
        "description": service.description,
        "instructions": service.instructions,
        "category": service.category,
        "icons": [icon_entry(icon) for icon in service.icons],
        "python": {"module": service.names.module, "classStem": service.names.class_stem},
        "definitions": digests.definitions,
        "settingsDigest": digests.of(service.settings.bundle, service.settings)
        if service.settings
        else None,
        "auth": _auth(service.auth, digests),
        "instances": [
            {"name": instance.name, "title": instance.title, "description": instance.description}
            for instance in service.instances
        ],
        "modes": [{"name": mode.name, "description": mode.description} for mode in service.modes],
        "scopes": [_scope(rule) for rule in service.scopes],
        "permissions": [_permission(permission) for permission in service.permissions],
        "hooks": _hook_names(service.hooks),
        "timeout": _seconds(service.timeout),
        "formats": service.formats.value,
        "tools": [exact_name(tool) for tool in service.tools],
        "extensions": service.extensions,
    }


def _auth(auth: Auth, digests: SchemaDigests) -> JsonObject:
    if auth.kind is AuthKind.NONE:
        return {"type": auth.kind.value}
    return {
        "type": auth.kind.value,
        "credentials": auth.credentials.value,
        "authorizationUrl": auth.authorization_url,
        "tokenUrl": auth.token_url,
        "authorizeParameters": dict(auth.authorize_parameters),
        "tokenResponse": dict(auth.token_response),
        "scopes": {scope.name: scope.description for scope in auth.scopes},
        "fieldsDigest": digests.of(auth.fields.bundle, auth.fields) if auth.fields else None,
    }


def tool_entry(
    service: Service, tool: Tool, sizes: Mapping[str, int], digests: SchemaDigests
) -> JsonObject:
    """Return the catalog entry of a tool with its sizes, complete."""
    return {
        "name": tool.names.full,
        "exactName": exact_name(tool),
        "service": service.name,
        "tool": tool.name,
        "python": _python_names(service, tool),
        "title": tool.title,
        "summary": tool.summary,
        "description": tool.description,
        "group": tool.group,
        "tags": list(tool.tags),
        "icons": [icon_entry(icon) for icon in tool.icons],
        "icon": tool.icon,
        "version": tool.version,
        "wireName": tool.wire_name,
        "aliases": list(tool.aliases),
        "deprecated": _deprecation(tool),
        **_behaviour(tool),
        **_demands(tool),
        "errors": [
            {"code": error.code, "description": error.description, "retryable": error.retryable}
            for error in tool.errors
        ],
        "examples": [example_entry(example) for example in tool.examples],
        "contentType": tool.output_content_type,
        "formats": tool.formats.value,
        "http": http_entry(tool.http),
        "digests": _digests(tool, digests),
        "tokens": dict(sizes),
        "source": _source(tool.provenance),
        "extensions": tool.extensions,
    }


def _python_names(service: Service, tool: Tool) -> JsonObject:
    stem = tool.names.type_stem
    return {
        "module": service.names.module,
        "method": tool.names.method,
        "input": f"{stem}Input",
        "output": f"{stem}Output",
        "chunk": f"{stem}Chunk" if tool.chunk else None,
    }


def _deprecation(tool: Tool) -> JsonValue:
    deprecated = tool.deprecated
    if deprecated is None:
        return None
    return {"since": deprecated.since, "use": deprecated.use, "remove": deprecated.remove}


def _behaviour(tool: Tool) -> JsonObject:
    hints = tool.annotations
    return {
        "mutation": tool.mutation,
        "inputForm": tool.input_form.value,
        "streaming": tool.streaming,
        "reduction": tool.reduction.value if tool.streaming else None,
        "hints": {
            "readOnly": hints.read_only,
            "destructive": hints.destructive,
            "idempotent": hints.idempotent,
            "openWorld": hints.open_world,
        },
        "risk": {"tier": tool.risk.tier, "reason": tool.risk.reason},
        "effects": [effect.value for effect in tool.effects],
        "taskSupport": tool.task_support.value,
        "idempotency": tool.idempotency.value,
        "verify": tool.verify,
        "revert": tool.revert,
    }


def _demands(tool: Tool) -> JsonObject:
    return {
        "scopes": [_scope(rule) for rule in tool.scopes],
        "permissions": [_permission(permission) for permission in tool.permissions],
        "hooks": _hook_names(tool.hooks),
        "timeout": _seconds(tool.timeout),
        "limits": {"resultBytes": tool.limits.result_bytes},
    }


def _digests(tool: Tool, digests: SchemaDigests) -> JsonObject:
    return {
        "definition": tool.provenance.digest,
        "input": digests.of(tool.arguments, tool.input),
        "output": digests.of(tool.output.bundle, tool.output),
        "chunk": digests.of(tool.chunk.bundle, tool.chunk) if tool.chunk else None,
    }


def _source(origin: Provenance) -> JsonObject:
    imported: JsonObject = {
        "kind": origin.kind,
        "location": origin.location,
        "member": origin.member,
    }
    return {
        "file": origin.file,
        "pointer": origin.pointer,
        "origin": None if origin.kind == "spec" and not origin.location else imported,
    }


def _seconds(timeout: Timeout) -> JsonObject:
    """Return the timeouts of a call in seconds; null for no limit."""
    return {"idle": timeout.idle, "total": timeout.total}


def _hook_names(hooks: Hooks) -> JsonObject:
    """Return the names of hooks by role."""
    return {
        "before": list(hooks.before),
        "middleware": list(hooks.middleware),
        "after": list(hooks.after),
        "afterResponse": list(hooks.after_response),
    }


def _permission(permission: Permission) -> JsonObject:
    """Return a permission in the form of documents, with an empty `op` if it has none."""
    return {
        "kind": permission.kind.value,
        "resource": permission.resource,
        "op": permission.operation,
    }


def _scope(rule: ScopeRule) -> JsonValue:
    """Return a scope requirement as its alternative scopes."""
    return list(rule.any_of)


def http_entry(http: HttpBinding | None) -> JsonValue:
    """Return a request in the form of documents, with its defaults; None without one."""
    if http is None:
        return None
    return {
        "method": http.method,
        "path": http.path,
        "server": http.server,
        "accept": http.accept,
        "security": [_http_security(alternative) for alternative in http.security],
        "in": {argument.argument: _http_argument(argument) for argument in http.arguments},
        "body": {"argument": http.body.argument, "contentType": http.body.content_type}
        if http.body
        else None,
    }


def _http_security(alternative: HttpSecurity) -> JsonValue:
    if alternative.custom:
        return "custom"
    return {
        each.field: {"in": each.place.value, "name": each.name} for each in alternative.credentials
    }


def _http_argument(argument: HttpArgument) -> JsonObject:
    return {
        "in": argument.place.value,
        "name": argument.name,
        "style": argument.style.value if argument.style else None,
        "explode": argument.explode,
        "allowReserved": argument.allow_reserved,
        "contentType": argument.content_type,
        "nulls": argument.nulls.value,
        "file": argument.is_file,
    }


def example_entry(example: Example) -> JsonObject:
    """Return an example call; `output` is null where it fails with `error`."""
    return {
        "title": example.title,
        "input": example.input,
        "output": example.output,
        "error": example.error,
    }


def icon_entry(icon: Icon) -> JsonObject:
    """Return an icon with every member, empty ones included."""
    return {
        "src": icon.src,
        "mimeType": icon.mime_type,
        "sizes": list(icon.sizes),
        "theme": icon.theme,
    }
