"""JSON: values, what the standard library lets pass, places, and errors in our own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toolspec.syntax import parse
from toolspec.syntax.limits import MAX_DEPTH

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document, JsonValue


def read(text: str) -> Document:
    checked = parse("a.json", text.encode())
    assert checked.diagnostics == ()
    assert checked.value is not None
    return checked.value


def findings(text: str) -> list[Diagnostic]:
    return list(parse("a.json", text.encode()).diagnostics)


def codes(text: str) -> list[str]:
    return [each.code.removeprefix("syntax/") for each in findings(text)]


ERRORS = [
    ('{"a":1,}', "trailing-comma", 1, 7),
    ("[1,\n]", "trailing-comma", 1, 3),
    ("[1,2", "unclosed", 1, 1),
    ('{"a": [1}', "unclosed", 1, 7),
    ('{"a":', "unclosed", 1, 1),
    ('{"a": [1, 2\n "b": 3}', "unclosed", 1, 7),
    ('{"a', "unclosed", 1, 2),
    ('{"a" 1}', "missing-colon", 1, 2),
    ('{"a"}', "missing-colon", 1, 2),
    ('{"a"=1}', "missing-colon", 1, 2),
    ('{"a": 1\n "b": 2}', "missing-comma", 2, 2),
    ("[1 2]", "missing-comma", 1, 4),
    ('{"a": {} "b": 1}', "missing-comma", 1, 10),
    ("{a: 1}", "unquoted", 1, 2),
    ('{"a": True}', "unquoted", 1, 7),
    ("[nul]", "unquoted", 1, 2),
    ("[1;2]", "unquoted", 1, 3),
    ("{'a': 1}", "single-quotes", 1, 2),
    ("[1, // x\n2]", "comment", 1, 5),
    ("[1 /* x\n */]", "comment", 1, 4),
    ("# x\n[]", "comment", 1, 1),
    ("[] // x", "comment", 1, 4),
    ('{"a": "x\n"}', "line-end", 1, 7),
    ('{"a": "x\ty"}', "raw-tab", 1, 9),
    ('["\\q"]', "escape", 1, 3),
    ('["\\u12"]', "escape", 1, 3),
    ("[01]", "number", 1, 2),
    ("[+1]", "number", 1, 2),
    ("[.5]", "number", 1, 2),
    ("[1.]", "number", 1, 2),
    ("[1e]", "number", 1, 2),
    ("[0x1F]", "number", 1, 2),
    ("[-]", "number", 1, 2),
    ("{} {}", "after-value", 1, 4),
    ("]", "unexpected-close", 1, 1),
    ("[]]", "unexpected-close", 1, 3),
    ('{"a": , "b": 1}', "missing-value", 1, 7),
    ("[1,,2]", "missing-value", 1, 4),
    ('{"a": }', "missing-value", 1, 7),
    ("{1: 2}", "key-type", 1, 2),
    ('{"a": "x" y", "b": 1}', "missing-comma", 1, 11),
    ('{"a": "x"y", "b": 1}', "after-quote", 1, 10),
    ("", "empty", 1, 1),
    (" \n", "empty", 1, 1),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), ERRORS)
def test_syntax_errors_in_our_words(text: str, code: str, line: int, column: int) -> None:
    checked = parse("a.json", text.encode())
    assert checked.value is None
    (found,) = checked.diagnostics
    assert found.code == f"syntax/{code}"
    assert found.span is not None
    assert (found.span.first.line, found.span.first.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "instead"), [("None", "null"), ("True", "true"), ("fals", "false")]
)
def test_words_of_other_languages(text: str, instead: str) -> None:
    (found,) = findings(f"[{text}]")
    assert f"`{instead}`" in found.help


def test_a_trailing_comma_can_be_deleted() -> None:
    text = '{"a": [1, 2 , ]}'
    (found,) = findings(text)
    assert found.fix is not None
    (edit,) = found.fix.edits
    mended = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    assert read(mended).value == {"a": [1, 2]}


def test_all_problems_of_a_file_are_found() -> None:
    text = '{"a": NaN, "a": 1, "b": [-Infinity, 1e999, 99999999999999999999], "c": "\\ud83d"}'
    assert codes(text) == [
        "not-finite",
        "duplicate-key",
        "not-finite",
        "not-finite",
        "integer-range",
        "surrogate",
    ]


def test_a_syntax_error_keeps_what_stands_before_it() -> None:
    assert codes('[{"a": 1, "a": 2}, {"b": "x\n"}]') == ["duplicate-key", "line-end"]


@pytest.mark.parametrize("second", ['"name"', '"n\\u0061me"', '"\\u006eame"'])
def test_duplicate_keys_show_both_places(second: str) -> None:
    (found,) = findings(f'{{"name": {{"name": 1}},\n {second}: 2}}')
    assert found.code == "syntax/duplicate-key"
    assert found.span is not None
    assert (found.span.first.line, found.span.text) == (2, second)
    assert [(label.span.first.line, label.span.start) for label in found.labels] == [(1, 1)]


def test_the_first_of_two_keys_stays() -> None:
    document = parse("a.json", b'{"a": 1, "b": 2, "a": 3}').value
    assert document is not None
    assert document.value == {"a": 1, "b": 2}
    assert document.location("a").value_span.text == "1"


def test_surrogates() -> None:
    assert read('"\\ud83d\\ude00"').value == "\N{GRINNING FACE}"
    assert read('"\\\\ud83d"').value == "\\ud83d"
    assert (
        codes('["\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83d\\ud83d\\ude00"]')
        == ["surrogate"] * 5
    )


def test_numbers() -> None:
    assert read("[1E5, -0, 1.5e-3, 9007199254740991]").value == [1e5, 0, 1.5e-3, 9007199254740991]
    checked = parse("a.json", b"[18446744073709551615, -9223372036854775808]")
    assert checked.ok
    assert [each.code for each in checked.diagnostics] == ["syntax/unsafe-integer"] * 2
    assert codes(f"[{'9' * 5000}]") == ["integer-range"]


@pytest.mark.parametrize(
    "text", ["[" * 30_000, '{"a":' * 30_000, "[" * 65 + "]" * 65, '{"a":[' * 33 + "]}" * 33]
)
def test_depth_has_a_limit(text: str) -> None:
    assert codes(text) == ["depth"]


@pytest.mark.parametrize("end", ["", "\\", '"'])
def test_an_open_string_of_quotes_is_read_once(end: str) -> None:
    assert codes("[" * 65 + '"' + '\\"' * 400_000 + end) == ["depth"]
    assert codes('["' + '\\"' * 400_000 + end) != []


@pytest.mark.parametrize(
    "filler",
    [
        '"["',
        '"\\"["',
        '"[\\\\"',
        '"\\\\\\"{[["',
        '{"[{": "]"}',
        '"", "a", "[", "", "]["',
        '{"": "", "[": ""}',
    ],
)
def test_depth_counts_no_brackets_in_strings(filler: str) -> None:
    levels = MAX_DEPTH - 1
    text = "[" * levels + ", ".join([filler] * 200) + "]" * levels
    assert codes(text) == []
    assert codes(f"[[{text}]]") == ["depth"]


def test_places() -> None:
    text = ' {"a": [1, {"b\\u0063": "x"}] , "e": {}, "f":[ ]}\n'
    document = read(text)
    assert document.location().value_span.text == text.strip()
    assert document.location("a").value_span.text == '[1, {"b\\u0063": "x"}]'
    assert document.location("a").key_span.text == '"a"'
    assert document.location("a", 1, "bc").value_span.text == '"x"'
    assert document.location("a", 1, "bc").key_span.text == '"b\\u0063"'
    assert document.location("a", 0).spans.key is None
    assert document.location("f").value_span.text == "[ ]"
    assert document.location("e").value_span.text == "{}"


def test_a_path_to_nothing_is_its_parent() -> None:
    document = read('{"a": {"b": [1]}}')
    for path in (("a", "b", 5), ("a", "b", "x"), ("a", "b", -1)):
        assert document.location(*path).value_span.text == "[1]"
    assert document.location("a", "zz").value_span.text == '{"b": [1]}'
    assert document.location("a", "b", 0, "deep", 3).value_span.text == "1"


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "x", [], {}])
def test_any_value_is_a_document(value: JsonValue) -> None:
    import json

    document = read(json.dumps(value))
    assert document.value == value
    assert document.location("x", 0).value_span.text == json.dumps(value)


def test_places_are_known_where_numbers_are_not() -> None:
    document = parse("a.json", f'{{"n": {"9" * 5000}, "m": 1e999, "z": 7}}'.encode()).value
    assert document is not None
    assert document.location("z").value_span.text == "7"
