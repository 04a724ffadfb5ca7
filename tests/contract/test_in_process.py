"""`toolspec.diff`, as a program calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import toolspec
from small_spec import SPEC


def tool(*order: str) -> dict[str, Any]:
    properties = {"order": {"enum": list(order)}}
    return {"name": "find", "inputSchema": {"type": "object", "properties": properties}}


def test_lists_of_tools() -> None:
    changes = toolspec.diff([tool("newest", "best")], [tool("newest")])
    (change,) = changes.changes
    assert (change.code, str(change.level())) == ("argument/value-removed", "break")
    assert change.proof is not None
    assert change.proof.witness == '{"order": "best"}'
    assert not toolspec.diff([tool("newest")], [tool("newest")]).changes


def test_folders_and_programs(tmp_path: Path) -> None:
    for name, text in (("old", SPEC), ("new", SPEC.replace("string", "integer"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "demo.yaml").write_text(text)
    new = toolspec.check(toolspec.Request(["."], folder=tmp_path / "new")).value.program
    for version in (str(tmp_path / "new"), tmp_path / "new", new):
        changes = toolspec.diff(tmp_path / "old", version)
        assert [change.code for change in changes.changes] == ["result/type-changed"]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("{")
    with pytest.raises(toolspec.VersionError, match="nothing to compare") as raised:
        toolspec.diff(tmp_path / "list.json", [])
    assert raised.value.diagnostics
    with pytest.raises(ValueError, match="generous"):
        toolspec.diff([], [], readers="generous")
