"""Records show their fields to people: in help, in signatures and in errors."""

from __future__ import annotations

import inspect
import pydoc

import pytest
from toolspec.runtime.controls.access import Caller
from toolspec.runtime.controls.policy import Policy, PolicySource, Rule
from toolspec.runtime.definition import ToolDefinition
from toolspec.runtime.record import Record


def test_a_record_has_the_signature_of_its_fields() -> None:
    assert str(inspect.signature(Caller)) == (
        "(*, name: 'str', scopes: 'tuple[str, ...] | None' = None)"
    )
    assert str(inspect.signature(PolicySource)) == (
        "(*, name: 'str', rules: 'tuple[Rule, ...]' = (), skip: 'bool' = False)"
    )
    assert inspect.signature(ToolDefinition).parameters["output_schema"].default == "true"


def test_help_shows_the_fields_of_a_record() -> None:
    text = pydoc.plain(pydoc.render_doc(Caller))
    assert "Caller(*, name: 'str', scopes: 'tuple[str, ...] | None' = None)" in text


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Caller("ann"),
            "Caller() takes its fields by name: Caller(name=…, scopes=…)",
        ),
        (Caller, "Caller() is missing the field `name`"),
        (lambda: Caller(scopes=()), "Caller() is missing the field `name`"),
        (
            lambda: Caller(name="ann", scope=("a",)),
            "Caller() has no field `scope`; its fields are `name` and `scopes`",
        ),
        (
            lambda: Policy(source=()),
            "Policy() has no field `source`; its fields are `sources` and `default`",
        ),
        (
            lambda: Rule(mood="auto"),
            "Rule() has no field `mood`; its fields are `mode`, `tool` and `permission`",
        ),
    ],
)
def test_a_wrong_construction_says_what_is_wrong(make: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == message


def test_a_record_without_fields_takes_none() -> None:
    class Nothing(Record):
        pass

    assert repr(Nothing()) == "Nothing()"
    with pytest.raises(TypeError, match=r"Nothing\(\) has no field `a`; it has no fields"):
        Nothing(a=1)
