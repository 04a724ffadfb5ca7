"""40 edits of real tools: none without a meaning is reported, and the others under these codes."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from toolspec.changes.compare import compare
from toolspec.changes.listed import listed_side
from toolspec.importers.dump import read_dump
from toolspec.syntax import parse

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.changes.change import Changes
    from toolspec.changes.side import Side

EXPECTED: dict[int, dict[str, int]] = {
    0: {"argument/became-optional": 1, "argument/description-changed": 2},
    1: {},
    2: {"prose/extensions-changed": 1},
    3: {
        "argument/description-changed": 2,
        "prose/description-changed": 1,
        "target/tokens-raised": 1,
    },
    4: {"prose/icons-changed": 1},
    5: {"prose/description-changed": 1},
    6: {
        "argument/description-changed": 3,
        "prose/description-changed": 1,
        "prose/title-changed": 1,
    },
    7: {"prose/description-changed": 1, "prose/title-changed": 1},
    8: {"argument/description-changed": 1},
    9: {
        "argument/property-added": 1,
        "prose/description-changed": 1,
        "prose/extensions-changed": 1,
        "target/tokens-raised": 1,
    },
    10: {"prose/extensions-changed": 1, "prose/title-changed": 1},
    11: {"argument/became-optional": 1, "argument/default-added": 1},
    12: {"prose/title-changed": 1},
    13: {"prose/extensions-changed": 1},
    14: {"argument/description-changed": 1, "prose/description-changed": 1},
    15: {"prose/icons-changed": 1},
    16: {"prose/description-changed": 1},
    17: {
        "argument/became-required": 1,
        "argument/description-changed": 2,
        "argument/property-ignored": 8,
        "argument/value-removed": 3,
        "prose/description-changed": 1,
        "prose/title-changed": 1,
    },
    18: {"prose/description-changed": 1, "prose/title-changed": 1},
    19: {},
    20: {
        "argument/became-optional": 3,
        "argument/property-added": 1,
        "prose/description-changed": 1,
        "prose/extensions-changed": 1,
        "target/tokens-raised": 1,
    },
    21: {"argument/property-added": 1, "argument/property-ignored": 2},
    22: {},
    23: {"prose/extensions-changed": 1},
    24: {
        "argument/description-changed": 1,
        "argument/value-added": 1,
        "prose/description-changed": 1,
    },
    25: {"prose/icons-changed": 1},
    26: {"prose/description-changed": 1},
    27: {
        "argument/became-optional": 1,
        "argument/description-changed": 3,
        "argument/property-added": 4,
        "argument/value-added": 2,
        "prose/description-changed": 1,
        "prose/title-changed": 1,
        "target/tokens-raised": 1,
    },
    28: {"prose/description-changed": 1, "prose/title-changed": 1},
    29: {"argument/became-required": 1},
    30: {"argument/property-added": 1, "argument/property-ignored": 2},
    31: {},
    32: {"prose/extensions-changed": 1},
    33: {
        "argument/description-changed": 1,
        "argument/property-ignored": 1,
        "argument/required-property-added": 1,
        "prose/description-changed": 1,
    },
    34: {"prose/icons-changed": 1},
    35: {"prose/description-changed": 1},
    36: {
        "argument/description-changed": 3,
        "prose/description-changed": 1,
        "prose/title-changed": 1,
    },
    37: {"prose/description-changed": 1, "prose/title-changed": 1},
    38: {"argument/opened": 1},
    39: {"argument/property-added": 1, "target/tokens-raised": 1},
}


def side(tool: Any) -> Side:
    parsed = parse("dump.json", json.dumps({"tools": [tool]}).encode())
    assert parsed.value is not None
    dump = read_dump(parsed.value).value
    assert dump is not None
    return listed_side((tool.members for tool in dump.tools), "dump.json")


def changes(edit: Any) -> Changes:
    return compare(side(edit["before"]), side(edit["after"]))


def test_each_edit_has_its_codes(corpus: Path) -> None:
    lines = (corpus / "contract-pairs/edits.jsonl").read_text("utf-8").splitlines()
    found = {
        edit["id"]: dict(Counter(change.code for change in changes(edit).changes))
        for edit in map(json.loads, lines)
    }
    assert found == EXPECTED
