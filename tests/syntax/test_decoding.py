"""Bytes to text: what is refused before a reader sees it, and where."""

from __future__ import annotations

import pytest
from toolspec.diagnostics import Diagnostic
from toolspec.syntax import parse
from toolspec.syntax.limits import MAX_BYTES, MAX_DIAGNOSTICS

BOTH = pytest.mark.parametrize("name", ["a.yaml", "a.yml", "a.json", "dir/a.JSON"])


def only(name: str, data: bytes) -> Diagnostic:
    checked = parse(name, data)
    assert checked.value is None
    assert len(checked.diagnostics) == 1
    return checked.diagnostics[0]


@pytest.mark.parametrize("name", ["a.txt", "a", "json", "a.yaml.bak", "dir.yaml/a"])
def test_other_names_are_refused(name: str) -> None:
    assert only(name, b"{}").code == "syntax/file-type"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-be", "utf-32-be"])
@BOTH
def test_another_unicode_encoding_is_named(name: str, encoding: str) -> None:
    text = '{"a": 1}' if encoding in {"utf-16", "utf-32"} else '\ufeff{"a": 1}'
    found = only(name, text.encode(encoding))
    assert found.code == "syntax/encoding"
    assert encoding[:6].upper() in found.message


@BOTH
def test_invalid_bytes_have_an_offset_and_a_place(name: str) -> None:
    found = only(name, b'{"a":\n "\xc3\xa9\xe9"}')
    assert found.code == "syntax/encoding"
    assert "0xE9 at offset 10" in found.message
    assert found.span is not None
    assert (found.span.first.line, found.span.first.column) == (2, 4)


def test_the_offset_counts_the_mark_that_is_left_out() -> None:
    assert "offset 5" in only("a.json", b'\xef\xbb\xbf"a\xff"').message


@BOTH
def test_encoded_surrogates_are_no_utf8(name: str) -> None:
    assert only(name, b'"\xed\xa0\xbd"').code == "syntax/encoding"


@BOTH
def test_a_mark_at_the_start_is_left_out(name: str) -> None:
    checked = parse(name, b'\xef\xbb\xbf{"a": 1}')
    assert checked.diagnostics == ()
    assert checked.value is not None
    assert checked.value.value == {"a": 1}
    assert checked.value.location("a").value_span.first.column == 7


@BOTH
@pytest.mark.parametrize("code", [0, 1, 8, 0x0B, 0x0C, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9F])
def test_controls_are_refused_at_their_place(name: str, code: int) -> None:
    found = only(name, f'{{\n"a": "é{chr(code)}"}}'.encode())
    assert found.code == "syntax/character"
    assert f"U+{code:04X}" in found.message
    assert found.span is not None
    assert (found.span.first.line, found.span.first.column) == (2, 8)


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff"])
def test_some_are_refused_in_yaml_only(character: str) -> None:
    data = f'{{"a": "{character}"}}'.encode()
    assert only("a.yaml", data).code == "syntax/character"
    assert parse("a.json", data).diagnostics == ()


def test_every_forbidden_character_is_reported() -> None:
    found = parse("a.yaml", "a: \x01\nb: \u2028\nc: \x7f\n".encode()).diagnostics
    assert [each.span.first.line for each in found if each.span] == [1, 2, 3]


def test_a_lone_carriage_return_hides_a_line() -> None:
    assert only("a.yaml", b"a: 1\rb: 2\n").code == "syntax/character"


def test_windows_line_ends_mean_line_ends() -> None:
    unix = "a: |\n  x\n  y\nb:\n  - 1\nc: 'p\n\n  q'\n"
    windows = parse("a.yaml", unix.replace("\n", "\r\n").encode())
    assert windows.diagnostics == ()
    assert windows.value is not None
    assert windows.value.value == {"a": "x\ny\n", "b": [1], "c": "p\nq"}
    assert windows.value.location("b", 0).value_span.first.line == 5
    assert windows.value.location("b", 0).value_span.text == "1"
    assert windows.value.location("a").value_span.text == "|\r\n  x\r\n  y"


@BOTH
def test_size_has_a_limit(name: str) -> None:
    filler = b'"' + b"x" * (MAX_BYTES - 2) + b'"'
    assert parse(name, filler).diagnostics == ()
    for longer in (b" ", b" " * MAX_BYTES):
        found = only(name, filler + longer)
        assert (found.code, found.message) == (
            "syntax/too-large",
            "the file is larger than 1 MiB",
        )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "\x01" * 1000),
        ("a.json", "\x01" * 1000),
        ("a.yaml", "a: 1\n" * 1000),
        ("a.yaml", f"[{'.inf, ' * 1000}]"),
        ("a.yaml", f"[{'!x y, ' * 1000}]"),
        ("a.yaml", f"[{'*x, ' * 1000}]"),
        ("a.json", f"[{'NaN, ' * 1000}1]"),
        ("a.json", "{" + '"a": 1, ' * 1000 + '"b": 2}'),
    ],
)
def test_a_list_of_findings_has_an_end(name: str, text: str) -> None:
    found = parse(name, text.encode()).diagnostics
    assert len(found) == MAX_DIAGNOSTICS + 1
    assert found[-1].code == "syntax/too-many"
    assert found[-1].span is not None
