"""The ratchet of CONTRIBUTING.md: sizes of modules and functions. Its exceptions only go down."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "compiler" / "toolspec"
MODULES = sorted(PACKAGE.rglob("*.py"))
MODULE_LINES, HARD_STOP, FUNCTION_LINES, RULE_LINES = 300, 400, 40, 80
POSITIONAL, NESTING = 5, 3

# Modules that are over 300 lines, with the size they may not exceed again.
LARGER: dict[str, int] = {}

BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text())
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def nesting(node: ast.AST, depth: int = 0) -> int:
    deepest = depth
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        # `elif` is a block inside the block before it, but nobody reads it as nested.
        is_elif = isinstance(node, ast.If) and [child] == node.orelse and isinstance(child, ast.If)
        step = isinstance(child, BLOCKS) and not is_elif
        deepest = max(deepest, nesting(child, depth + step))
    return deepest


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_is_small_and_says_what_it_holds(path: Path) -> None:
    text = path.read_text()
    lines = text.count("\n")
    limit = LARGER.get(name_of(path), MODULE_LINES)
    if path.parent.parent.name == "rules":
        limit = RULE_LINES
    assert lines <= min(limit, HARD_STOP)
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_functions_are_short_and_flat(path: Path) -> None:
    for function in functions(path):
        lines = (function.end_lineno or 0) - function.lineno + 1
        assert lines <= FUNCTION_LINES, f"{function.name} has {lines} lines"
        positional = len(function.args.posonlyargs) + len(function.args.args)
        own = positional - (
            function.args.args[:1] != [] and function.args.args[0].arg in {"self", "cls"}
        )
        assert own <= POSITIONAL, f"{function.name} takes {own} positional parameters"
        depth = max(
            nesting(statement, isinstance(statement, BLOCKS)) for statement in function.body
        )
        assert depth <= NESTING, f"{function.name} nests {depth} deep"


def test_exceptions_are_still_needed() -> None:
    for name, limit in LARGER.items():
        assert (PACKAGE / name).read_text().count("\n") == limit, f"lower the limit of {name}"


def test_no_catch_all_names() -> None:
    forbidden = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert not [path for path in MODULES if path.stem in forbidden]


# The store of calls is a file of its own, made for its owner alone.
STORES = {"runtime/controls/database.py"}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_driver_writes_and_only_the_cli_prints(path: Path) -> None:
    floor = path.relative_to(PACKAGE).parts[0]
    calls = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    if floor not in {"driver", "cli"} and name_of(path) not in STORES:
        assert not calls & {"open", "write_text", "write_bytes", "mkdir", "unlink"}
    if floor != "cli":
        assert "print" not in calls
    assert not calls & {"eval", "exec", "system", "urlopen"}
