"""Every key and value of a TOML file is found where it stands."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.driver.toml_locations import TomlLocations
from toolspec.source import SourceFile

TEXT = '''# a comment with = and [brackets]
title = "x"  # [not a table]
a.b."c.d" = 1

[tool.lint]
select = ["docs", 'x # y', """long
# text""", 2026-01-02]  # after
severity = {"docs/x" = "note", other = {deep = [1, {e = "]"}]}}

[[tool.lint.allow]]
rule = "one"
reason = 'a "quoted" [reason]'
[[tool.lint.allow]]
rule = "two"
[tool.lint.allow.more]
last = true
[ tool . "spaced" ]
x = """a \\"quote\\" """
'''


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for step, inner in pairs:
        yield from leaves(inner, (*path, step))


def at(value: object, path: tuple[str | int, ...]) -> object:
    for step in path:
        value = value[step]  # type: ignore[index] # a path of this very value
    return value


def assert_found(text: str) -> None:
    whole, locations = tomllib.loads(text), TomlLocations(SourceFile("a.toml", text))
    for path in leaves(whole):
        value = at(whole, path)
        is_table = isinstance(value, dict) or (
            isinstance(value, list) and value and isinstance(value[0], dict)
        )
        if not is_table:
            assert tomllib.loads(f"v = {locations.value(*path).text}")["v"] == value
        if isinstance(path[-1], str):
            assert path[-1] in tomllib.loads(f"{locations.key(*path).text} = 0")


def test_each_value_and_key_is_found() -> None:
    assert_found(TEXT)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("tool", "lint", "allow", 1, "rule"), 14),
        (("tool", "lint", "allow", 0, "until"), 10),
        (("tool", "lint", "allow", 1), 13),
        (("tool", "lint", "preset"), 5),
        (("nothing",), 1),
    ],
)
def test_what_is_not_there_is_told_by_what_is_above(path: tuple[str | int, ...], line: int) -> None:
    assert TomlLocations(SourceFile("a.toml", TEXT)).key(*path).first.line == line


WORDS = st.text("ab\"'#[]{},.=\\ \n", max_size=5)
VALUES = st.recursive(
    st.booleans() | st.integers(0, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


def spelt(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {spelt(each)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[ " + "\n, ".join(map(spelt, value)) + " ]"
    if isinstance(value, str) and "'" not in value and "\n" not in value:
        return f"'{value}'"
    return json.dumps(value)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.dictionaries(WORDS, VALUES, max_size=3), st.dictionaries(WORDS, VALUES, max_size=3))
def test_whatever_is_written_is_found(top: dict[str, object], table: dict[str, object]) -> None:
    lines = [f"{json.dumps(key)} = {spelt(value)} # c" for key, value in top.items()]
    lines += ["[[in.'a table']]"] if "in" not in top else []
    lines += [
        f"{json.dumps(key)} = {spelt(value)}" for key, value in table.items() if "in" not in top
    ]
    assert_found("\n".join(lines))
