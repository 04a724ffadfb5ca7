"""Positions in a text are the same however many are asked for."""

from __future__ import annotations

import pickle

import pytest
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


def test_released_text_is_read_again_when_it_is_needed() -> None:
    reads: list[str] = []

    def read() -> str:
        reads.append("a.yaml")
        return "first\nsecond\n"

    source = SourceFile("a.yaml", "first\nsecond\n")
    same = SourceFile("a.yaml", "first\nsecond\n")
    span = source.span(6, 12)
    source.release(read)
    assert "text" not in vars(source)
    assert not reads
    assert (span.first, span.text) == (Position(2, 1), "second")
    assert reads
    assert source == same
    assert hash(source) == hash(same)
    assert SourceFile.unread("a.yaml", lambda: "other") != source
    with pytest.raises(AttributeError):
        _ = source.txt  # type: ignore[attr-defined]


def test_a_released_file_keeps_its_lines() -> None:
    source = SourceFile.unread("a.yaml", lambda: "first\nsecond\n")
    assert [source.line(number) for number in (1, 2)] == ["first", "second"]
    assert pickle.loads(pickle.dumps(SourceFile.unread("a", str))).text == ""  # noqa: S301 - ours
