"""The positions in a schema where JSON Schema 2020-12 and draft-07 have subschemas."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from toolspec.schema.keywords import APPLICATORS, Holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

Subschema: TypeAlias = "tuple[Path, JsonObject | bool]"

_ENTERING = frozenset(APPLICATORS)


@dataclass(frozen=True, slots=True)
class Survey:
    """All that one walk through a schema sees.

    `nodes` are the schema and every subschema with its path, in the order of the document; `uses`
    has for each keyword the numbers of those that use it.
    """

    nodes: tuple[Subschema, ...]
    uses: Mapping[str, Sequence[int]]


def survey(value: JsonValue) -> Survey:
    """Return what a walk through a schema sees.

    What stands in the place of a schema and is none is passed over. Any depth will do: the walk
    keeps its own stack.
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
            # Most schemas are leaves, and this asks for no more than a look at their keys.
            if not _ENTERING.isdisjoint(node):
                stack += reversed(children(node, path))
        elif isinstance(node, bool):
            nodes.append((path, node))
    return Survey(tuple(nodes), uses)


def subschemas(value: JsonValue) -> tuple[Subschema, ...]:
    """Return a schema and every subschema of it with its path, in the order of the document."""
    return survey(value).nodes


def children(
    node: JsonObject, path: Path = (), applicators: Mapping[str, Holds] = APPLICATORS
) -> list[tuple[Path, JsonValue]]:
    """Return the values of a schema at a path that are in the place of subschemas, with their paths."""
    below: list[tuple[Path, JsonValue]] = []
    for keyword, value in node.items():
        holds = applicators.get(keyword)
        if holds is None:
            continue
        if holds is Holds.MAP:
            named = value.items() if isinstance(value, dict) else ()
            below += [((*path, keyword, name), child) for name, child in named]
        elif isinstance(value, list):
            below += [((*path, keyword, index), child) for index, child in enumerate(value)]
        elif holds is Holds.ONE:
            below.append(((*path, keyword), value))
    return below


def split(path: Path) -> tuple[Path, Path]:
    """Return the path of the schema that a path lies in, and the rest: a keyword and what follows.

    The rest is empty where the path leads to a subschema's position itself. It only looks at the
    words, so `items` followed by a number is taken for draft-07's list of schemas.
    """
    at = 0
    while at < len(path):
        holds = APPLICATORS.get(str(path[at]))
        width = 1 if holds is Holds.ONE else 2
        if holds is Holds.ONE and at + 1 < len(path) and isinstance(path[at + 1], int):
            width = 2
        if holds is None or at + width > len(path):
            break
        at += width
    return path[:at], path[at:]


def applied(path: Path) -> tuple[str, ...]:
    """Return the keywords by which one comes from a schema to its subschema at a path."""
    keywords: list[str] = []
    at = 0
    while at < len(path):
        keyword = str(path[at])
        keywords.append(keyword)
        at += 1 if APPLICATORS.get(keyword) is Holds.ONE else 2
    return tuple(keywords)


def stands_at(value: JsonValue, path: Path) -> bool:
    """Whether a path leads to a position of a schema, and a schema stands there."""
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
    """Return the path that a pointer's steps name in a value; None where they lead nowhere."""
    path: list[str | int] = []
    for step in steps:
        match value:
            case dict() if step in value:
                value = value[step]
                path.append(step)
            case list() if step.isdecimal() and step.isascii() and int(step) < len(value):
                value = value[int(step)]
                path.append(int(step))
            case _:
                return None
    return tuple(path)
