"""Errors of jsonschema-rs, and the keys on the way to them that look like numbers, or are empty."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from toolspec.shared.validator import paths_of

NUMBERS = Draft202012Validator(
    {
        "type": ["object", "array", "integer"],
        "items": {"$ref": "#"},
        "additionalProperties": {"$ref": "#"},
    }
)


def error(value: Any) -> Any:
    [found] = NUMBERS.iter_errors(value)
    return found


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("x", ()),
        ({"a": ["x"]}, ("a", 0)),
        ({"1": "x"}, ("1",)),
        ({"01": "x"}, ("01",)),
        ({"+1": {"0": [1, "x"]}}, ("+1", "0", 1)),
        ({"0" * 40 + "7": "x"}, ("0" * 40 + "7",)),
        ({"9" * 5000: "x"}, ("9" * 5000,)),
        ({"-1": "x", "1_0": 1}, ("-1",)),
        ({"٣": "x"}, ("٣",)),
    ],
)
def test_a_key_of_digits_is_a_key(value: Any, path: tuple[str | int, ...]) -> None:
    assert next(paths_of(error(value), value)) == path


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"": "x"}, ("",)),
        ({"": {"": "x", "a": 1}}, ("", "")),
        ({"a": 1, "": {"a": "x"}}, ("", "a")),
        ({"a": {"": ["x"]}, "": {"a": [1]}}, ("a", "", 0)),
        ({"": [1], "a": {"": {"b": "x"}}}, ("a", "", "b")),
    ],
)
def test_an_empty_key_is_a_key(value: Any, path: tuple[str | int, ...]) -> None:
    assert next(paths_of(error(value), value)) == path


def test_keys_that_rust_cannot_tell_apart_are_known_by_what_they_hold() -> None:
    value = {"01": {"a": "x"}, "1": {"a": 2}, "001": {"b": 3}}
    assert list(paths_of(error(value), value)) == [("01", "a")]


def test_what_nothing_tells_apart_is_all_meant() -> None:
    value = {"01": {"a": "x"}, "1": {"a": "x"}}
    assert [list(paths_of(each, value)) for each in NUMBERS.iter_errors(value)] == 2 * [
        [("1", "a"), ("01", "a")]
    ]
