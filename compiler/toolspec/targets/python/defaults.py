"""Schemas in which the runtime fills in defaults, and the names of their two types.

Such a schema has one type for the values that callers pass and one for the values handlers get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.default_values import has_default
from toolspec.shared.records import dataclass, field, replace
from toolspec.targets.python.schema_location import FILLED, Root, SchemaLocation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.python.identifiers import Identifier, Names
    from toolspec.targets.python.schema_location import Locations

# A `$ref` and the root of the schema that contains it.
_Reference: TypeAlias = tuple[Root, str]
# Stands for a reference in a schema that itself adds a key.
_LACKING: _Reference = (Root("", None), "")
_LEADING = frozenset((*FILLED, "$ref"))


class DefaultedSchema:
    """Decides which schemas get keys from their defaults (`runtime/defaults.py`)."""

    def __init__(self, locations: Locations) -> None:
        self._locations = locations
        self._known: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._targets: dict[_Reference, bool] = {}
        """Whether the target of a reference adds a key, for references already followed."""

    def settled(self, site: SchemaLocation) -> SchemaLocation:
        """Return a site, marked as not filled if no default applies at or below it."""
        if not site.filled or self.adds(site):
            return site
        return SchemaLocation(site.root, site.path, site.node, site.without)

    def adds(self, site: SchemaLocation) -> bool:
        """Return whether defaults add a key to the value, here or further down."""
        key = site.root.key, site.path
        if key not in self._known:
            self._known[key] = self._reaches(site.root, site.node)
        return self._known[key]

    def _reaches(self, root: Root, node: JsonValue) -> bool:
        """Return whether following references depth first, each once, leads to an added key."""
        path: list[_Reference] = []
        met: set[_Reference] = set()
        levels = [self._leads(root, node)]
        while levels:
            reference = next(levels[-1], None)
            if reference is None:
                levels.pop()
                if path:
                    path.pop()
            elif reference is _LACKING or self._targets.get(reference):
                self._targets.update(dict.fromkeys(path, True))
                return True
            elif reference not in met and reference not in self._targets:
                met.add(reference)
                target = self._locations.target(_site(reference))
                if target is not None and target.filled:
                    path.append(reference)
                    levels.append(self._leads(target.root, target.node))
        self._targets.update(dict.fromkeys(met, False))
        return False

    def _leads(self, root: Root, node: JsonValue) -> Iterator[_Reference]:
        """Yield the references that defaults follow; only `_LACKING` if the schema adds a key."""
        found: list[_Reference] = []
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if not isinstance(node, dict) or _LEADING.isdisjoint(node):
                continue
            if lacking(node):
                return iter((_LACKING,))
            waiting += _inner(node)
            if isinstance(reference := node.get("$ref"), str):
                found.append((root, reference))
        return iter(found)


def _site(reference: _Reference) -> SchemaLocation:
    root, text = reference
    return SchemaLocation(root, (), {"$ref": text}, filled=True)


@dataclass(slots=True)
class RootNames:
    """Type names of whole schemas, before and after defaults are filled in.

    Every root has a name in `plain`. Roots in `given` have a second one for the value before
    defaults are filled in; for other roots the filled form is named on demand.
    """

    names: Names
    filling: DefaultedSchema
    plain: dict[str, Identifier] = field(default_factory=dict)
    given: dict[str, Identifier] = field(default_factory=dict)
    _filled: dict[str, Identifier] = field(default_factory=dict)

    def of(self, site: SchemaLocation) -> Identifier:
        """Return the name of a site's root, the prefix for the names of types inside it."""
        key = site.root.key
        if key in self.given:
            is_given = not site.filled and self.filling.adds(site)
            return self.given[key] if is_given else self.plain[key]
        if site.filled and key not in self._filled:
            self._filled[key] = self.names.give(f"Filled{self.plain[key]}")
        return self._filled[key] if site.filled else self.plain[key]


def lacking(node: JsonObject) -> bool:
    """Return whether an object may lack a key that has a default."""
    members = node.get("properties")
    if not isinstance(members, dict):
        return False
    required = node.get("required")
    needed = required if isinstance(required, list) else ()
    return any(key not in needed for key in defaulted(members))


def defaulted(members: JsonObject) -> Iterator[str]:
    """Yield the keys that have a default."""
    for key, schema in members.items():
        if isinstance(schema, dict) and has_default(schema):
            yield key


def fillers(holders: list[SchemaLocation], key: str) -> list[SchemaLocation]:
    """Return the sites that list a key, marked as not filled where only some may fill it in.

    The order in which the runtime visits them is not known here.
    """
    schemas = [holder.named("properties")[key] for holder in holders]
    is_sure = len(holders) == 1 or not any(
        isinstance(schema, dict) and has_default(schema) for schema in schemas
    )
    return holders if is_sure else [replace(holder, filled=False) for holder in holders]


def _inner(node: JsonObject) -> Iterator[JsonValue]:
    for keyword in FILLED:
        if keyword in node:
            yield from _schemas(keyword, node[keyword])


def _schemas(keyword: str, found: JsonValue) -> Iterable[JsonValue]:
    if isinstance(found, list):
        return found
    return found.values() if keyword == "properties" and isinstance(found, dict) else (found,)
