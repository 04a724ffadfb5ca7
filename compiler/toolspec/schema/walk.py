"""Positions of subschemas in JSON Schema 2020-12 and draft-07, and declared members."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.shared.records import dataclass
from toolspec.shared.references import item_index

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

Subschema: TypeAlias = "tuple[Path, JsonObject | bool]"

_ENTERING = frozenset(APPLICATORS)


@dataclass(frozen=True, slots=True)
class Survey:
    """Result of one walk through a schema.

    `nodes` are the schema and every subschema with its path, in document order; `uses` has for each
    keyword the numbers of those that use it.
    """

    nodes: tuple[Subschema, ...]
    uses: Mapping[str, Sequence[int]]


def survey(value: JsonValue) -> Survey:
    """Return the subschemas and keywords of a schema.

    A value that is not a schema is skipped. Any depth is possible: the walk has an
    explicit stack.
    """
    nodes: list[Subschema] = []
    uses: defaultdict[str, list[int]] = defaultdict(list)
    stack: list[tuple[Path, JsonValue]] = [((), value)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, dict):
            for word in node:
                uses[word].append(len(nodes))
            nodes.append((path, node))
            # Most schemas are leaves, which this test recognizes by their keys.
            if not _ENTERING.isdisjoint(node):
                stack += reversed(children(node, path))
        elif isinstance(node, bool):
            nodes.append((path, node))
    return Survey(tuple(nodes), uses)


def subschemas(value: JsonValue) -> tuple[Subschema, ...]:
    """Return a schema and all its subschemas with their paths, in document order."""
    return survey(value).nodes


def children(
    node: JsonObject, path: Path = (), applicators: Mapping[str, Holds] = APPLICATORS
) -> list[tuple[Path, JsonValue]]:
    """Return the values and paths of a schema at the positions of subschemas."""
    positions: list[tuple[Path, JsonValue]] = []
    for keyword, value in node.items():
        holds = applicators.get(keyword)
        if holds is None:
            continue
        if holds is Holds.MAP:
            members = value.items() if isinstance(value, dict) else ()
            positions += [((*path, keyword, name), child) for name, child in members]
        elif isinstance(value, list):
            positions += [((*path, keyword, index), child) for index, child in enumerate(value)]
        elif holds is Holds.ONE:
            positions.append(((*path, keyword), value))
    return positions


def split(path: Path) -> tuple[Path, Path]:
    """Return the path of the schema around a path, and the rest, which begins with a keyword.

    The rest is empty if the path is the position of a subschema. Only the keywords count, so
    `items` followed by a number is treated as draft-07's list of schemas.
    """
    index = 0
    while index < len(path):
        holds = APPLICATORS.get(str(path[index]))
        width = 1 if holds is Holds.ONE else 2
        if holds is Holds.ONE and index + 1 < len(path) and isinstance(path[index + 1], int):
            width = 2
        if holds is None or index + width > len(path):
            break
        index += width
    return path[:index], path[index:]


def applied(path: Path) -> tuple[str, ...]:
    """Return the keywords on the path from a schema to its subschema."""
    keywords: list[str] = []
    index = 0
    while index < len(path):
        keyword = str(path[index])
        keywords.append(keyword)
        index += 1 if APPLICATORS.get(keyword) is Holds.ONE else 2
    return tuple(keywords)


def stands_at(value: JsonValue, path: Path) -> bool:
    """Return whether a path is the position of a subschema, and has one."""
    if split(path)[1]:
        return False
    for step in path:
        match value, step:
            case dict(), str() if step in value:
                value = value[step]
            case list(), int() if step < len(value):
                value = value[step]
            case _:
                return False
    return isinstance(value, (dict, bool))


def find(value: JsonValue, steps: Iterable[str]) -> Path | None:
    """Return the path of a pointer's steps in a value, or None if it does not exist."""
    path: list[str | int] = []
    for step in steps:
        match value:
            case dict() if step in value:
                value = value[step]
                path.append(step)
            case list() if (index := item_index(step, value)) is not None:
                value = value[index]
                path.append(index)
            case _:
                return None
    return tuple(path)


def emptied(value: JsonValue, paths: Iterable[Path]) -> JsonValue:
    """Return a schema with the subschemas at some paths emptied."""
    paths_by_step: dict[str | int, list[Path]] = {}
    for path in paths:
        if not path:
            return {}
        paths_by_step.setdefault(path[0], []).append(path[1:])
    if isinstance(value, dict):
        return value | {
            step: emptied(value[step], inner)
            for step, inner in paths_by_step.items()
            if isinstance(step, str) and step in value
        }
    if isinstance(value, list):
        copied = list(value)
        for step, inner in paths_by_step.items():
            if isinstance(step, int) and step < len(value):
                copied[step] = emptied(value[step], inner)
        return copied
    return value


def members(schema: JsonValue) -> JsonObject:
    """Return the `properties` of a schema by name; empty where there are none."""
    declared = schema.get("properties") if isinstance(schema, dict) else None
    return declared if isinstance(declared, dict) else {}
