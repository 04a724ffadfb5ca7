"""Sizes of tool definitions, in tokens."""

from __future__ import annotations

import json

from toolspec.providers.tool_sizes import tokens_sent
from toolspec.shared.tokens import tokens


def test_definitions_that_schemas_share_count_in_each() -> None:
    shared = {"type": "string", "description": "é" * 9}
    definitions = [{}, {"A": shared}, {"A": shared, "Bé": {"enum": [1, "\u2028"]}}]
    for each in definitions:
        schema = {"type": "object", "$defs": each}
        text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        assert tokens_sent("name", "What", schema) == tokens(f"nameWhat{text}")
