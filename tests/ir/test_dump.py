"""A program is the same after it was dumped and loaded."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toolspec.ir import Program
from toolspec.ir.dump import dump, field_types, load
from toolspec.shared.canonical import canonical_json

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
LEAVES = {
    object: JSON,
    str: st.text(max_size=5),
    bool: st.booleans(),
    int: st.integers(0, 9),
    float: st.floats(0, 100),
}


def values_of(of: Any) -> st.SearchStrategy[Any]:
    """Return values for the type of a field, whatever fields there are."""
    if of in LEAVES:
        return LEAVES[of]
    if isinstance(of, UnionType):
        (inner,) = (each for each in get_args(of) if each is not NoneType)
        return st.none() | values_of(inner)
    if get_origin(of) is tuple:
        items = get_args(of)
        if items[1:] == (...,):
            return st.lists(values_of(items[0]), max_size=2).map(tuple)
        return st.tuples(*map(values_of, items))
    if issubclass(of, StrEnum):
        return st.sampled_from(of)
    assert is_dataclass(of), of
    return st.builds(of, **{name: values_of(inner) for name, inner in field_types(of).items()})


@settings(
    derandomize=True,
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(values_of(Program))
def test_load_gives_back_what_was_dumped(program: Program) -> None:
    text = canonical_json(dump(program))
    assert text.isascii()
    assert load(json.loads(text)) == program
    assert canonical_json(dump(load(json.loads(text)))) == text


def test_a_dump_names_no_places() -> None:
    assert '"location"' not in canonical_json(dump(Program(())))
    assert dump(Program((), "__")) == {"services": [], "separator": "__"}


@pytest.mark.parametrize(
    ("dumped", "message"),
    [
        ({}, "Program has the fields services, separator"),
        ({"services": [], "separator": 1}, r"Program\.separator can't be 1"),
        ({"services": [{}], "separator": "_"}, "Service has the fields name"),
        ({"services": None, "separator": "_"}, r"Program\.services can't be None"),
    ],
)
def test_what_is_no_dump_is_refused(dumped: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load(dumped)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ("é\u2028😀", '"\\u00e9\\u2028\\ud83d\\ude00"'),
        (1.0, "1.0"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_canonical_text(value: Any, text: str) -> None:
    assert canonical_json(value) == text


def test_what_is_not_finite_has_no_canonical_text() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("inf"))
