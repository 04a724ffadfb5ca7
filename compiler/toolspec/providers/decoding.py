"""Decode map: operations that turn a model's answer back into arguments of the source.

An operation is plain JSON: `op`, `at` (the location of its values, a JSON Pointer in which `*`
means every item of an array; a key that is itself `*` is written `~2`), and the operation's
parameters:

| op | effect on each value at the location |
|---|---|
| `drop-null` | removes the members named in `keys` that are null |
| `rename` | renames members as given in `keys` |
| `pairs` | turns a list of `{key, value}` into an object; a duplicate key is an error |
| `spread` | turns the pairs in the member `key` into members, except those named in `except` |
| `each-other` | applies `do` to every member not in `except` |
| `choose` | applies `do` of the first of `forms` whose `when` matches |
| `apply` | applies the operations that `define` has under `rule` |
| `define` | stores `do` under `rule`; comes first, and has no effect by itself |

They run in order, deeper locations first, so that locations are those of the answer.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.features import references
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, below, every
from toolspec.providers.shapes import ALL, disjoint, shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.providers.ledger import Entry
    from toolspec.providers.shapes import Shape
    from toolspec.syntax.nodes import JsonObject, JsonValue


def decode_map(root: Node) -> tuple[tuple[JsonObject, ...], tuple[Entry, ...]]:
    """Return the decode operations of a lowered schema, and entries for ambiguous unions.

    Both are empty if nothing is encoded.
    """
    if not any(node.coding for node in every(root)):
        return (), ()
    compiling = _Compiling(root)
    return tuple(compiling.operations()), tuple(compiling.ambiguous())


class _Compiling:
    """Compiler of decode operations: one walk over a lowered schema."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._bodies = {f"#/$defs/{name}": body for name, body in root.named("$defs").items()}
        self._bodies["#"] = root
        self._rules = self._coded()

    def operations(self) -> list[JsonObject]:
        defined: list[JsonObject] = [
            {"op": "define", "rule": name, "do": list(self._within(self._bodies[name], ""))}
            for name in sorted(self._rules)
        ]
        return [*defined, *self._within(self._root, "")]

    def _coded(self) -> frozenset[str]:
        """Return the references whose targets, direct or indirect, contain encoded values."""
        leads = {name: references(body) for name, body in self._bodies.items()}
        used = frozenset().union(*leads.values())
        coded = {
            name
            for name, body in self._bodies.items()
            if any(node.coding for node in every(body.without("$defs")))
        }
        while more := {name for name, to in leads.items() if to & coded} - coded:
            coded |= more
        return frozenset(coded & used)

    def resolve(self, reference: str) -> Node | None:
        return self._bodies.get(reference)

    def _within(self, node: Node, at: str) -> list[JsonObject]:
        """Return the operations on the values of a schema at a location, deepest first."""
        reference = str(node.value("$ref")) if "$ref" in node else ""
        operations: list[JsonObject] = []
        if reference in self._rules:
            operations.append({"op": "apply", "at": at, "rule": reference})
        for word, step, child in below(node):
            if word == "properties":
                operations += self._within(child, f"{at}/{_escaped(str(step))}")
            elif word == "items":
                operations += self._within(child, f"{at}/*")
            elif word == "allOf":
                operations += self._within(child, at)
        operations += self._others(node, at)
        for word in ("anyOf", "oneOf"):
            operations += self._choice(node.many(word), at)
        return [*operations, *({**operation, "at": at} for operation in node.coding)]

    def _others(self, node: Node, at: str) -> list[JsonObject]:
        others = node.one("additionalProperties")
        inner = self._within(others, "") if others else []
        if not inner:
            return []
        named: list[JsonValue] = list(node.named("properties"))
        return [{"op": "each-other", "at": at, "except": named, "do": list(inner)}]

    def ambiguous(self) -> Iterator[Entry]:
        """Yield an entry for each union with two overlapping options that decode differently."""
        for node in every(self._root):
            for word in ("anyOf", "oneOf"):
                branches = node.many(word)
                operations = [self._within(branch, "") for branch in branches]
                if any(operations) and not self._are_apart(branches, operations):
                    detail = "an answer can match two options that are decoded differently"
                    origins = node.of(word) or node.of("type") or (f"{node.location}/{word}",)
                    yield from entries(origins, Outcome.WIDENED, "decode", detail)

    def _are_apart(self, branches: Sequence[Node], operations: Sequence[list[JsonObject]]) -> bool:
        shapes = [shape(branch, self.resolve) for branch in branches]
        pairs = combinations(zip(shapes, operations, strict=True), 2)
        return all(
            disjoint(one, other) or _on_both(mine, one, other) == _on_both(theirs, one, other)
            for (one, mine), (other, theirs) in pairs
        )

    def _choice(self, branches: Sequence[Node], at: str) -> list[JsonObject]:
        operations = [self._within(branch, "") for branch in branches]
        if not any(operations):
            return []
        forms: list[JsonValue] = [
            {"when": shape(branch, self.resolve).test(), "do": list(steps)}
            for branch, steps in zip(branches, operations, strict=True)
        ]
        return [{"op": "choose", "at": at, "forms": forms}]


def _on_both(operations: list[JsonObject], one: Shape, other: Shape) -> list[JsonObject]:
    """Return the operations on a value of two shapes; members that cannot be null stay."""
    effective: list[JsonObject] = []
    for operation in operations:
        keys = operation.get("keys")
        if operation["op"] != "drop-null" or operation["at"] != "" or not isinstance(keys, list):
            effective.append(operation)
            continue
        nullable = [
            name for name in map(str, keys) if "null" in _types(one, name) & _types(other, name)
        ]
        if nullable:
            effective.append({**operation, "keys": [*sorted(nullable)]})
    return effective


def _types(form: Shape, name: str) -> frozenset[str]:
    return form.members.get(name, ALL)


def _escaped(name: str) -> str:
    return "~2" if name == "*" else name.replace("~", "~0").replace("/", "~1")
