"""YAML: the core schema, keys, tags, aliases, merge keys, limits, and errors in our own words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from toolspec.diagnostics import Severity
from toolspec.syntax import parse, yaml_reader
from toolspec.syntax.limits import MAX_DEPTH
from yaml import Mark, MarkedYAMLError

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document, JsonValue


def read(text: str) -> Document:
    checked = parse("a.yaml", text.encode())
    assert checked.diagnostics == ()
    assert checked.value is not None
    return checked.value


def findings(text: str) -> list[Diagnostic]:
    return list(parse("a.yaml", text.encode()).diagnostics)


def codes(text: str) -> list[str]:
    return [each.code.removeprefix("syntax/") for each in findings(text)]


def best_effort(text: str) -> JsonValue:
    document = parse("a.yaml", text.encode()).value
    assert document is not None
    return document.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        ("~", None),
        ("NULL", None),
        ("nULL", "nULL"),
        ("true", True),
        ("False", False),
        ("tRUE", "tRUE"),
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("0", 0),
        ("-0", 0),
        ("+12", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b11", "0b11"),
        ("-0x1", "-0x1"),
        ("1_000", "1_000"),
        ("1.5", 1.5),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1e3", -1000.0),
        ("1E5", 100000.0),
        ("1e", "1e"),
        ("12:30", "12:30"),
        ("2020-01-01", "2020-01-01"),
        ("2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"),
        ("1.2.3", "1.2.3"),
        ("...x", "...x"),
        ("٣", "٣"),
        ("1٣", "1٣"),
        ("-", None),
        ("+", "+"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("9007199254740991", 9007199254740991),
        ("'<<'", "<<"),
    ],
)
def test_core_schema(text: str, value: JsonValue) -> None:
    if text == "-":
        assert read("- -").value == [[None]]
        return
    found = read(f"v: {text}").value
    assert found == {"v": value}
    assert isinstance(found, dict)
    assert type(found["v"]) is type(value)


@pytest.mark.parametrize("text", [".inf", "-.INF", "+.Inf", ".nan", ".NaN", "1e999", "-1e999"])
def test_numbers_are_finite(text: str) -> None:
    assert codes(f"a: {text}\nb: {text}") == ["not-finite", "not-finite"]


@pytest.mark.parametrize("text", ["18446744073709551616", "-9223372036854775809", "9" * 5000])
def test_integers_fit_64_bits(text: str) -> None:
    assert codes(f"a: {text}") == ["integer-range"]


BIG = 10**20


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
@pytest.mark.parametrize(
    "value",
    [
        {"minimum": -9223372036854776000},
        {"properties": {"n": {"exclusiveMaximum": BIG}}},
        {"default": BIG},
        {"examples": [{"n": [BIG]}]},
        {"x-vendor": {"limit": -BIG}},
    ],
)
def test_integers_beyond_64_bits_are_kept_where_no_call_depends_on_them(
    name: str, value: JsonValue
) -> None:
    checked = parse(name, json.dumps(value).encode())
    assert [each.code for each in checked.diagnostics] == ["syntax/unsafe-integer"]
    assert checked.value is not None
    assert checked.value.value == value


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
@pytest.mark.parametrize(
    "value",
    [
        {"minimum": BIG},
        {"maximum": -BIG},
        {"const": BIG},
        {"enum": [BIG]},
        {"multipleOf": BIG},
        {"properties": {"default": {"const": BIG}}},
        {"maximum": 10**30},
    ],
)
def test_integers_beyond_64_bits_are_refused_elsewhere(name: str, value: JsonValue) -> None:
    found = parse(name, json.dumps(value).encode()).diagnostics
    assert [each.code for each in found] == ["syntax/integer-range"]


def test_a_big_integer_is_refused_at_each_use_if_one_use_is_refused() -> None:
    assert codes(f"default: &big {BIG}\nconst: *big") == ["integer-range"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0777", "`0777` is 777 here, and 511 in YAML 1.1"),
        ("-010", "`-010` is -10 here, and -8 in YAML 1.1"),
    ],
)
def test_a_leading_zero_is_noted_at_each_use(text: str, message: str) -> None:
    checked = parse("a.yaml", f"a: {text}\nb: {text}".encode())
    assert [each.code for each in checked.diagnostics] == ["syntax/leading-zero"] * 2
    assert {each.severity for each in checked.diagnostics} == {Severity.NOTE}
    assert checked.diagnostics[0].message == message
    assert checked.value is not None
    assert checked.value.value == {"a": int(text), "b": int(text)}


@pytest.mark.parametrize("text", ["0", "00", "07", "089", "0.7", "0o777", "'0777'", "0x10", "-0"])
def test_numbers_that_yaml_versions_agree_on_are_not_noted(text: str) -> None:
    assert parse("a.yaml", f"a: {text}".encode()).diagnostics == ()


def test_a_huge_hexadecimal_is_refused() -> None:
    assert codes("a: 0x" + "f" * 5000) == ["integer-range"]
    assert codes("a: 0x" + "0" * 5000 + "1") == []


@pytest.mark.parametrize("value", [2**64 - 1, -(2**63), 2**53, -(2**53)])
def test_integers_that_floats_round_are_a_warning(value: int) -> None:
    checked = parse("a.yaml", f"a: {value}".encode())
    assert checked.ok
    assert checked.value is not None
    assert checked.value.value == {"a": value}
    assert [each.code for each in checked.diagnostics] == ["syntax/unsafe-integer"]


def test_all_problems_of_a_file_are_found() -> None:
    text = "a: .inf\na: !x 1\n2: [*nope, {k: 1, k: 2}]\nb: 99999999999999999999999\n"
    assert sorted(codes(text)) == [
        "duplicate-key",
        "duplicate-key",
        "integer-range",
        "key-type",
        "not-finite",
        "tag",
        "unknown-alias",
    ]


def test_a_syntax_error_keeps_what_was_found_before_it() -> None:
    assert codes("a: .inf\nb: [") == ["not-finite", "unclosed"]


def test_duplicate_keys_show_both_places() -> None:
    (found,) = findings('a: 1\nb: {}\n"a": 2\n')
    assert found.code == "syntax/duplicate-key"
    assert found.span is not None
    assert (found.span.first.line, found.span.text) == (3, '"a"')
    assert [(label.span.first.line, label.span.text) for label in found.labels] == [(1, "a")]
    assert best_effort('a: 1\nb: {}\n"a": 2\n') == {"a": 1, "b": {}}


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("200", "a number"),
        ("1.5", "a number"),
        ("true", "a boolean"),
        ("~", "null"),
        ("? [a]\n", "a list"),
        ("? {a: b}\n", "a mapping"),
    ],
)
def test_keys_are_strings(key: str, what: str) -> None:
    (found,) = findings(f"a: 1\n{key}: x\n")
    assert found.code == "syntax/key-type"
    assert what in found.message
    assert "quotes" in found.help


def test_a_key_of_another_type_can_be_mended() -> None:
    text = "200: x\n"
    (found,) = findings(text)
    assert found.fix is not None
    (edit,) = found.fix.edits
    mended = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    assert read(mended).value == best_effort(text) == {"200": "x"}


@pytest.mark.parametrize(
    "text",
    [
        "!!str 1",
        "!!int x",
        "!!bool maybe",
        "!x y",
        "! z",
        "! '1'",
        "! []",
        "!!map {}",
        "!!python/none x",
        "!<a> b",
    ],
)
def test_tags_are_refused(text: str) -> None:
    (found,) = findings(f"a: {text}\n")
    assert found.code == "syntax/tag"
    assert found.span is not None
    assert found.span.text == text.split(maxsplit=1)[0]


def test_an_unknown_tag_handle_is_a_tag() -> None:
    assert codes("a: !foo!bar x\n") == ["tag"]


@pytest.mark.parametrize("text", ["", "\n", "# x\n", "---\n", "---\n...\n"])
def test_empty_documents(text: str) -> None:
    assert codes(text) == ["empty"]


def test_one_document_only() -> None:
    (found,) = findings("a: 1\n---\nb: 1\n")
    assert found.code == "syntax/several-documents"
    assert found.span is not None
    assert found.span.text == "---"
    assert read("---\na: 1\n...\n").value == {"a": 1}


def test_depth_has_a_limit() -> None:
    assert codes("[" * MAX_DEPTH + "]" * MAX_DEPTH) == []
    assert codes("[" * 30_000) == ["depth"]
    assert codes("{a: " * 30_000) == ["depth"]
    assert codes("? " * 30_000) == ["depth"]
    assert codes("- " * 30_000) == ["depth"]
    assert codes("\n".join(" " * n + "a:" for n in range(400))) == ["depth"]


def test_depth_has_a_limit_in_newer_parsers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(text: str) -> Callable[[], object]:
        def next_event() -> object:
            mark = Mark("a.yaml", 1000, 0, 1000, None, 0)
            raise MarkedYAMLError(
                "while increasing flow level", mark, "exceeded maximum nesting depth", mark
            )

        return next_event

    # libyaml 0.2.6 reads a thousand brackets before its first event, and refuses the next.
    monkeypatch.setattr(yaml_reader, "event_reader", refusing)
    (found,) = findings("[" * 30_000)
    assert (found.code, found.help) == ("syntax/depth", "move inner schemas to `$defs`")
    assert found.span is not None
    assert (found.span.first.line, found.span.first.column) == (1, 1001)


def test_depth_counts_what_an_alias_brings() -> None:
    half = MAX_DEPTH // 2
    deep = "a: &a " + "[" * half + "]" * half + "\nb: "
    assert codes(deep + "[" * (half - 1) + "*a" + "]" * (half - 1)) == []
    assert codes(deep + "[" * half + "*a" + "]" * half) == ["depth"]


def test_billion_laughs() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert codes("\n".join(lines)) == ["expansion"]


def test_quadratic_expansion() -> None:
    assert codes(f"a: &a {'x' * 20_000}\nb: [{', '.join(['*a'] * 2000)}]") == ["expansion"]


@pytest.mark.parametrize("source", ["[*m, *m, *m, *m, *m, *m, *m, *m, *m]", "*m"])
def test_merge_bomb(source: str) -> None:
    lines = ["m0: &m0 {" + ", ".join(f"k{n}: v" for n in range(9)) + "}"]
    for n in range(1, 12):
        own = ", ".join(f"k{n}x{m}: v" for m in range(9))
        merged = source.replace("*m", f"*m{n - 1}")
        lines.append(f"m{n}: &m{n} {{<<: {merged}, {own}}}")
    expected = ["expansion"] if "," in source else []
    assert codes("\n".join(lines)) == expected


def test_a_long_chain_of_merges() -> None:
    lines = ["m0: &m0 {k0: 0}", *(f"m{n}: &m{n} {{<<: *m{n - 1}, k{n}: 0}}" for n in range(1, 150))]
    document = read("\n".join(lines))
    assert isinstance(document.value, dict)
    assert len(document.value["m149"]) == 150
    assert len(document.location("m149", "k0").spans.via) == 149


def test_alias_cycles() -> None:
    assert codes("a: &a [*a]") == ["alias-cycle"]
    assert codes("a: &a {b: {c: *a}}") == ["alias-cycle"]
    assert codes("a: &a {<<: *a}") == ["alias-cycle"]
    assert codes("x: &a 1\na: &a [*a]") == ["alias-cycle"]


def test_unknown_alias_suggests() -> None:
    (found,) = findings("a: &money 1\nb: *mony\n")
    assert found.code == "syntax/unknown-alias"
    assert "`money`" in found.help


def test_aliases_repeat_and_remember_the_way() -> None:
    document = read("base: &b\n  x: [1, 2]\nuse: *b\nkeep: {deep: [*b]}\n")
    assert document.value == {
        "base": {"x": [1, 2]},
        "use": {"x": [1, 2]},
        "keep": {"deep": [{"x": [1, 2]}]},
    }
    spans = document.location("use", "x", 1).spans
    assert (spans.value.text, spans.value.first.line) == ("2", 2)
    assert [(span.text, span.first.line) for span in spans.via] == [("*b", 3)]
    spans = document.location("keep", "deep", 0).spans
    assert spans.value.text == "x: [1, 2]"
    assert [span.text for span in spans.via] == ["*b"]
    spans = document.location("use").spans
    assert spans.key is not None
    assert (spans.key.text, spans.value.text) == ("use", "x: [1, 2]")


def test_the_later_of_two_anchors_counts() -> None:
    assert read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n").value == {"a": 1, "b": 1, "c": 2, "d": 2}
    document = read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")
    assert document.location("b").value_span.first.line == 1
    assert document.location("d").value_span.first.line == 3


def test_merge_keys() -> None:
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  w: 0\n  <<: [*a, *b, {q: 5}]\n  x: 9\n"
    document = read(text)
    assert isinstance(document.value, dict)
    merged = document.value["c"]
    assert merged == {"w": 0, "y": 2, "z": 4, "q": 5, "x": 9}
    assert list(merged) == ["w", "y", "z", "q", "x"]
    assert document.location("c", "x").value_span.first.line == 6
    assert document.location("c", "x").spans.via == ()
    spans = document.location("c", "z").spans
    assert (spans.value.text, spans.value.first.line) == ("4", 2)
    assert [(span.text, span.first.line) for span in spans.via] == [("*b", 5)]
    assert document.location("c", "q").spans.via == ()


def test_merges_of_merges_name_the_whole_way() -> None:
    document = read("a: &a {x: 1}\nb: &b {<<: *a}\nc: {<<: *b}\nd: &d [*b]\ne: {<<: *d}\n")
    way = [span.text for span in document.location("c", "x").spans.via]
    assert way == ["*b", "*a"]
    way = [span.text for span in document.location("e", "x").spans.via]
    assert way == ["*d", "*b", "*a"]


@pytest.mark.parametrize("text", ["<<: 1", "<<: [1]", "<<: x", "<<:", "<<: [{}, 1]"])
def test_only_mappings_merge(text: str) -> None:
    assert codes(f"a: 1\n{text}\n") == ["merge"]


def test_a_quoted_merge_key_is_a_key() -> None:
    assert read('"<<": 1\n').value == {"<<": 1}


def test_spans_end_at_the_last_character() -> None:
    text = (
        "a:   # first\n  b: |\n    one\n    two\n\n  # about c\n  c:\n    - x   # x\n    - 'y'\n\n"
        "# the end\nd: &d\n  e: 1\nf:\n"
    )
    document = read(text)
    assert document.location("a").value_span.text.startswith("b: |")
    assert document.location("a").value_span.text.endswith("- 'y'")
    assert document.location("a", "b").value_span.text == "|\n    one\n    two"
    assert document.location("a", "c").value_span.text == "- x   # x\n    - 'y'"
    assert document.location("a", "c").key_span.text == "c"
    assert document.location("d").value_span.text == "e: 1"
    assert document.location("f").value_span.text == ""
    assert document.location("f").value_span.first.line == 14
    assert document.location().value_span.text == text[:-1]


def test_a_path_to_nothing_is_its_parent() -> None:
    document = read("a: {b: [1]}\n")
    for path in (("a", "b", 5), ("a", "b", "x"), ("a", "b", -1)):
        assert document.location(*path).value_span.text == "[1]"
    assert document.location("a", "zz").value_span.text == "{b: [1]}"
    assert document.location("a", "b", 0, "deep", 3).value_span.text == "1"


LONG = "k" * 1025
ERRORS = [
    ("a:\n\tb: 1\n", "tab", 2, 1),
    ("a:\n  b: 1\n\tc: 2\n", "tab", 3, 1),
    ("a:\n  \tb: 1\n", "tab", 2, 3),
    ("a b\nc: 1\n", "missing-colon", 1, 1),
    ("toolspec: 1\nservice\nname: x\n", "missing-colon", 2, 1),
    ("service\n  name: x\n", "missing-colon", 1, 1),
    ("service:\n  name github\n  version: 1\n", "missing-colon", 2, 3),
    ("tools:\n  - name x\n    mutation: true\n", "missing-colon", 2, 5),
    ("a: b: c\n", "unexpected-colon", 1, 5),
    ("description: Note: reads\n", "unexpected-colon", 1, 18),
    ("tools:\n- name: a\n   description: b\n", "unexpected-colon", 3, 4),
    ("a: - b\n", "unexpected-item", 1, 4),
    ("a: @x\n", "quote-needed", 1, 4),
    ("a: `x`\n", "quote-needed", 1, 4),
    ("a: %x\n", "quote-needed", 1, 4),
    ("a: *.yaml\n", "quote-needed", 1, 4),
    ("a: & b\n", "quote-needed", 1, 4),
    ("a: ? b\n", "quote-needed", 1, 4),
    ("a: [1, 2\nb: 3\n", "unclosed", 1, 4),
    ("a: [1, 2\nb: [3]\n", "unclosed", 1, 4),
    ("a: {x: 1\nb: 2\n", "unclosed", 1, 4),
    ("a: [\n", "unclosed", 1, 4),
    ("a: [1, [2, 3]\n", "unclosed", 1, 4),
    ("a: {x: 1 y: 2}\n", "missing-comma", 1, 11),
    ('a: {\n "x": 1\n "y": 2\n}\n', "missing-comma", 3, 5),
    ("a: 'xx\nb: 1\n", "unclosed", 1, 4),
    ('a: "xx\nb: 1\n', "unclosed", 1, 4),
    ('a: "xx\nb: "y"\n', "after-quote", 2, 5),
    ("a: 'it's'\n", "after-quote", 1, 8),
    ('a: "b" c\n', "after-quote", 1, 8),
    ("a: [b]]\n", "unexpected-close", 1, 7),
    ("a: }\n", "unexpected-close", 1, 4),
    ("a: {x: 1,, y: 2}\n", "missing-value", 1, 10),
    ("a:\n   b: 1\n  c: 2\n", "indentation", 3, 3),
    ("- a\nb: 1\n", "indentation", 2, 1),
    ("a: 1\n- b\n", "indentation", 2, 1),
    ('a: "\\d"\n', "escape", 1, 5),
    ('a: "\\x1"\n', "escape", 1, 5),
    ('a: "\\ud800"\n', "surrogate", 1, 5),
    ('a: "\\ude00\\ud83d"\n', "surrogate", 1, 5),
    ('a: "x \\ud83d\\uDE00 y"\n', "surrogate-pair", 1, 7),
    (f'"{LONG}": 1\nb:\n  c: 1\n', "long-key", 1, 1),
    (f"a: 1\n{LONG}: 1\n", "long-key", 2, 1),
    (f"a:\n  - - {LONG}:\n", "long-key", 2, 7),
    (f'a: {{"{LONG}": 1, b: 2}}\n', "long-key", 1, 5),
    (f"a: {{b: 1, {LONG}: 1}}\n", "long-key", 1, 11),
    (f'{{\n  "{LONG}": 1\n}}\n', "long-key", 2, 3),
    (f"a: [{LONG}: 1]\n", "long-key", 1, 5),
    (f"a: b {LONG} c: 1\n", "unexpected-colon", 1, 1033),
    (f"a: 1\n{LONG}\nb: 1\n", "missing-colon", 2, 1),
    (f"{{a: {LONG} b: 1}}\n", "missing-comma", 1, 1032),
    (f'{{a: "{LONG}" "b": 1}}\n', "missing-comma", 1, 1033),
    ("a: 1\n...\nfoo\n", "after-value", 3, 1),
    ("a: | x\n", "yaml", 1, 6),
    ("%YAML 2.0\n---\na: 1\n", "yaml", 1, 1),
]


@pytest.mark.parametrize(("text", "code", "line", "column"), ERRORS)
def test_syntax_errors_in_our_words(text: str, code: str, line: int, column: int) -> None:
    checked = parse("a.yaml", text.encode())
    assert checked.value is None
    (found,) = checked.diagnostics
    assert found.code == f"syntax/{code}"
    assert found.span is not None
    assert (found.span.first.line, found.span.first.column) == (line, column)


def test_an_unclosed_bracket_says_where_it_would_go_on() -> None:
    (found,) = findings("a: [1, 2\nb: 3\n")
    assert [label.span.first.line for label in found.labels] == [2]


def test_json_is_yaml() -> None:
    value = {"a": [1, -2.5, "x\ny", None, True, {}], "b": {"c": []}}
    assert read(json.dumps(value)).value == value
    assert read(json.dumps(value, indent=2)).value == value


@pytest.mark.parametrize(
    ("text", "told", "partial"),
    [
        ("a: {<<: *b}", ["unknown-alias"], ["a"]),
        ("b: &b {}\na: {<<: [*b, *c, *d]}", ["unknown-alias", "unknown-alias"], ["a"]),
        ("a: &a {<<: *b}\nc: {<<: *a}\nd: {e: *a}", ["unknown-alias"], ["a", "c"]),
        ("b: &b 1\na: {<<: *b}\nc: {<<: 1}", ["merge", "merge"], ["a", "c"]),
        ("b: &b {}\na: {<<: [*b, *c, 1]}", ["unknown-alias", "merge"], ["a"]),
        ("b: &b {}\na: {<<: *b}", [], []),
    ],
)
def test_what_lacks_a_merge_is_noted(text: str, told: list[str], partial: list[str]) -> None:
    assert codes(text) == told
    document = parse("a.yaml", text.encode()).value
    assert document is not None
    assert isinstance(document.value, dict)
    lacking = [key for key, each in document.value.items() if id(each) in document.partial]
    assert lacking == partial
