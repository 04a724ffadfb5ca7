"""Catalog entry of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import AuthKind
from toolspec.targets.catalog.parts import (
    hook_names,
    icon_entry,
    limits,
    permission_entry,
    scope_entry,
)
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from toolspec.ir import Auth, Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.catalog.schema_digests import SchemaDigests


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
            {"name": each.name, "title": each.title, "description": each.description}
            for each in service.instances
        ],
        "modes": [{"name": each.name, "description": each.description} for each in service.modes],
        "scopes": [scope_entry(rule) for rule in service.scopes],
        "permissions": [permission_entry(each) for each in service.permissions],
        "hooks": hook_names(service.hooks),
        "timeout": limits(service.timeout),
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
