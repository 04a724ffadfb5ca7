"""A change that refuses values which were promised is a break; one that refuses none is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from toolspec.changes.change import Verdict
from toolspec.changes.compare import compare
from toolspec.changes.kind import Audience, Level
from toolspec.changes.listed import listed_side
from toolspec.changes.schemas import Flow, Readers
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from toolspec.changes.change import Change
    from toolspec.changes.side import Side

INTEGER, NUMBER, STRING, NULL = ({"type": name} for name in ("integer", "number", "string", "null"))


def whole(schema: Any) -> Any:
    return {"type": "object", "properties": {"word": schema}, "required": ["word"]}


def side(schema: Any, flow: Flow) -> Side:
    key = "inputSchema" if flow is Flow.ARGUMENT else "outputSchema"
    tool = {"name": "search", "inputSchema": {"type": "object"}, key: schema}
    return listed_side([tool], "list")


def changes(
    old: Any, new: Any, flow: Flow, readers: Readers = Readers.TOLERANT
) -> dict[str, Change]:
    """Return the changes of a schema by their slugs; the witnesses are checked."""
    compared = compare(side(old, flow), side(new, flow), readers=readers).changes
    found = {
        change.kind.code.partition("/")[2]: change
        for change in compared
        if change.kind.family == flow
    }
    for change in found.values():
        if change.proof and change.proof.verdict is Verdict.BREAKING:
            value = json.loads(change.proof.witness)
            accepted = [compiled(schema, formats=True)(value) for schema in (old, new)]
            assert accepted == [flow is Flow.ARGUMENT, flow is Flow.RESULT]
        if change.proof and change.proof.verdict is not Verdict.SAFE:
            assert change.levels[Audience.CALLERS] is Level.BREAK
    return found


def breaks(old: Any, new: Any, flow: Flow) -> set[str]:
    """Return the slugs of the breaks, each of them with a witness."""
    found = changes(whole(old), whole(new), flow)
    broken = {slug: each for slug, each in found.items() if each.level() is Level.BREAK}
    assert all(each.proof and each.proof.witness for each in broken.values()), broken
    return set(broken)


# A number that was an integer


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ({**INTEGER, "minimum": 0}, {**NUMBER, "minimum": 5}, "bound-tightened"),
        (INTEGER, {**NUMBER, "maximum": 5}, "bound-tightened"),
        (INTEGER, {"type": ["number", "string"], "maximum": 5}, "bound-tightened"),
        ({**INTEGER, "enum": [1, 2, 3]}, {**NUMBER, "enum": [1, 2]}, "value-removed"),
        ({**INTEGER, "enum": [1, 2, 3]}, {**NUMBER, "const": 2}, "value-removed"),
        (INTEGER, {**NUMBER, "multipleOf": 2}, "constraint-added"),
        (INTEGER, {**NUMBER, "not": {"const": 3}}, "condition-added"),
        ({"type": ["integer", "null"]}, {"type": ["number", "null"], "maximum": 3}, "bound-tightened"),
        ({"type": "array", "items": INTEGER}, {"type": "array", "items": {**NUMBER, "maximum": 3}}, "bound-tightened"),
        (
            {"type": "object", "additionalProperties": INTEGER},
            {"type": "object", "additionalProperties": {**NUMBER, "maximum": 3}},
            "bound-tightened",
        ),
        ({"anyOf": [INTEGER, NULL]}, {"anyOf": [{**NUMBER, "maximum": 3}, NULL]}, "bound-tightened"),
    ],
)  # fmt: skip
def test_an_integer_that_becomes_a_number_is_compared_whole(old: Any, new: Any, slug: str) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == {slug}


@pytest.mark.parametrize("flow", Flow)
def test_bounds_of_an_integer_that_becomes_a_number_may_be_written_otherwise(flow: Flow) -> None:
    pair = {**INTEGER, "exclusiveMinimum": 0}, {**NUMBER, "minimum": 1}
    old, new = pair if flow is Flow.ARGUMENT else reversed(pair)
    assert breaks(old, new, flow) == set()


def test_a_result_that_becomes_an_integer_is_compared_whole() -> None:
    old, new = {**NUMBER, "minimum": 5}, {**INTEGER, "minimum": 0}
    assert breaks(old, new, Flow.RESULT) == {"bound-relaxed"}
    assert breaks({**NUMBER, "enum": [1]}, {**INTEGER, "enum": [1, 2]}, Flow.RESULT) == {
        "value-added"
    }
