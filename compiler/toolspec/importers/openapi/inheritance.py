"""Schemas that extend a base with a discriminator by `allOf`, where no union lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.importers.openapi.model import Api
    from toolspec.importers.openapi.sources import Key
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

_OF_A_BRANCH = 2  # the last steps of a path to a branch: `allOf` and its index


class Inheritance:
    """Subtypes of schemas, computed once a document, where a base has a discriminator.

    The schemas of `components` are looked at, and those to which a discriminator maps a value.
    """

    def __init__(self, api: Api) -> None:
        self._sources = api.sources
        self._schemas = api.root.location.at("components", "schemas")
        self._is_read = False
        self._children: dict[Key, list[Location]] = {}
        self._subtypes: dict[Key, tuple[Location, ...]] = {}
        self._extending: dict[Key, frozenset[Key]] = {}

    def subtypes(self, base: Location) -> tuple[Location, ...]:
        """Return the schemas that extend a base, also through others; none without a discriminator."""
        key = base.key
        if key not in self._subtypes:
            value = base.value_or_none
            self._subtypes[key] = (
                tuple(self._found(base, value))
                if isinstance(value, dict) and discriminating_member(value)
                else ()
            )
        return self._subtypes[key]

    def extends(self, at: Location, base: Location) -> bool:
        """Return whether a reference is the one by which a subtype extends its base."""
        subtypes = self.subtypes(base)
        if base.key not in self._extending:
            self._extending[base.key] = frozenset(subtype.key for subtype in subtypes)
        holder = (at.key[0], at.path[:-_OF_A_BRANCH])
        is_branch = at.path[-_OF_A_BRANCH:-1] == ("allOf",)
        return is_branch and holder in self._extending[base.key]

    def _found(self, base: Location, value: JsonObject) -> Iterator[Location]:
        schemas = self._schemas.value_or_none
        if not self._is_read:
            self._is_read = True
            for name in schemas if isinstance(schemas, dict) else ():
                self._add(self._schemas / name)
        discriminator = value["discriminator"]
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        for reference in mapping.values() if isinstance(mapping, dict) else ():
            if isinstance(reference, str) and reference.partition("#")[0]:
                target = self._sources.target(base, reference) if "." in reference else None
                if target is not None and target.key[0] != base.key[0]:
                    self._add(target)
        seen = {base.key}
        pending = [base]
        while pending:
            for child in self._children.get(pending.pop(0).key, ()):
                if child.key not in seen:
                    seen.add(child.key)
                    pending.append(child)
                    yield child

    def _add(self, schema: Location) -> None:
        value = schema.value_or_none
        branches = value.get("allOf") if isinstance(value, dict) else None
        for index, branch in enumerate(branches if isinstance(branches, list) else ()):
            reference = branch.get("$ref") if isinstance(branch, dict) else None
            if isinstance(reference, str):
                parent = self._sources.target(schema.at("allOf", index), reference)
                if parent is not None:
                    children = self._children.setdefault(parent.key, [])
                    if all(child.key != schema.key for child in children):
                        children.append(schema)


def discriminating_member(schema: JsonObject) -> str:
    """Return the member whose value selects a subtype of a schema; empty for a union."""
    discriminator: JsonValue = schema.get("discriminator")
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    is_union = isinstance(schema.get("oneOf"), list) or isinstance(schema.get("anyOf"), list)
    return name if isinstance(name, str) and not is_union else ""
