"""A keyword that a dialect does not know is an annotation there, whatever its value."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from compiled_schemas import compile_schemas
from jsonschema_rs import meta, validator_for
from sampling import sampled
from toolspec.schema.dialect import Dialect
from toolspec.shared.keywords import OLDER_VALUES, VALUES

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.syntax.nodes import JsonValue

KEYWORDS = sorted({*VALUES, *OLDER_VALUES} - {"$schema", "$ref"})
ODD: list[JsonValue] = json.loads(
    """[5, -1, 0.5, "text", "#a", true, false, null, [], [5], ["a", "a"], [{}], {}, {"a": 5},
    {"a": ["b"]}, {"a": {"type": 5}}, {"type": "sting"}, {"$ref": "#/nowhere"}]"""
)
INSTANCES: list[JsonValue] = [{}, {"a": 5}, {"a": "b", "b": ["a"]}, 5]
# What the few values of keywords that the dialect does know run into.
REFUSALS = {
    "resolve/dangling-reference",
    "schema/default-mismatch",
    "schema/dynamic-reference",
    "schema/example-mismatch",
    "schema/refused-reference",
    "schema/unsatisfiable",
}


@pytest.mark.parametrize("dialect", sampled(Dialect, 0), ids=lambda each: each.label)
def test_what_a_dialect_accepts_compiles_and_can_be_called(
    dialect: Dialect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schemas: dict[str, JsonValue] = {}
    unknown = set[str]()
    for number, keyword in enumerate(KEYWORDS):
        for index, odd in enumerate(ODD):
            schema: JsonValue = {"$schema": dialect.uri, "type": "object", keyword: odd}
            if meta.is_valid(schema):
                schemas[f"k{number}x{index}"] = schema
                unknown |= set() if keyword in dialect.keywords else {f"k{number}x{index}"}
    assert len(unknown) >= len(ODD)
    compiled = compile_schemas(schemas, tmp_path / f"odd{dialect.name.lower()}", monkeypatch)
    assert not unknown & compiled.refused.keys()
    assert {code for codes in compiled.refused.values() for code in codes} <= REFUSALS

    async def compare() -> None:
        for name in schemas.keys() - compiled.refused.keys():
            # Some validators read an unknown keyword all the same.
            schema = {"type": "object"} if name in unknown else schemas[name]
            validator = validator_for(schema, offline=True, validate_formats=False)
            for value in INSTANCES:
                expected = validator.is_valid(value)
                assert await compiled.accepts_input(name, value) is expected, schemas[name]
                assert await compiled.accepts_output(name, value) is expected, schemas[name]

    asyncio.run(compare())
