"""Who may write and who may print, and names that say nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "compiler" / "toolspec"
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_says_what_it_holds(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


def test_no_catch_all_names() -> None:
    forbidden = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert not [path for path in MODULES if path.stem in forbidden]


# The store of calls and the audit trail are files of their own, made for their owner alone.
STORES = {"runtime/stores/sqlite.py", "serving/audit.py", "serving/connections.py"}

# Reads the files that a request sends, where a permission of its tool allows it.
READING = {"runtime/http/uploads.py"}

# The function that fills a record is made from the names of its fields, as `dataclasses` makes it.
MADE = {"shared/records.py"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_driver_writes_and_only_the_cli_prints(path: Path) -> None:
    floor = path.relative_to(PACKAGE).parts[0]
    calls = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    if floor not in {"driver", "cli"} and name_of(path) not in STORES:
        opening = set() if name_of(path) in READING else {"open"}
        assert not calls & (opening | {"write_text", "write_bytes", "mkdir", "unlink"})
    if floor != "cli":
        assert "print" not in calls
    made = {"exec"} if name_of(path) in MADE else set()
    assert not (calls & {"eval", "exec", "system", "urlopen"}) - made
