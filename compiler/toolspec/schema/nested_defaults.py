"""Defaults that get other defaults filled in: without end, or too many."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema import graph, kinds
from toolspec.schema.diagnostics import diagnostic_at
from toolspec.shared.default_values import has_default

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.bundle import Key, LinkedSchema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path

# Maximum values that replace one missing member.
MAX_FILLED = 10_000
# Maximum values of all defaults, which bounds the time of the check.
_MAX_READ = 200_000

# A property with an object or a list as its default, and all schemas of its value.
_Filled: TypeAlias = "tuple[Path, tuple[Path, ...]]"


def check_nested_defaults(
    schemas: Mapping[Key, LinkedSchema],
) -> tuple[tuple[Key, Diagnostic], ...]:
    """Return errors of defaults that cannot be filled in, each with the key of its schema.

    The runtime fills the defaults of properties into other defaults too (`runtime/defaults.py`).
    """
    linked = tuple(schemas.values())
    if not any(map(_has_container, linked)):
        return ()
    roots: dict[Key, Path] = {schema.key: (index,) for index, schema in enumerate(linked)}
    nodes: dict[Path, JsonObject | bool] = {}
    targets: dict[Path, Path] = {}
    for index, schema in enumerate(linked):
        nodes |= {(index, *path): node for path, node in schema.resource.nodes}
        targets |= {(index, *holder): target for holder, target in schema.targets(roots)}
    errors = []
    for (root, *path), size in _NestedDefaults(nodes, targets).errors():
        schema = linked[int(root)]
        location = schema.resource.locations((*path, "default"))
        errors.append((schema.key, _diagnostic(size, location)))
    return tuple(errors)


def _has_container(linked: LinkedSchema) -> bool:
    holders = linked.resource.using({"default"})
    return any(_is_container(node["default"]) for _, node in holders)


def _diagnostic(size: int | None, location: Location) -> Diagnostic:
    """Return the error of a default that would have so many values (None: without end)."""
    if size is None:
        return diagnostic_at(kinds.ENDLESS_DEFAULT, location)
    return diagnostic_at(
        kinds.TOO_COMPLEX,
        location,
        measure=f"{size:,} values or more would replace this member where it is missing",
        limit=f"{MAX_FILLED:,}",
        suggestion="delete some of the defaults that are filled into this one",
    )


class _NestedDefaults:
    """Defaults of properties with what is filled into each; equal ones are read once."""

    def __init__(
        self, nodes: Mapping[Path, JsonObject | bool], targets: Mapping[Path, Path]
    ) -> None:
        self._nodes, self._targets = nodes, targets
        self._numbers: dict[_Filled, int] = {}
        self._queue: list[_Filled] = []
        self._read = 0

    def errors(self) -> Iterator[tuple[Path, int | None]]:
        """Yield the path of each property with an error, and the size of its default."""
        for path, node in self._nodes.items():
            if path[-2:-1] == ("properties",) and _is_container(_default(node)):
                self._number((path, (path,)))
        sizes: list[int] = []
        inner: list[list[int]] = []
        for filled in self._queue:  # which grows
            size, nested = self._fill(*filled)
            sizes.append(size)
            inner.append(nested)
            if self._read > _MAX_READ:
                yield filled[0], self._read
                return
        reported: set[int] = set()  # and every default that contains one of these
        for members in graph.closed_components(inner):
            number = min(members)
            sizes[number] += sum(sizes[other] for other in inner[number])
            if not reported.isdisjoint(other for member in members for other in inner[member]):
                reported.update(members)
            elif len(members) > 1 or number in inner[number]:
                reported.update(members)
                yield self._queue[number][0], None
            elif sizes[number] > MAX_FILLED:
                reported.add(number)
                yield self._queue[number][0], sizes[number]

    def _number(self, filled: _Filled) -> int:
        """Return the number of a default, which is read later if it is new."""
        if filled not in self._numbers:
            self._numbers[filled] = len(self._queue)
            self._queue.append(filled)
        return self._numbers[filled]

    def _fill(self, path: Path, schemas: tuple[Path, ...]) -> tuple[int, list[int]]:
        """Return the number of values in a default, and the numbers of those filled into it."""
        size = 0
        nested: list[int] = []
        queue = [(_default(self._nodes[path]), schemas)]
        for value, places in queue:  # which grows
            size += 1
            layers = self._layers(places) if isinstance(value, (dict, list)) else ()
            if isinstance(value, list):
                queue += ((item, _item_schemas(layers, index)) for index, item in enumerate(value))
            elif isinstance(value, dict):
                queue += ((item, _member_schemas(layers, name)) for name, item in value.items())
                for name, property_path in _missing(layers, value).items():
                    default = _default(self._nodes[property_path])
                    if _is_container(default):
                        members = _member_schemas(layers, name)
                        existing = tuple(filter(self._nodes.__contains__, members))
                        nested.append(self._number((property_path, existing)))
                    else:
                        size += 1
        self._read += size
        return size, nested

    def _layers(self, places: tuple[Path, ...]) -> list[tuple[Path, JsonObject]]:
        """Return the schemas that apply to one value, in the order in which they are filled in."""
        layers: dict[Path, JsonObject] = {}
        visited: set[Path] = set()
        stack = [(path, False) for path in reversed(places)]
        while stack:
            path, is_complete = stack.pop()
            node = self._nodes.get(path)
            if not isinstance(node, dict):
                continue
            if is_complete:
                layers[path] = node
            elif path not in visited:
                visited.add(path)
                stack.append((path, True))
                members = node.get("allOf")
                count = len(members) if isinstance(members, list) else 0
                stack += (((*path, "allOf", index), False) for index in reversed(range(count)))
                if path in self._targets:
                    stack.append((self._targets[path], False))
        return list(layers.items())


def _default(node: JsonObject | bool) -> JsonValue:
    return node.get("default") if isinstance(node, dict) else None


def _is_container(value: JsonValue) -> bool:
    return isinstance(value, (dict, list))


def _missing(layers: Iterable[tuple[Path, JsonObject]], value: JsonObject) -> dict[str, Path]:
    """Return the properties with a default that a value lacks: the first schema's of each name."""
    missing: dict[str, Path] = {}
    for path, node in layers:
        properties = node.get("properties")
        for name, member in properties.items() if isinstance(properties, dict) else ():
            if name not in value and has_default(member):
                missing.setdefault(name, (*path, "properties", name))
    return missing


def _member_schemas(layers: Iterable[tuple[Path, JsonObject]], name: str) -> tuple[Path, ...]:
    """Return the schemas of a member of an object."""
    schemas = []
    for path, node in layers:
        properties = node.get("properties")
        if isinstance(properties, dict) and name in properties:
            schemas.append((*path, "properties", name))
        else:
            schemas.append((*path, "additionalProperties"))
    return tuple(schemas)


def _item_schemas(layers: Iterable[tuple[Path, JsonObject]], index: int) -> tuple[Path, ...]:
    """Return the schemas of an item of a list."""
    schemas = []
    for path, node in layers:
        leading = node.get("prefixItems")
        if isinstance(leading, list) and index < len(leading):
            schemas.append((*path, "prefixItems", index))
        else:
            schemas.append((*path, "items"))
    return tuple(schemas)
