"""Each change of a reference list is a kind, is silent, or needs a field that the language lacks."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

from toolspec.changes.catalogue import modules
from toolspec.reference.unsupported_changes import UNSUPPORTED

TABLE = tomllib.loads(Path(__file__).with_name("change_ids.toml").read_text("utf-8"))
SILENT = TABLE.pop("silent")["ids"]
# The last id of each group, and how many there are.
GROUPS = {"BT": 19, "BI": 46, "BO": 36, "BR": 11, "BS": 26, "BE": 7, "BD": 13, "BP": 6, "BL": 12}


def codes() -> list[str]:
    return [code for group in TABLE.values() for row in group.values() for code in row]


def test_each_id_has_one_row() -> None:
    rows = [name for group in TABLE.values() for name in group if name.startswith("B")]
    ids = [f"{group}{number:02}" for group, last in GROUPS.items() for number in range(1, last + 1)]
    counts = Counter([*rows, *SILENT, *(each.id for each in UNSUPPORTED)])
    assert counts == dict.fromkeys(ids, 1)


def test_each_code_exists_and_each_kind_has_an_id() -> None:
    assert set(codes()) == modules().keys()
