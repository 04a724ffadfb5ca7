"""Hostile input on both sides: texts of a spec that reach the user's file, and files that go deep."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from sampling import sampled
from toolspec.usercode.classes import find_class
from toolspec.usercode.new_file import new_file
from toolspec.usercode.patch import patched
from toolspec.usercode.python_file import read_python
from toolspec.usercode.required_methods import required_methods
from written import METHODS, SPEC, class_in, findings, program_of, shop

TEXTS = [
    'Get """ + __import__("os").abort() + """',
    "Ends in a backslash \\",
    "'''\\N{BULLET} \\x41 {braces} %s",
    'quote at the end "',
    "line\u2028separator \u202e bidi \u200b hidden \x7f",
    "# -*- coding: utf-7 -*-",
    "A {} and {0!r}, ${HOME} and `ls`",
]


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_of_a_spec_becomes_code(text: str, tmp_path: Path) -> None:
    plain = program_of(_with_description("Get an order.", tmp_path / "plain"))
    hostile = program_of(_with_description(text, tmp_path / "hostile"))
    wanted, needs = required_methods(plain.services[0]), required_methods(hostile.services[0])
    made = new_file(needs, "generated")
    assert _shape(made) == _shape(new_file(wanted, "generated"))
    start = "from generated.shop import ShopStubs\nclass A(ShopStubs): pass\n"
    results = [patched(class_in(start, each), each, "generated").value for each in (needs, wanted)]
    assert _shape(results[0]) == _shape(results[1])


def _with_description(text: str, folder: Path) -> Path:
    import json

    (folder / "specs").mkdir(parents=True)
    spec = SPEC.replace("Get an order.", json.dumps(text))
    (folder / "specs" / "shop.yaml").write_text(spec, encoding="utf-8")
    return folder


def _shape(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


CLASS = "class A(ShopHandlers):\n    x = 1\n"
DEEP = {
    "elif": lambda n: "if x: pass\n" + "elif x: pass\n" * n + CLASS,
    "calls": lambda n: f"class B(f{'()' * n}): pass\n{CLASS}",
    "calls in a base": lambda n: f"class A(f{'()' * n}, ShopHandlers): pass\n",
    "sums": lambda n: f"x = 1{'+1' * n}\n{CLASS}",
    "annotation": lambda n: f"{CLASS}    async def get_order(self, input: a{'.b' * n}): ...\n",
    "quoted annotation": lambda n: (
        f"{CLASS}    async def get_order(self, input: 'a{'.b' * n}'): ...\n"
    ),
    "brackets": lambda n: f"x = {'(' * n}{')' * n}\n{CLASS}",
    "bases": lambda n: "".join(f"class C{i}(C{i - 1}): pass\n" for i in range(n % 997)) + CLASS,
}


@pytest.mark.parametrize("depth", sampled([150, 900, 2500, 30_000], 2))
@pytest.mark.parametrize("name", DEEP)
def test_depth_is_a_finding_or_none_at_all(name: str, depth: int, tmp_path: Path) -> None:
    needs, text = shop(tmp_path), DEEP[name](depth)
    codes = {each.code for each in findings(text, needs)}
    assert codes <= {"handlers/missing", "handlers/syntax", "handlers/unseen-base"}
    read = read_python("a.py", text.encode()).value
    chosen = find_class(read, needs).value if read else None
    if chosen is not None:
        result = patched(chosen, needs, "generated")
        assert result.diagnostics == ()
        assert set(METHODS) <= class_in(result.value, needs).members.keys()
