"""Shared definitions of a service as one table, and schemas without copies of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject, JsonValue


class SharedDefinitions:
    """Definitions of a service that schemas need, each once.

    A schema has copies of its definitions below its `$defs` (`Schema.bundle`). A copy that equals
    the entry of the table under the same name is left out: with the table, the schema is
    equivalent.
    """

    def __init__(self, service: Service) -> None:
        self._entries = {
            definition.name: definition.entry
            for definition in service.definitions
            if definition.entry is not None
        }
        self._used: set[str] = set()

    def without_copies(
        self, bundle: JsonValue, shared: tuple[tuple[str, str], ...]
    ) -> tuple[JsonValue, frozenset[str]]:
        """Return a schema without the copies that the table has, and the names of those."""
        copies = bundle.get("$defs") if isinstance(bundle, dict) else None
        if not isinstance(bundle, dict) or not isinstance(copies, dict):
            return bundle, frozenset()
        names = (name for name, original in shared if name == original)
        omitted = frozenset(name for name in names if self._has(name, copies))
        if not omitted:
            return bundle, omitted
        self._used |= omitted
        remaining = {name: copy for name, copy in copies.items() if name not in omitted}
        own: JsonObject = {key: value for key, value in bundle.items() if key != "$defs"}
        return own | ({"$defs": remaining} if remaining else {}), omitted

    def _has(self, name: str, copies: dict[str, JsonValue]) -> bool:
        if name not in self._entries or name not in copies:
            return False
        entry, copy = self._entries[name], copies[name]
        return entry is copy or entry == copy

    @property
    def used(self) -> dict[str, JsonValue]:
        """The entries that were left out of schemas, in the order of the service."""
        return {name: entry for name, entry in self._entries.items() if name in self._used}
