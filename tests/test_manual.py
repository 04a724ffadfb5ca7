"""`toolspec explain` knows every finding that any floor declares, and has something to say of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from toolspec.driver import manual

KINDS = manual.kinds()
PACKAGE = Path(__file__).parent.parent / "compiler" / "toolspec"


@pytest.mark.parametrize("code", KINDS)
def test_a_page_says_what_and_why(code: str) -> None:
    kind = KINDS[code]
    page = manual.page(kind)
    assert page.startswith(f"{kind.severity}[{code}] ")
    assert kind.manual.why
    assert len(page.splitlines()) > 2


def test_no_kind_is_declared_that_the_manual_misses() -> None:
    declared = {
        keyword.value.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "DiagnosticKind"
        for keyword in node.keywords
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant)
    }
    assert len(declared) > 100
    assert declared <= KINDS.keys()
