from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_probe import findings
from toolspec.diagnostics import DiagnosticKind
from toolspec.schema import kinds
from toolspec.shared.keywords import VALUES
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonValue


def test_every_kind_is_listed() -> None:
    declared = [each for each in vars(kinds).values() if isinstance(each, DiagnosticKind)]
    assert list(kinds.KINDS) == declared


@pytest.mark.parametrize("kind", kinds.KINDS, ids=lambda kind: kind.code)
def test_the_example_of_a_kind_shows_it(kind: DiagnosticKind) -> None:
    if kind is kinds.TOO_COMPLEX:
        pytest.skip("its example only begins a schema that is shown in full by test_complexity")
    if kind.is_about_run:
        pytest.skip("no document has it: test_containment shows it")
    if kind is kinds.REFUSED_REFERENCE:
        pytest.skip("it takes a service: tests/cases/check/schema-remote-reference")
    checked = parse("example.yaml", kind.example.encode())
    assert checked.value is not None, checked.diagnostics
    value = checked.value.value
    assert isinstance(value, dict)
    assert kind.code in [each.code for each in findings(value.get("inputSchema", value))]


WORDS = st.sampled_from([*VALUES, "properts", "x-own", "a"])
TEXTS = st.sampled_from(
    ["string", "object", "#", "#/$defs/a", "a", "^a+$", "(", "http://a", "int", "../a", "#a", "é"]
)
VALUES_OF_ANY_KIND = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@settings(derandomize=True, max_examples=600, deadline=None)
@given(VALUES_OF_ANY_KIND)
def test_whatever_stands_there_is_answered(value: JsonValue) -> None:
    for each in findings(value):
        assert each.span is not None
        assert each.message[0] not in string.ascii_uppercase
        assert each.help


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.dictionaries(WORDS, VALUES_OF_ANY_KIND, max_size=5))
def test_an_object_of_keywords_is_answered(value: JsonValue) -> None:
    assert all(
        each.span is not None for each in findings({"type": "object", "properties": {"a": value}})
    )
