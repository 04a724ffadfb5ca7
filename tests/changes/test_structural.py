"""A structural proof is never wrong, and covers the forms that the engine leaves open."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from random_schemas import VALUES, changed, is_endless, random_schema
from toolspec.changes.structural import is_contained
from toolspec.changes.witness import candidates
from toolspec.shared import python_validator
from toolspec.shared.containment import Answer, covers
from toolspec.shared.validator import InvalidSchemaError, compiled


def pair(chance: Random) -> tuple[Any, Any]:
    first = random_schema(chance)
    other = changed(first, chance) if chance.random() < 0.8 else random_schema(chance)
    return (first, other) if chance.random() < 0.5 else (other, first)


def attack(seed: int, count: int) -> int:
    """Attack the proofs about random pairs with values; return how many there were."""
    chance, proofs = Random(seed), 0  # noqa: S311 - no secret
    for _ in range(count):
        sender, receiver = pair(chance)
        if is_endless(sender) or is_endless(receiver):
            continue
        try:
            accepts, receives = compiled(sender), compiled(receiver)
        except InvalidSchemaError:
            continue
        if not is_contained(sender, receiver, formats=False):
            continue
        proofs += 1
        near = (
            value for value, _ in zip(candidates(sender, receiver, 0), range(200), strict=False)
        )
        for value in (*VALUES, *near):
            if accepts(value) and not receives(value):
                others = [
                    python_validator.compiled(schema, formats=False, error=InvalidSchemaError)
                    for schema in (sender, receiver)
                ]
                assert not others[0](value) or others[1](value), (
                    json.dumps(value), json.dumps(sender), json.dumps(receiver)
                )  # fmt: skip
    return proofs


def test_no_value_refutes_a_proof() -> None:
    assert attack(1, 600) > 60


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(2, 7))
def test_no_value_refutes_one_of_many_proofs(seed: int) -> None:
    assert attack(seed, 20_000) > 2_000


TREE = {"type": "object", "properties": {"v": {"type": "integer"}, "in": {"$ref": "#"}}}
OPEN = {"type": "object", "properties": {"a": {"type": "string"}}}
NAMED = {"type": "object", "patternProperties": {"^x": {"type": "integer"}}}
TWO = {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "string", "minLength": 2}]}
EXCLUDED = {"anyOf": [{"type": "number", "exclusiveMinimum": 3, "maximum": 3}, {"type": "string"}]}
TEXT_OR_NULL = {"type": ["string", "null"]}
ENDLESS = {"type": "object", "properties": {"n": {"$ref": "#/$defs/Endless"}}, "required": ["n"]}
SPLIT = {"type": "object", "patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "integer"}}  # fmt: skip


@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        ({**OPEN, "additionalProperties": False}, OPEN),
        ({"type": "integer"}, {"type": "number", "multipleOf": 1}),
        ({"type": "integer", "multipleOf": 6}, {"multipleOf": 3}),
        ({"type": "integer", "exclusiveMinimum": 0}, {"minimum": 1}),
        (TREE, {**TREE, "properties": {"v": {"type": "number"}, "in": {"$ref": "#"}}}),
        ({**NAMED, "additionalProperties": False}, {"additionalProperties": {"type": "number"}}),
        (NAMED, {"patternProperties": {"^x": {"type": "number"}}}),
        ({**OPEN, "additionalProperties": False}, {"propertyNames": {"pattern": "^[a-z]$"}}),
        ({**OPEN, "additionalProperties": False}, {"maxProperties": 1}),
        ({"type": "array", "items": {"enum": ["a"]}}, {"items": {"type": "string"}}),
        ({"anyOf": [{"type": "null"}, {"enum": ["abc"]}]}, {"anyOf": [{"type": "null"}, TWO]}),
        ({"oneOf": [OPEN, {"type": "string"}]}, {"anyOf": [{"type": ["object", "string"]}]}),
        ({"type": "string"}, {"not": {"type": "object"}}),
        ({"type": "string", "not": {"minLength": 4}}, {"not": {"type": "string", "minLength": 5}}),
        ({"if": {"type": "string"}, "then": {"minLength": 2}}, {"if": {"type": "string"}, "then": {"minLength": 1}}),
        ({"anyOf": [False, {"type": "string"}]}, {"type": ["string", "integer"]}),
        ({"anyOf": [{"type": "number", "minimum": 5, "maximum": 3}, {"type": "integer"}]}, {"type": "number"}),
        (EXCLUDED, TEXT_OR_NULL),
        ({"anyOf": [{"type": "object", "required": ["a", "b"], "maxProperties": 1}, {"type": "string"}]}, TEXT_OR_NULL),
        ({"anyOf": [{"type": "array", "prefixItems": [False], "minItems": 1}, {"type": "string"}]}, TEXT_OR_NULL),
        ({"anyOf": [ENDLESS, {"type": "string"}], "$defs": {"Endless": ENDLESS}}, TEXT_OR_NULL),
        ({**SPLIT, "properties": {"x-a": {"type": "string"}}, "additionalProperties": False}, SPLIT),
    ],
)  # fmt: skip
def test_a_proof_that_the_engine_does_not_always_have(sender: Any, receiver: Any) -> None:
    assert is_contained(sender, receiver, formats=True)
    assert covers(receiver, sender, formats=True) is not Answer.NO
    assert not is_contained(receiver, sender, formats=True)


@pytest.mark.parametrize(
    ("sender", "receiver"),
    [
        # The engine of the validator compares numbers of this size as floats.
        ({"type": "integer", "maximum": 2**60}, {"maximum": 2**60 + 1}),
        ({"type": "object", "properties": {"xa": {"type": "string"}}}, NAMED),
        ({"type": "object", "required": ["n"]}, ENDLESS | {"$defs": {"Endless": ENDLESS}}),
    ],
)
def test_what_is_not_proved(sender: Any, receiver: Any) -> None:
    assert not is_contained(sender, receiver, formats=True)
