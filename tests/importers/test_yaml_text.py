"""Whatever a value holds, the YAML that is written of it reads back as that value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.importers.openapi.large_yaml_text import large_yaml_text
from toolspec.importers.yaml_styles import comment_text
from toolspec.importers.yaml_text import yaml_text
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonValue
from toolspec.syntax.pointer import Path

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.text("\t\n :#-abc\"'\\{}[],|>%@&*!?\x00\x85\u2028\ufeff\u200d~1.e+0_", max_size=12),
    st.sampled_from(["yes", "No", "null", "~", "0x1F", "1e3", ".inf", "<<", "=", "2026-01-01"]),
    st.sampled_from(["---", "...", "a: b", "x #y", "", "x" * 200, "a b " * 40 + "\n"]),
    st.lists(st.sampled_from(["word ", "line\n", "  ", "\t", "é", "\n"]), max_size=30).map("".join),
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=25,
)


def read(text: str) -> JsonValue:
    parsed = parse("spec.yaml", text.encode())
    assert parsed.ok, [(each.message, each.span) for each in parsed.diagnostics]
    assert parsed.value is not None
    return parsed.value.value


def members(value: JsonValue, path: Path = ()) -> list[Path]:
    if not isinstance(value, dict) or len(path) > 2:
        return []
    inner = [each for key in value for each in members(value[key], (*path, key))]
    return [(*path, key) for key in value] + inner


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4), TEXTS, st.data())
def test_any_value_reads_back_whatever_its_comments_say(
    value: dict[str, JsonValue], header: str, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(members(value)), max_size=3))
    comments = {path: data.draw(TEXTS.filter(bool)) for path in chosen}
    # Compared as text, so that 1, 1.0 and true are three values and the order of keys counts.
    for write in (yaml_text, large_yaml_text):
        assert json.dumps(read(write(value, comments, [header]))) == json.dumps(value)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Plain prose, with a comma", "a: Plain prose, with a comma\n"),
        ("yes", 'a: "yes"\n'),
        ("2026.10.19", 'a: "2026.10.19"\n'),
        ("key: value", 'a: "key: value"\n'),
        ("two\nlines", "a: |-\n  two\n  lines\n"),
        ("two\nlines\n", "a: |\n  two\n  lines\n"),
        ("a tab\tinside\na line", "a: |-\n  a tab\tinside\n  a line\n"),
        ("blank at the end \nof a line", 'a: "blank at the end \\nof a line"\n'),
        (" blank at the\nbeginning", 'a: " blank at the\\nbeginning"\n'),
        ("two ends\n\n", 'a: "two ends\\n\\n"\n'),
        ("unseen\u200btext", 'a: "unseen\\U0000200Btext"\n'),
        ("long: " + "word " * 20 + "end", "a: |-\n  long: " + "word " * 20 + "end\n"),
    ],
)
def test_each_text_gets_the_style_that_keeps_it_whole(text: str, written: str) -> None:
    assert yaml_text({"a": text}, {}, []) == large_yaml_text({"a": text}, {}, []) == written


def test_a_comment_never_leaves_its_line() -> None:
    hidden = "one\ntwo\r\u2028three\x1b[31m\u202e"
    text = yaml_text({"a": 1}, {("a",): hidden}, [hidden])
    assert text == large_yaml_text({"a": 1}, {("a",): hidden}, [hidden])
    assert comment_text(hidden) == "oneU+000AtwoU+000DU+2028threeU+001B[31mU+202E"
    assert text.splitlines() == [
        f"# {comment_text(hidden)}",
        "",
        f"a: 1 # {comment_text(hidden)}",
    ]


def test_comments_stand_beside_short_scalars_and_above_the_rest() -> None:
    value: dict[str, JsonValue] = {
        "tools": [{"name": "x", "schema": {"a": [1]}, "text": "two\nlines"}]
    }
    comments: dict[Path, str] = {
        ("tools", 0, "name"): "beside",
        ("tools", 0, "schema"): "above",
        ("tools", 0, "text"): "above too",
    }
    assert (
        large_yaml_text(value, comments, [])
        == yaml_text(value, comments, [])
        == (
            "tools:\n"
            "  - name: x # beside\n"
            "    # above\n"
            "    schema: {a: [1]}\n"
            "    # above too\n"
            "    text: |-\n"
            "      two\n"
            "      lines\n"
        )
    )
