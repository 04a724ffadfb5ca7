"""The sink for JSON says what the standard library says, in every case that it accepts."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.shared.canonical import canonical_json
from toolspec.sinks.json_text import JsonSerializer, json_text
from toolspec.syntax.nodes import JsonValue

# Of a pair of surrogates in sequence a reader makes one character, so each of these is alone.
texts = st.text() | st.sampled_from(
    ["\ud800", "a\udc00z", "\U0001f600", '"\\/', "\x00\x1f\x7f\x85", "\u2028", "\u202e", "\u2066"]
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**63, max_value=2**200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(values)
def test_spells_as_the_standard_library_does(value: JsonValue) -> None:
    assert json_text(value) == json.dumps(value, indent=2, ensure_ascii=True) + "\n"


@settings(derandomize=True, max_examples=300, deadline=None)
@given(values)
def test_short_values_are_on_one_line(value: JsonValue) -> None:
    text = JsonSerializer().text(value)
    assert json.loads(text) == value
    assert (text.count("\n") == 1) == (
        len(json.dumps(value)) <= 120 or not isinstance(value, (dict, list))
    )


@settings(derandomize=True, max_examples=300, deadline=None)
@given(values, st.sampled_from([0, 40, 120]))
def test_layout_keeps_the_value_and_escapes_whatever_is_not_printable_ascii(
    value: JsonValue, width: int
) -> None:
    text = JsonSerializer(width).text(value)
    assert plainly(json.loads(text)) == plainly(value)
    lines = text.split("\n")
    assert all(line.isascii() and line.isprintable() for line in lines)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(values)
def test_canonical_text_has_sorted_keys_and_no_blanks(value: JsonValue) -> None:
    text = canonical_json(value)
    assert text == plainly(value)
    assert text == json.dumps(value, sort_keys=True, separators=(",", ":"))


def plainly(value: JsonValue) -> str:
    """Return canonical JSON that only leaves single scalars to the standard library."""
    match value:
        case dict():
            members = (f"{json.dumps(key)}:{plainly(value[key])}" for key in sorted(value))
            return f"{{{','.join(members)}}}"
        case list():
            return f"[{','.join(map(plainly, value))}]"
    return json.dumps(value)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_refuses_numbers_that_json_does_not_have(number: float) -> None:
    with pytest.raises(ValueError, match="JSON has no"):
        json_text({"deep": [number]})


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(values, max_size=4))
def test_what_two_files_have_in_common_is_spelt_alike_in_both(found: list[JsonValue]) -> None:
    serializer = JsonSerializer(width=0)
    for value in (
        {"a": found},
        {"b": {"a": found}},
        {"a": found, "b": [{"c": each} for each in found]},
    ):
        assert serializer.text(value) == serializer.text(value) == json_text(value)
