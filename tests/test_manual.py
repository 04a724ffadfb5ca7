"""`toolspec explain` knows every finding that any floor declares, and has something to say of it."""

from __future__ import annotations

import ast

import pytest
from parsed_package import modules
from toolspec.driver import manual

KINDS = manual.kinds()


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
        for module in modules().values()
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "DiagnosticKind"
        for keyword in node.keywords
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant)
    }
    assert len(declared) > 100
    assert declared <= KINDS.keys()
