"""The judges of the other proofs: each sees the fault that it is there for."""

from __future__ import annotations

import inertness
import pytest


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", '"""x""" + CANARY()'),
        ("a.py", "class A:\n    CANARY = 1"),
        ("a.py", "def f(CANARY): ..."),
        ("a.py", "import CANARY"),
        ("a.pyi", "import CANARY"),
        ("a.py", "x = '\u202e'"),
        ("a.py", "class A:\n    __a: int"),
        ("a.json", '{"a": 1, "a": 2}'),
        ("a.json", '{"a": NaN}'),
        ("a.json", '{"a": "ü"}'),
        ("a.json", '{"a": 1'),
        ("a.md", "<b>x</b>"),
        ("a.md", "<!-- x"),
        ("a.md", "![x](y)"),
        ("a.md", "[x](https://example.com)"),
        ("a.md", "[x](javascript:y)"),
        ("a.md", "{{ x }}"),
        ("a.md", "a\x1bb"),
    ],
)
def test_a_fault_in_an_artifact_is_seen(path: str, text: str) -> None:
    assert inertness.faults(path, text, is_name=False)


@pytest.mark.parametrize(
    ("path", "one", "other"),
    [
        ("a.py", "x = 'a'", "x = 'a' + 'b'"),
        ("a.py", "x = 'a'", "x = 'a'\ny = 'b'"),
        ("a.py", "x = 'a'", "x = b'a'"),
        ("a.py", "x = 'a'", "x = f'a{y}'"),
        ("a.py", "a = 'a'", "b = 'a'"),
        ("a.py", "f(description='a')", "f(description='a', summary=b)"),
        ("a.py", "f(description='a')", "f(description='a', summary='a', other='a')"),
        ("a.py", "f(x='a')", "f(x='a', summary='a')"),
        ("a.md", "# a\n\nb", "# a\n\n# b"),
        ("a.md", "a", "- a"),
        ("a.md", "a", "**a**"),
        ("a.md", "| a |\n|---|\n| b |", "| a | c |\n|---|---|\n| b | d |"),
    ],
)
def test_another_structure_is_seen(path: str, one: str, other: str) -> None:
    shapes = {inertness.shape(path, text, is_name=False) for text in (one, other)}
    assert len(shapes) == len((one, other))


def test_texts_and_names_that_a_spec_gives_are_no_structure() -> None:
    for one, other, is_name in (("x = 'a'", "x = '''b\n'''", False), ("a = b.c", "d = e.f", True)):
        assert inertness.shape("a.py", one, is_name=is_name) == inertness.shape(
            "a.py", other, is_name=is_name
        )


@pytest.mark.parametrize(
    "text",
    ["\x1b[2J", "a\x07", "::error::x", "x\n  ::error::x", "a ##vso[x]", "##[group]", "\u202e"],
)
def test_what_steers_a_terminal_is_seen(text: str) -> None:
    assert list(inertness.terminal_faults(text))
    assert list(inertness.github_faults(text))


def test_what_is_ours_is_let_through() -> None:
    assert list(inertness.terminal_faults("error[a/b] x\n --> a:1:2\n::: b:1:2\n1 | ::x::\n")) == []
    ours = "::error file=a.yaml,line=1,col=2,endColumn=3,title=a/b::x%0Ay\n"
    assert list(inertness.github_faults(ours)) == []
