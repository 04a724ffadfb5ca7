"""Fixes as text edits: the value that comes of them, and every byte that stays."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.frontend import edits
from toolspec.importers.yaml_text import yaml_text
from toolspec.sinks.yaml_literal import json_literal, yaml_literal
from toolspec.syntax import parse
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from toolspec.diagnostics import TextEdit
    from toolspec.syntax.nodes import Document, JsonValue


def read(text: str, name: str = "a.yaml") -> Document:
    """Return the document of a text that has no error."""
    parsed = parse(name, text.encode())
    assert parsed.value is not None, parsed.diagnostics
    assert parsed.ok, parsed.diagnostics
    return parsed.value


def after(text: str, made: tuple[TextEdit, ...]) -> str:
    """Return a text with one edit made."""
    (edit,) = made
    return text[: edit.span.start] + edit.new_text + text[edit.span.end :]


BLOCK = """\
# head
tool:
  - name: a # the name
    hints:
      open: true

      # about idle
      idle: &i 1 # one
    text: |+
      x

  - {name: b, other: *i}
last: end # no more"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("tool", 0, "hints", "open"), "    hints:\n\n      # about idle\n"),
        (("tool", 0, "name"), "  - hints:\n"),
        (("tool", 0, "text"), "# one\n  - {name: b"),
        (("tool", 1, "name"), "  - {other: *i}\n"),
        (("tool", 1, "other"), "  - {name: b}\n"),
        (("last",), "other: *i}\n"),
    ],
)
def test_a_member_goes_with_its_line_or_its_comma(
    path: tuple[str | int, ...], expected: str
) -> None:
    text = after(BLOCK, edits.delete_member(read(BLOCK).location(*path)))
    assert expected in text
    wanted = deepcopy(read(BLOCK).value)
    holder = value_at(wanted, path[:-1])
    assert isinstance(holder, dict)
    del holder[str(path[-1])]
    assert read(text).value == wanted


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("a: [1, 2, 3]\n", 0, "a: [2, 3]\n"),
        ("a: [1, 2]\n", 1, "a: [1]\n"),
        ("a:\n  - b: 1\n    c: 2\n  - 3 # three\n  - 4\n", 0, "a:\n  - 3 # three\n  - 4\n"),
        ("a:\n  - b: 1\n    c: 2\n  - 3 # three\n  - 4\n", 1, "a:\n  - b: 1\n    c: 2\n  - 4\n"),
        ("a:\n- |\n  1\n\n- 2", 1, "a:\n- |\n  1\n\n"),
        ("a: [1]\n", 0, None),
        ("a: &x [1, 2]\nb: *x\n", 1, "a: &x [1]\nb: *x\n"),
        ("a:\n- - 1\n- 2\n", 0, "a:\n- 2\n"),
    ],
)
def test_an_item_goes_with_its_lines_or_its_comma(
    text: str, index: int, expected: str | None
) -> None:
    edit = edits.delete_item(read(text).location("a", index))
    assert (after(text, edit) if edit else None) == expected


def test_an_item_that_is_shared_stays() -> None:
    text = "a: &x [1, 2]\nb: *x\nc: [*x, *x]\n"
    assert edits.delete_item(read(text).location("b", 0)) == ()
    assert edits.delete_item(read(text).location("c", 1)) == ()


@pytest.mark.parametrize(
    ("text", "after_key", "expected"),
    [
        ("a: 1\n", "", "a: 1\nnew: 7\n"),
        ("a: 1", "", "a: 1\nnew: 7"),
        ("a: 1 # one\nb: 2\n", "a", "a: 1 # one\nnew: 7\nb: 2\n"),
        ("a: 1\r\nb: 2\r\n", "a", "a: 1\r\nnew: 7\r\nb: 2\r\n"),
        ("a: |+\n  x\n\n\nb: 2\n", "a", "a: |+\n  x\n\n\nnew: 7\nb: 2\n"),
        ("a:\n  b: {}\n\n# c\nd: 2\n", "a", "a:\n  b: {}\nnew: 7\n\n# c\nd: 2\n"),
        ("a: &x\n  b: 1\nc: *x # again\n", "", "a: &x\n  b: 1\nc: *x # again\nnew: 7\n"),
        ("{}", "", "{new: 7}"),
        ("{a: 1, b: 2}", "a", "{a: 1, new: 7, b: 2}"),
        ("{a: 1,\n b: 2, # two\n}", "", "{a: 1,\n b: 2,\n new: 7, # two\n}"),
    ],
)
def test_a_member_comes_behind_another_or_last(text: str, after_key: str, expected: str) -> None:
    made = after(text, edits.insert_member(read(text).location(), "new", 7, after=after_key))
    assert made == expected
    assert read(made).value == {**_mapping(read(text).value), "new": 7}


def _mapping(value: JsonValue) -> dict[str, JsonValue]:
    assert isinstance(value, dict)
    return value


def test_a_member_of_an_item_is_indented_as_its_siblings() -> None:
    made = after(
        BLOCK, edits.insert_member(read(BLOCK).location("tool", 0), "rank", 0, after="name")
    )
    assert "  - name: a # the name\n    rank: 0\n    hints:\n" in made


def test_a_large_value_is_written_as_a_block() -> None:
    value: JsonValue = {"type": "object", "required": ["first", "second"], "description": "x" * 60}
    made = after("a: 1\n", edits.insert_member(read("a: 1\n").location(), "schema", value))
    assert made.splitlines()[1:3] == ["schema:", "  type: object"]
    assert read(made).value == {"a": 1, "schema": value}


def test_text_of_another_place_is_left_alone() -> None:
    text = "a: &x {b: 1, c: 2}\nd: *x\ne: {<<: *x, f: 1}\n"
    document = read(text)
    for location in (document.location("d", "b"), document.location("e", "b")):
        assert edits.delete_member(location) == ()
        assert edits.replace_value(location, 3) == ()
        assert edits.rename_key(location, "z") == ()
    assert edits.insert_member(document.location("d"), "new", 1) == ()
    assert after(text, edits.delete_member(document.location("d"))) == text.replace("d: *x\n", "")
    assert "e: {<<: *x}" in after(text, edits.delete_member(document.location("e", "f")))


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ("a: 1 # one\n", ("a",), "yes", 'a: "yes" # one\n'),
        ("a: &x 'old'\n", ("a",), "new one", "a: &x new one\n"),
        ("a:\nb: 1\n", ("a",), 2, "a: 2\nb: 1\n"),
        ("a:\n  b: 1\nc: 2\n", ("a",), True, "a:\n  true\nc: 2\n"),
        ("a: |\n  long\n\nc: 2\n", ("a",), ["x"], "a: [x]\n\nc: 2\n"),
    ],
)
def test_a_value_is_replaced_and_nothing_else(
    text: str, path: tuple[str, ...], value: JsonValue, expected: str
) -> None:
    made = after(text, edits.replace_value(read(text).location(*path), value))
    assert made == expected
    assert value_at(read(made).value, path) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n", "b c: 1\n"),
        ('"a": 1\n', '"b c": 1\n'),
        ("{'a': 1}", "{'b c': 1}"),
        ("z: &x 1\na: *x\n", "z: &x 1\nb c: *x\n"),
    ],
)
def test_a_key_is_renamed_in_its_quotes(text: str, expected: str) -> None:
    assert after(text, edits.rename_key(read(text).location("a"), "b c")) == expected


def test_no_key_is_renamed_to_one_that_is_there() -> None:
    assert edits.rename_key(read("a: 1\nb: 2\n").location("a"), "b") == ()


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=8)
KEYS = st.one_of(st.sampled_from(["name", "on", "1.0", "null", "a: b", "#", "x y"]), TEXTS)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), TEXTS, st.just("a\nb\n"))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)


@given(value=VALUES)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_a_literal_is_read_back(value: JsonValue) -> None:
    assert read(f"a: {yaml_literal(value)}\n").value == {"a": value}
    assert json.loads(json_literal(value)) == value


@given(document=st.dictionaries(KEYS, VALUES, min_size=2, max_size=4), data=st.data())
@settings(derandomize=True, max_examples=300, deadline=None)
def test_each_edit_does_what_it_says_and_leaves_the_rest(
    document: dict[str, JsonValue], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(["a.yaml", "a.json"]))
    text = yaml_text(document, {}, ()) if name == "a.yaml" else json.dumps(document, indent=2)
    key = data.draw(st.sampled_from(sorted(document)))
    value = data.draw(VALUES)
    location = read(text, name).location()
    new = data.draw(KEYS.filter(lambda each: each not in document and each != "<<"))
    rest = {each: document[each] for each in document if each != key}
    made = {
        "delete": (edits.delete_member(location / key), rest),
        "insert": (
            edits.insert_member(location, new, value, after=key),
            {**document, new: value},
        ),
        "rename": (edits.rename_key(location / key, new), {**rest, new: document[key]}),
        "replace": (edits.replace_value(location / key, value), {**document, key: value}),
    }
    for what, (edit, expected) in made.items():
        assert edit, what
        assert read(after(text, edit), name).value == expected, what
