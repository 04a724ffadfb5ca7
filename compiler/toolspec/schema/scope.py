"""A schema as its author wrote it: its subschemas with their dialects, identifiers and anchors."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.schema.dialect import Dialect, dialect_of
from toolspec.schema.refs import Target, Uri, file_uri, joined
from toolspec.schema.walk import children, find
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.schema.walk import Subschema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path

NAMING = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor"})


@dataclass(frozen=True, slots=True)
class Outline:
    """The subschemas of a schema, with the dialect of each.

    `uses` has for each keyword the numbers of those that use it, `dialects` the dialect of each,
    `used_dialects` each once. The walk skips keywords that the dialect does not define.
    """

    nodes: tuple[Subschema, ...]
    dialects: tuple[Dialect, ...]
    uses: Mapping[str, Sequence[int]]
    used_dialects: frozenset[Dialect]

    def nodes_below(self, path: Path) -> tuple[Subschema, ...]:
        """Return the subschemas with their paths relative to the schema at a path."""
        if not path:
            return self.nodes
        return tuple((inner[len(path) :], node) for inner, node in self.nodes)

    def using(self, words: Iterable[str]) -> Iterator[tuple[Path, JsonObject, Dialect]]:
        """Yield the subschemas that use keywords which their dialect defines, in order."""
        words = self.uses.keys() & words
        if not words:
            return
        for number in sorted({number for word in words for number in self.uses[word]}):
            (path, node), dialect = self.nodes[number], self.dialects[number]
            if isinstance(node, dict) and any(
                word in node and dialect.applies(word, node) for word in words
            ):
                yield path, node, dialect


def outline(value: JsonValue, dialect: Dialect, path: Path = ()) -> Outline:
    """Return the subschemas of a schema at a path, in document order.

    The walk has an explicit stack, so any depth is possible.
    """
    nodes: list[Subschema] = []
    dialects: list[Dialect] = []
    uses: defaultdict[str, list[int]] = defaultdict(list)
    stack: list[tuple[Path, JsonValue, Dialect]] = [(path, value, dialect)]
    while stack:
        node_path, node, current_dialect = stack.pop()
        if isinstance(node, dict):
            if "$schema" in node:
                current_dialect = dialect_of(node, current_dialect)
            for word in node:
                uses[word].append(len(nodes))
            applicators = current_dialect.applicators
            # Most schemas are leaves, which this test recognizes by their keys.
            if not applicators.keys().isdisjoint(node):
                applied_node = node
                if current_dialect is not Dialect.DRAFT_2020_12:
                    applied_node = {
                        key: node[key] for key in node if current_dialect.applies(key, node)
                    }
                subschemas = children(applied_node, node_path, applicators)
                stack += [
                    (child_path, child, current_dialect)
                    for child_path, child in reversed(subschemas)
                ]
        elif not isinstance(node, bool):
            continue
        nodes.append((node_path, node))
        dialects.append(current_dialect)
    return Outline(tuple(nodes), tuple(dialects), uses, frozenset(dialects))


@dataclass(frozen=True, slots=True)
class DuplicateIdentifier:
    """An identifier or anchor of two schemas: its text and its locations."""

    text: str
    first: Path
    second: Path


class Scope:
    """The schema in which references are resolved: identifiers and anchors of all subschemas.

    `base` is the URI that its identifier is resolved against, by default that of its file.
    """

    def __init__(self, value: JsonValue, location: Location, base: Uri | None = None) -> None:
        base = base or file_uri(location.document.source.path)
        dialect = Dialect.DRAFT_2020_12
        self.value = value
        self.location = location
        self.dialect = dialect_of(value, dialect)
        self.outline = outline(value, dialect)
        self.resources: dict[Uri, Path] = {}
        self.anchors: dict[tuple[Path, str], Path] = {}
        self.dynamic: set[tuple[Path, str]] = set()
        # Number of resources with a dynamic anchor, by name; empty for `$recursiveAnchor`.
        self.dynamic_names: defaultdict[str, int] = defaultdict(int)
        self.repeated: list[DuplicateIdentifier] = []
        self.several: dict[Uri, DuplicateIdentifier] = {}
        self._bases: dict[Path, Uri] = {(): base}
        self.resources[base] = ()
        if not self.outline.uses.keys().isdisjoint(NAMING):
            for path, node, node_dialect in self.outline.using(NAMING):
                self._register(path, node, node_dialect)

    def root_of(self, path: Path) -> Path:
        """Return the path of the resource that contains a path."""
        if len(self._bases) == 1:
            return ()
        return next(
            path[:length] for length in range(len(path), -1, -1) if path[:length] in self._bases
        )

    def base_of(self, path: Path) -> Uri:
        """Return the base URI of references at a path."""
        return self._bases[self.root_of(path)]

    def dialect_at(self, path: Path) -> Dialect:
        """Return the dialect at a path."""
        if not path:
            return self.dialect
        dialects = self._dialects
        return next(
            (
                dialects[path[:length]]
                for length in range(len(path), -1, -1)
                if path[:length] in dialects
            ),
            self.dialect,
        )

    @cached_property
    def positions(self) -> frozenset[Path]:
        """The paths of all subschemas."""
        return frozenset(path for path, _ in self.outline.nodes)

    @cached_property
    def _dialects(self) -> dict[Path, Dialect]:
        nodes = zip(self.outline.nodes, self.outline.dialects, strict=True)
        return {path: dialect for (path, _), dialect in nodes}

    def find(self, target: Target) -> Path | None:
        """Return the path of a target whose identifier is in this scope, or None."""
        root = self.resources[target.uri]
        if target.anchor:
            return self.anchors.get((root, target.anchor))
        resource: JsonValue = self.value
        for step in root:
            resource = resource[step]  # type: ignore[index]  # the path of a schema
        path = find(resource, target.steps)
        return None if path is None else (*root, *path)

    def _register(self, path: Path, node: JsonObject, dialect: Dialect) -> None:
        # In old dialects siblings of a `$ref` are ignored, and so is an identifier there.
        identifier = node.get("id" if dialect is Dialect.DRAFT_04 else "$id")
        if isinstance(identifier, str):
            self._identify(path, identifier)
        keywords = dialect.keywords
        for keyword in ("$anchor", "$dynamicAnchor"):
            anchor = node.get(keyword)
            if keyword in keywords and isinstance(anchor, str):
                self._anchor(path, anchor)
                if keyword == "$dynamicAnchor":
                    self._make_dynamic(path, anchor)
        if "$recursiveAnchor" in keywords and node.get("$recursiveAnchor") is True:
            self._make_dynamic(path, "")

    def _make_dynamic(self, path: Path, anchor: str) -> None:
        named = (self.root_of(path), anchor)
        if named not in self.dynamic:
            self.dynamic.add(named)
            self.dynamic_names[anchor] += 1

    def _identify(self, path: Path, name: str) -> None:
        """Add an identifier; a fragment alone is an anchor in draft-04 to draft-07."""
        uri_text, _, fragment = name.partition("#")
        if not uri_text:
            # Generators write `#` at the root and pointers below, which are not new names.
            if fragment and not fragment.startswith("/"):
                self._anchor(path, fragment)
            return
        uri = joined(self.base_of(path), name)
        self._bases[path] = uri
        first = self.resources.setdefault(uri, path)
        if first != path:
            self.several[uri] = DuplicateIdentifier(name, first, path)

    def _anchor(self, path: Path, name: str) -> None:
        first = self.anchors.setdefault((self.root_of(path), name), path)
        if first != path:
            self.repeated.append(DuplicateIdentifier(f"#{name}", first, path))
