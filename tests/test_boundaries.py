"""Who may write and who may print, and names that say nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from parsed_package import PACKAGE, modules

# The store of calls and the audit trail are files of their own, made for their owner alone.
STORES = {"runtime/stores/sqlite.py", "serving/audit.py", "serving/connections.py"}

# Reads the files that a request sends, where a permission of its tool allows it.
READING = {"runtime/http/uploads.py"}

# The function that fills a record is made from the names of its fields, as `dataclasses` makes it.
MADE = {"shared/records.py"}


def test_every_module_says_what_it_holds() -> None:
    assert not [name for name, module in modules().items() if not ast.get_docstring(module)]


def test_no_catch_all_names() -> None:
    forbidden = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert not [name for name in modules() if Path(name).stem in forbidden]


def test_only_the_driver_writes_and_only_the_cli_prints() -> None:
    forbidden = {name: forbidden_calls(name, module) for name, module in modules().items()}
    assert not {name: calls for name, calls in forbidden.items() if calls}


def forbidden_calls(name: str, module: ast.Module) -> set[str]:
    """Return the calls of a module that its floor has no part in."""
    calls = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    floor = name.partition("/")[0]
    forbidden = {"eval", "exec", "system", "urlopen"} - ({"exec"} if name in MADE else set())
    if floor not in {"driver", "cli"} and name not in STORES:
        forbidden |= {"write_text", "write_bytes", "mkdir", "unlink"}
        forbidden |= set() if name in READING else {"open"}
    return calls & (forbidden | (set() if floor == "cli" else {"print"}))


def test_a_rule_imports_one_module_of_toolspec() -> None:
    imported = {
        name: {node.module for node in ast.walk(module) if isinstance(node, ast.ImportFrom)}
        for name, module in modules().items()
        if name.startswith("rules/") and (PACKAGE / name).with_suffix(".md").is_file()
    }
    assert len(imported) > 100
    others = {
        name: [each for each in of - {"toolspec.rules.api"} if each and each.startswith("toolspec")]
        for name, of in imported.items()
    }
    assert not {name: each for name, each in others.items() if each}


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        ("rules/engine.py", "path.write_text('a')\nopen('a')", {"write_text", "open"}),
        ("driver/build.py", "path.write_text('a')\nprint('a')\nexec('a')", {"print", "exec"}),
        ("cli/console.py", "print('a')\neval('a')", {"eval"}),
        ("runtime/http/uploads.py", "open('a')\npath.unlink()", {"unlink"}),
    ],
)
def test_forbidden_calls_are_found(name: str, source: str, found: set[str]) -> None:
    assert forbidden_calls(name, ast.parse(source)) == found
