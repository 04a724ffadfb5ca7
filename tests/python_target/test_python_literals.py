from __future__ import annotations

import ast
from inspect import cleandoc

import pytest
from formatting import ruff_format
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.frontend.naming.identifiers import is_name
from toolspec.sinks.python import docstring, literal
from toolspec.targets.python.identifiers import Identifier, Names, pascal

TEXTS = st.text(
    st.one_of(
        st.sampled_from("\"'\\\n\r\t {}#x\x00\x0b\x0c\x85\xa0\u2028\u202e\u3164\ufe0f\U000e0041é"),
        st.characters(),
    ),
    max_size=30,
)


@given(TEXTS)
@settings(derandomize=True, max_examples=300)
def test_a_literal_means_its_text(text: str) -> None:
    spelled = literal(text)
    assert ast.literal_eval(spelled) == text
    assert spelled.isprintable()
    assert "\n" not in spelled


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
@settings(derandomize=True, max_examples=100)
def test_a_number_keeps_its_value_and_type(number: float) -> None:
    value = ast.literal_eval(literal(number))
    assert value == number
    assert type(value) is type(number)


@pytest.mark.parametrize("hidden", ["\u200b", "\u202e", "\u3164", "\ufe0f", "\U000e0041", "\u00ad"])
def test_hidden_characters_are_spelled_out(hidden: str) -> None:
    assert hidden not in literal(f"a{hidden}b")
    assert hidden not in docstring(f"a{hidden}b", "")


def test_letters_of_every_script_stay_readable() -> None:
    assert literal("Größe 東京 العربية") == '"Größe 東京 العربية"'


@given(TEXTS)
@settings(derandomize=True, max_examples=300)
def test_a_docstring_is_one_string_with_the_words_of_its_text(text: str) -> None:
    spelled = docstring(text, "    ")
    (statement,) = ast.parse(f"def f():\n    {spelled}\n").body
    assert isinstance(statement, ast.FunctionDef)
    assert len(statement.body) == 1
    found = ast.get_docstring(statement, clean=False)
    assert found is not None
    wanted = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).strip(" \n")
    assert [line.strip(" ") for line in cleandoc(found).strip(" \n").split("\n")] == [
        line.strip(" ") for line in cleandoc(wanted).strip(" \n").split("\n")
    ]


@given(st.lists(TEXTS, min_size=20, max_size=40))
@settings(derandomize=True, max_examples=15, deadline=None)
def test_the_formatter_has_nothing_to_change(texts: list[str]) -> None:
    values = "".join(f"x = {literal(text)}\n" for text in texts)
    methods = "\n".join(
        f"    def f(self):\n        {docstring(text, '        ')}\n"
        for text in ("first", *texts)
        if text.strip(" \r\n\t")
    )
    source = f"{values}\n\nclass C:\n{methods}"
    assert ruff_format(source) == source


@pytest.mark.parametrize("text", ["class", "None", "1a", "a-b", "", "é", "a b", "ﬁ", "a\n"])
def test_what_is_no_name_cannot_become_an_identifier(text: str) -> None:
    with pytest.raises(ValueError, match="no Python name"):
        Identifier(text)


@given(st.lists(st.text(max_size=8), max_size=40))
@settings(derandomize=True, max_examples=60)
def test_names_are_legal_and_given_once(wanted: list[str]) -> None:
    names = Names(frozenset({"Literal"}))
    given_names = [names.give(pascal(each)) for each in wanted]
    assert len({*given_names, "Literal"}) == len(given_names) + 1
    assert all(is_name(each) for each in given_names)
