"""A keyword that a dialect does not know is an annotation there, whatever its value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from compiled_schemas import compile_schemas
from jsonschema_rs import meta
from toolspec.schema.dialect import Dialect
from toolspec.schema.keywords import OLDER_VALUES, VALUES

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.syntax.nodes import JsonValue

KEYWORDS = sorted({*VALUES, *OLDER_VALUES} - {"$schema", "$ref"})
ODD: list[JsonValue] = json.loads(
    """[5, -1, 0.5, "text", "#a", true, false, null, [], [5], ["a", "a"], [{}], {}, {"a": 5},
    {"a": ["b"]}, {"a": {"type": 5}}, {"type": "sting"}, {"$ref": "#/nowhere"}]"""
)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda each: each.label)
def test_what_a_dialect_accepts_compiles_and_can_be_called(
    dialect: Dialect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schemas: dict[str, JsonValue] = {}
    for number, keyword in enumerate(KEYWORDS):
        for index, odd in enumerate(ODD):
            schema = {"$schema": dialect.uri, "type": "object", keyword: odd}
            if keyword not in dialect.keywords and meta.is_valid(schema):
                schemas[f"k{number}x{index}"] = schema
    assert len(schemas) >= 15
    compiled = compile_schemas(schemas, tmp_path / f"odd{dialect.name.lower()}", monkeypatch)
    assert compiled.refused == {}
    for name, schema in schemas.items():
        assert compiled.accepts_input(name, {"any": ["thing"]}), schema
        assert compiled.accepts_output(name, {"any": ["thing"]}), schema
        assert not compiled.accepts_input(name, 5), schema
        assert not compiled.accepts_output(name, 5), schema
