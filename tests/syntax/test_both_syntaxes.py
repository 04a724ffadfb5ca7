"""One document in two spellings: equal values, and places whose text means the value again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.syntax.nodes import Document, JsonValue

TEXT = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), exclude_characters="\ufeff")
)
WORDS = st.sampled_from(
    [
        "",
        "null",
        "~",
        "true",
        "no",
        "1",
        "0x1",
        "1e3",
        "12:30",
        "<<",
        "- a",
        "a: b",
        "# c",
        "*a",
        "&a",
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | WORDS
)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT | WORDS, inner, max_size=4),
    max_leaves=20,
)
PROPERTY = settings(derandomize=True, max_examples=150, deadline=None)


def read(name: str, text: str) -> Document:
    checked = parse(name, text.encode())
    assert checked.diagnostics == ()
    assert checked.value is not None
    return checked.value


def paths(value: JsonValue, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


def same(left: JsonValue, right: JsonValue) -> bool:
    """Equality that tells 1 from 1.0 and from true."""
    return json.dumps(left) == json.dumps(right)


def dumped(value: JsonValue, *, flow: bool) -> str:
    # PyYAML writes what YAML 1.1 reads as a string, so strings are quoted as JSON quotes them.
    text: str = yaml.dump(
        value,
        Dumper=yaml.CSafeDumper,
        default_flow_style=flow,
        default_style='"' if flow else None,
        allow_unicode=True,
        sort_keys=False,
        width=60,
    )
    return text


def quoted(value: JsonValue, indent: int = 0) -> str:
    """Write block YAML with JSON scalars: every line of it is decided here."""
    pad = " " * indent
    if isinstance(value, dict) and value:
        items = (
            f"{pad}{json.dumps(key, ensure_ascii=False)}:{below(inner, indent)}"
            for key, inner in value.items()
        )
        return "\n".join(items)
    if isinstance(value, list) and value:
        return "\n".join(f"{pad}-{below(inner, indent)}" for inner in value)
    return pad + json.dumps(value, ensure_ascii=False)


def below(value: JsonValue, indent: int) -> str:
    if isinstance(value, (dict, list)) and value:
        return f"   # about it\n\n{quoted(value, indent + 2)}"
    return f" {json.dumps(value, ensure_ascii=False)}  # and so on"


@PROPERTY
@given(VALUES)
def test_json_values_and_places(value: JsonValue) -> None:
    for indent in (None, 2):
        for ascii_only in (True, False):
            document = read("a.json", json.dumps(value, indent=indent, ensure_ascii=ascii_only))
            assert same(document.value, value)
            for path in paths(value):
                location = document.location(*path)
                assert same(json.loads(location.value_span.text), location.value)
                if path and isinstance(path[-1], str):
                    assert json.loads(location.key_span.text) == path[-1]


@PROPERTY
@given(VALUES)
def test_block_yaml_values_and_places(value: JsonValue) -> None:
    text = quoted(value) + "\n# the end\n"
    document = read("a.yaml", text)
    assert same(document.value, value)
    for path in paths(value):
        location = document.location(*path)
        span = location.value_span
        assert span.text == span.text.strip()
        # The first line of a block stands behind its indentation: put that back.
        column = span.first.column - 1
        assert same(read("b.yaml", " " * column + span.text).value, location.value)
        if path and isinstance(path[-1], str):
            assert json.loads(location.key_span.text) == path[-1]


@PROPERTY
@given(VALUES)
def test_json_text_as_yaml(value: JsonValue) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    document = read("a.yaml", text)
    assert same(document.value, value)
    for path in paths(value):
        location = document.location(*path)
        assert same(json.loads(location.value_span.text), location.value)


@PROPERTY
@given(
    st.recursive(
        TEXT | st.integers(-999, 999),
        lambda i: st.lists(i) | st.dictionaries(TEXT, i),
        max_leaves=15,
    )
)
def test_yaml_as_others_write_it(value: JsonValue) -> None:
    document = parse("a.yaml", dumped(value, flow=False).encode()).value
    reference = yaml.load(dumped(value, flow=False), Loader=yaml.CSafeLoader)
    assert document is not None
    assert reference == value
    # YAML 1.1 writes `1_0` bare where it means 10, and quotes what 1.2 need not: strings stay strings.
    assert same(document.value, value)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.text(st.sampled_from(list("ab:-?[]{}#&*!|>'\"%@`, \n\t01.~<\\u")), max_size=40))
def test_any_text_ends_in_a_value_or_in_findings(text: str) -> None:
    for name in ("a.yaml", "a.json"):
        checked = parse(name, text.encode())
        assert checked.value is not None or checked.diagnostics
        for found in checked.diagnostics:
            assert found.span is not None
            assert 0 <= found.span.start <= found.span.end <= len(text)
            for label in found.labels:
                assert 0 <= label.span.start <= label.span.end <= len(text)
        if checked.value is not None:
            for path in paths(checked.value.value):
                span = checked.value.location(*path).value_span
                assert 0 <= span.start <= span.end <= len(text)
