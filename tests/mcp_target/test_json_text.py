"""The sink for JSON says what the standard library says, in every case that it accepts."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.sinks.json_text import JsonSerializer, json_text
from toolspec.syntax.nodes import JsonValue

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
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
