from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.shared.whitespace import single_spaced
from toolspec.targets.python.wrapping import attribute

WORDS = st.text(st.sampled_from("ab,é\xa0\t"), min_size=1, max_size=30)
TEXTS = st.lists(st.one_of(WORDS, st.sampled_from([" ", "  ", "\n", "a" * 90])), max_size=40)


@given(st.one_of(TEXTS.map("".join), TEXTS.map(" ".join), st.text()))
@settings(derandomize=True, max_examples=300)
def test_whitespace_is_one_blank(text: str) -> None:
    assert single_spaced(text) == " ".join(text.split())


@given(TEXTS.map(" ".join), st.integers(0, 2))
@settings(derandomize=True, max_examples=300)
def test_lines_are_as_long_as_fits(text: str, depth: int) -> None:
    written = attribute("name", text, depth)
    if not text.split():
        assert written == ""
        return
    assert single_spaced(written) == f"name: {single_spaced(text)}"
    first, *later = written.split("\n")
    assert all(line.startswith(" " * 8) and line[8] != " " for line in later)
    lines = [line.strip(" ") for line in (first, *later)]
    rooms = [84 - 4 * depth] + [80 - 4 * depth] * len(later)
    for line, room in zip(lines, rooms, strict=True):
        assert len(line) <= room or " " not in line
    for (line, following), room in zip(pairwise(lines), rooms, strict=False):
        word = following.partition(" ")[0]
        assert len(f"{line} {word}") > room
