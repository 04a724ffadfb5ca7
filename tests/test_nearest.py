"""The nearest known name is the one that `difflib` finds, at less cost."""

from __future__ import annotations

from difflib import SequenceMatcher

from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.diagnostics import Vocabulary
from toolspec.shared.spelling import nearest

WORDS = st.text(alphabet="abcABC_1", max_size=8)


@settings(derandomize=True, max_examples=500, deadline=None)
@given(word=WORDS, known=st.lists(WORDS, max_size=12))
def test_no_known_name_has_a_greater_ratio(word: str, known: list[str]) -> None:
    def ratio(name: str) -> float:
        return SequenceMatcher(None, name.casefold(), word.casefold()).ratio()

    found = nearest(word, known)
    best = max(map(ratio, filter(None, known)), default=0)
    if found:
        assert found in known
        assert ratio(found) == best
    else:
        assert best < 0.6


def test_of_many_names_those_with_the_same_first_letter_are_compared() -> None:
    assert nearest("reed", [*(f"x{n}" for n in range(1_000)), "read"]) == "read"
    assert nearest("eread", [*(f"x{n}" for n in range(1_000)), "read"]) == ""
    assert nearest("reed", [*(f"x{n}" for n in range(100_000)), "read"]) == ""


def test_of_the_unknown_words_of_a_vocabulary_200_are_compared() -> None:
    names = Vocabulary([f"name{letter}" for letter in "abcdefghij"])
    hints = [names.did_you_mean(f"name_{letter}") for letter in "abcdefghij" * 21]
    assert hints[:10] == [f"did you mean `name{letter}`?" for letter in "abcdefghij"]
    assert hints[:200] == hints[:10] * 20
    few = "expected one of `namea`, `nameb`, `namec`, `named`, `namee` and 5 others"
    assert hints[200:] == [few] * 10


def test_of_several_at_one_distance_a_set_always_gives_the_same() -> None:
    """The order of a set depends on the seed of the process."""
    assert nearest("rad", frozenset({"rod", "red", "rid"})) == nearest("rad", ["red", "rid", "rod"])
