"""Properties that moved to another object of a schema: each is one change in place of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolspec.changes.change import Proof, Verdict
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.changes.nodes import Root
    from toolspec.changes.schemas import Edit
    from toolspec.shared.json_values import JsonValue, Path

_GONE = {"property-removed", "property-ignored", "optional-property-removed"}
_ADDED = {"property-added", "required-property-added"}
_UNPROVED = Proof(Verdict.NOT_PROVED, reason="what expects the property at its former place")


class _Property(NamedTuple):
    """A property that is gone or new: itself, or a member of an object that is."""

    edit: Edit
    path: Path
    schema: JsonValue

    @property
    def name(self) -> str:
        steps = zip(self.path, self.path[1:], strict=False)
        return ".".join(str(name) for keyword, name in steps if keyword == "properties")


def with_moves(edits: list[Edit], old: Root, new: Root) -> list[Edit]:
    """Return edits with a `property-moved` for each pair of a property that is gone and a new one.

    Both have the same schema and description, and no other property has them. An object that moved in
    parts counts as gone or new only if it has other members.
    """
    gone = [edit for edit in edits if edit.slug in _GONE]
    added = [edit for edit in edits if edit.slug in _ADDED]
    if not gone or not added:
        return edits
    before = [each for edit in gone for each in _properties(edit, edit.old_path, old)]
    after = [each for edit in added for each in _properties(edit, edit.new_path, new)]
    pairs = list(_pairs(before, after, old, new))
    moved = {
        *_explained(gone, before, [one for one, _ in pairs]),
        *_explained(added, after, [other for _, other in pairs]),
    }
    found = [
        replace(
            one.edit,
            slug="property-moved",
            old_path=one.path,
            new_path=other.path,
            values={**one.edit.values, "name": one.name, "renamed": other.name},
            proof=next(filter(_is_break, (one.edit.proof, other.edit.proof)), _UNPROVED),
        )
        for one, other in pairs
    ]
    return [*found, *(edit for edit in edits if id(edit) not in moved)]


def _properties(edit: Edit, path: Path | None, root: Root) -> Iterator[_Property]:
    """Yield a property, and the properties of its schema."""
    schema: JsonValue = root.value
    for step in path or ():
        schema = schema[step]  # type: ignore[index]  # the path leads there
    yield _Property(edit, path or (), schema)
    node = root.node(schema, path or ())
    members = node.keywords.get("properties")
    for name, member in members.items() if isinstance(members, dict) else ():
        yield _Property(edit, (*node.at("properties"), name), member)


def _pairs(
    before: list[_Property], after: list[_Property], old: Root, new: Root
) -> Iterator[tuple[_Property, _Property]]:
    for one in before:
        twins = [other for other in after if _is_same(one, other, old, new)]
        if len(twins) == 1 and one.path[:-1] != twins[0].path[:-1]:
            rivals = [other for other in before if _is_same(other, twins[0], old, new)]
            if len(rivals) == 1:
                yield one, twins[0]


def _is_same(one: _Property, other: _Property, old: Root, new: Root) -> bool:
    if not isinstance(one.schema, dict) or not isinstance(other.schema, dict):
        return False
    text = one.schema.get("description")
    is_alike = bool(text) and text == other.schema.get("description")
    return is_alike and old.same(one.schema, new, other.schema)


def _explained(
    edits: Iterable[Edit], properties: list[_Property], moved: list[_Property]
) -> Iterator[int]:
    """Yield the ids of the edits of which the property, or each of its members, moved."""
    paths = {each.path for each in moved}
    for edit in edits:
        own, *members = [each.path for each in properties if each.edit is edit]
        if own in paths or (members and paths.issuperset(members)):
            yield id(edit)


def _is_break(proof: Proof | None) -> bool:
    return proof is not None and proof.verdict is Verdict.BREAKING
