"""Where the runtime fills defaults in: what is typed twice, for those who give a value and those who get it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.default_values import has_default
from toolspec.targets.python.sites import FILLED, Root, Site

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.python.identifiers import Identifier, Names
    from toolspec.targets.python.sites import Places

# A `$ref` and the schema that it stands in.
_Reference: TypeAlias = tuple[Root, str]
# Takes the place of a reference where a key is added right here.
_LACKING: _Reference = (Root("", None), "")
_LEADING = frozenset((*FILLED, "$ref"))


class Filling:
    """Tells which schemas get keys from their defaults (`runtime/defaults.py`)."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._targets: dict[_Reference, bool] = {}
        """Whether what a reference leads to adds a key, where that is known."""

    def settled(self, site: Site) -> Site:
        """Return a site as one that is not filled in where nothing below it could be."""
        if not site.filled or self.adds(site):
            return site
        return Site(site.root, site.path, site.node, site.without)

    def adds(self, site: Site) -> bool:
        """Whether a value may lack a key, here or further down, that it has once it is filled in."""
        key = site.root.key, site.path
        if key not in self._known:
            self._known[key] = self._reaches(site.root, site.node)
        return self._known[key]

    def _reaches(self, root: Root, node: JsonValue) -> bool:
        """Follow references depth first with a stack of its own; each is followed once."""
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
                target = self._places.target(_site(reference))
                if target is not None and target.filled:
                    path.append(reference)
                    levels.append(self._leads(target.root, target.node))
        self._targets.update(dict.fromkeys(met, False))
        return False

    def _leads(self, root: Root, node: JsonValue) -> Iterator[_Reference]:
        """Yield the references in a schema that defaults go through; first `_LACKING` if it adds a key."""
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


def _site(reference: _Reference) -> Site:
    root, text = reference
    return Site(root, (), {"$ref": text}, filled=True)


@dataclass(slots=True)
class RootNames:
    """The names of whole schemas, filled in and not.

    Every root has one in `plain`. Those in `given` have another for what is given, as it is before
    defaults are filled in; of others the filled form gets a name when it is needed.
    """

    names: Names
    filling: Filling
    plain: dict[str, Identifier] = field(default_factory=dict)
    given: dict[str, Identifier] = field(default_factory=dict)
    _filled: dict[str, Identifier] = field(default_factory=dict)

    def of(self, site: Site) -> Identifier:
        """Return the name of the root of a site, which begins the names of what is inside it."""
        key = site.root.key
        if key in self.given:
            is_given = not site.filled and self.filling.adds(site)
            return self.given[key] if is_given else self.plain[key]
        if site.filled and key not in self._filled:
            self._filled[key] = self.names.give(f"Filled{self.plain[key]}")
        return self._filled[key] if site.filled else self.plain[key]


def lacking(node: JsonObject) -> bool:
    """Whether an object may lack a key that has a default."""
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


def fillers(holders: list[Site], key: str) -> list[Site]:
    """Return the sites that list a key, as unfilled ones where only some may have filled it in.

    Which of them the runtime takes first is its own matter: the one that adds the key may be late.
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
