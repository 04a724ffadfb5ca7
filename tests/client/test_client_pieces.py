"""Chunks beside a whole: what is kept of them is bounded, and they are held against the whole."""

from __future__ import annotations

import asyncio

import pytest
from toolspec.runtime.definition import ToolDefinition
from toolspec.runtime.errors import ToolError
from toolspec.serving.client import chunks
from toolspec.serving.client.chunks import ChunkCollector
from toolspec.syntax.nodes import JsonValue


def streaming(reduction: str) -> ToolDefinition:
    return ToolDefinition(
        name="t",
        full_name="t",
        method="t",
        streaming=True,
        reduction=reduction,  # type: ignore[arg-type]  # one of them
    )


async def taken(told: ChunkCollector, *texts: str) -> list[JsonValue]:
    for number, text in enumerate(texts):
        await told.listen(number, None, text)
    told.end(None)
    return [each async for each in told.coming()]


@pytest.mark.parametrize(
    ("reduction", "texts", "whole", "missing"),
    [
        ("join", ("añ", "", "b"), "añbc", ["c"]),
        ("join", ("añ", "b"), "añb", []),
        ("list", ("1", '{"b":1,"a":[]}'), [1, {"a": [], "b": 1}, 3], [3]),
        ("list", ('"x"', "no json"), ["x"], []),
        ("last", ("1", "2"), 2, []),
        ("last", ("1", "2"), 3, [3]),
        ("list", (), [1], [1]),
    ],
)
def test_the_rest_of_a_whole_is_what_did_not_come(
    reduction: str, texts: tuple[str, ...], whole: JsonValue, missing: list[JsonValue]
) -> None:
    told = ChunkCollector(streaming(reduction), None)
    asyncio.run(taken(told, *texts))
    assert told.missing(whole) == missing


@pytest.mark.parametrize(
    ("reduction", "texts", "whole"),
    [
        ("join", ("ab",), "a"),
        ("join", ("ab",), "xb"),
        ("list", ("1", "2"), [1]),
        ("list", ("1", "2"), [2, 1]),
        ("list", ('"a\\nb"',), ["a", "b"]),
        ("join", ("a",), ["a"]),
    ],
)
def test_chunks_that_do_not_make_the_whole_are_told(
    reduction: str, texts: tuple[str, ...], whole: JsonValue
) -> None:
    told = ChunkCollector(streaming(reduction), None)
    asyncio.run(taken(told, *texts))
    if reduction == "join" and not isinstance(whole, str):
        assert told.missing(whole) == [whole]
        return
    with pytest.raises(ToolError) as mismatch:
        told.missing(whole)
    assert mismatch.value.code == "stream_mismatch"


def test_what_nobody_takes_ends_the_stream_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_WAITING", 1000)
    told = ChunkCollector(streaming("join"), None)

    async def flooded() -> None:
        for number in range(10_000):
            await told.listen(number, None, "x" * 100)
        assert told._waiting.qsize() == 6
        told.end(None)
        async for _ in told.coming():
            pass

    with pytest.raises(ToolError) as flood:
        asyncio.run(flooded())
    assert flood.value.code == "too_many_chunks"


def test_what_is_taken_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MOST_WAITING", 1000)
    told = ChunkCollector(streaming("join"), None)

    async def steady() -> None:
        coming = told.coming()
        for number in range(100):
            await told.listen(number, None, "x" * 500)
            assert await anext(coming) == "x" * 500

    asyncio.run(steady())
    assert told.missing("x" * 50_000) == []
