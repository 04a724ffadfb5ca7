"""Positions in a text are the same however many are asked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from toolspec.source import Position, SourceFile


@given(st.text("ab\r\n", max_size=60), st.lists(st.integers(-1, 61), max_size=40))
def test_counted_and_listed_lines_are_the_same(text: str, offsets: list[int]) -> None:
    """The first positions are counted; after some, and for a line by its number, all are listed."""
    source = SourceFile("a.yaml", text)
    lines = text.split("\n")
    for offset in offsets:
        before = text[: max(offset, 0)]
        position = Position(before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
        assert source.position(offset) == position
        assert source.line(position.line) == lines[position.line - 1].removesuffix("\r")


def test_the_lines_of_a_file_of_one_line_are_listed_after_some_positions() -> None:
    """Counting again for each diagnostic of a megabyte would be quadratic."""
    source = SourceFile("a.json", "a" * 100)
    for offset in range(50):
        source.position(offset)
    assert "line_starts" in vars(source)
