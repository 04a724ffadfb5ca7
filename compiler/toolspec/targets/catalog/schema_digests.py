"""Digests of a service's schemas, with each definition read once."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.targets.shared_definitions import SharedDefinitions

if TYPE_CHECKING:
    from toolspec.ir import Schema, Service
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
