from __future__ import annotations

import asyncio
import contextlib
import gc
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from example_service import bound, echo, service, streaming, tool
from toolspec.runtime import Call, Context, Outcome, Registry, ToolError, bind_service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from toolspec.runtime.call_options import CallOptions


def chunks(registry: Registry, name: str = "demo_tell", arguments: object = None) -> list[object]:
    async def main() -> list[object]:
        return [chunk async for chunk in registry.stream(name, arguments)]  # type: ignore[arg-type]

    return asyncio.run(main())


def whole(registry: Registry) -> object:
    return asyncio.run(registry.call("demo_tell"))


def answer(registry: Registry, name: str, arguments: dict[str, object]) -> object:
    return asyncio.run(registry.call(name, arguments))


async def reverts(input: object, output: object, metadata: object) -> None:
    raise AssertionError("there is nothing to undo it by")


def giving(*values: object) -> object:
    async def handler(input: object) -> AsyncIterator[object]:
        for value in values:
            yield value

    return handler


@pytest.mark.parametrize(
    ("reduction", "values", "result"),
    [
        ("join", ("a", "b", "c"), "abc"),
        ("join", (), ""),
        ("list", (1, 2), [1, 2]),
        ("list", (), []),
        ("last", ({"n": 1}, {"n": 2}), {"n": 2}),
    ],
)
def test_a_call_returns_the_whole_that_the_chunks_make(
    reduction: str, values: tuple[object, ...], result: object
) -> None:
    registry = bound(streaming(reduction=reduction, chunk_schema="true"), giving(*values))  # type: ignore[arg-type]
    assert chunks(registry) == list(values)
    assert whole(registry) == result


def test_a_stream_without_its_last_chunk_is_an_output_error() -> None:
    registry = bound(streaming(reduction="last", chunk_schema="true"), giving())  # type: ignore[arg-type]
    with pytest.raises(ToolError, match="yielded no chunk") as caught:
        whole(registry)
    assert caught.value.category == "output"


def test_chunks_that_do_not_join_are_an_output_error() -> None:
    registry = bound(streaming(), giving("a", 1), output_check="off")  # type: ignore[arg-type]
    with pytest.raises(ToolError, match="a chunk is not a string"):
        whole(registry)


def test_the_whole_is_checked_against_the_output_schema() -> None:
    registry = bound(streaming(output_schema={"maxLength": 2}), giving("a", "b", "c"))  # type: ignore[arg-type]
    with pytest.raises(ToolError, match="longer than 2") as caught:
        whole(registry)
    assert caught.value.category == "output"


@pytest.mark.parametrize("kept", [{"idempotency": "optional"}, {"verify": True}, {"revert": True}])
def test_what_follows_on_a_stream_sees_no_whole_that_breaks_its_schema(
    kept: dict[str, object],
) -> None:
    seen: list[object] = []

    async def sees(input: object, output: object) -> None:
        seen.append(output)

    definition = streaming(output_schema={"maxLength": 2}, **kept)
    handlers = {"tell": giving("a", "b", "c")}
    handlers |= {f"{each}_tell": sees for each in kept if each == "verify"}
    handlers |= {f"{each}_tell": reverts for each in kept if each == "revert"}
    registry = bind_service(service(definition), handlers)  # type: ignore[arg-type]
    arguments = {"idempotency_key": "k"} if "idempotency" in kept else {}
    for called in (chunks, chunks, answer):
        with pytest.raises(ToolError, match="longer than 2") as caught:
            called(registry, "demo_tell", arguments)
        assert caught.value.category == "output"
    outcomes = asyncio.run(registry.revert_all())
    assert {each.status for each in outcomes} <= {"unknown"}
    assert seen == []


@pytest.mark.parametrize(
    ("reduction", "values", "result"),
    [("join", ("a", "b"), "ab"), ("list", (1, 2), [1, 2]), ("last", (1, 2), 2)],
)
@pytest.mark.parametrize("replaced", [False, True])
def test_a_stream_passes_its_whole_result_to_who_asks_for_it(
    reduction: str, values: tuple[object, ...], result: object, *, replaced: bool
) -> None:
    outcomes: list[Outcome] = []
    wholes: list[object] = []

    async def twice(_: Call, whole: object) -> object:
        return [whole, whole]

    async def note(_: Call, outcome: Outcome) -> None:
        outcomes.append(outcome)

    async def main() -> list[object]:
        registry = bound(streaming(reduction=reduction, chunk_schema="true"), giving(*values))
        registry = registry.with_hooks(after=[twice] if replaced else [], after_response=[note])
        seen = [chunk async for chunk in registry.stream("demo_tell", on_result=wholes.append)]
        await registry.settled()
        assert [chunk async for chunk in registry.stream("demo_tell")] == seen
        await registry.settled()
        return seen

    assert asyncio.run(main()) == list(values)
    expected = [result, result] if replaced else result
    assert wholes == [expected]
    assert [(outcome.status, outcome.result) for outcome in outcomes] == [
        ("ok", expected),
        ("ok", None),
    ]


def test_a_replayed_stream_passes_its_whole_result_too() -> None:
    registry = bound(streaming(idempotency="optional"), giving("a", "b"))
    wholes: list[object] = []

    async def main() -> None:
        for _ in range(2):
            arguments = {"idempotency_key": "k"}
            stream = registry.stream("demo_tell", arguments, on_result=wholes.append)
            assert "".join([str(chunk) async for chunk in stream]) == "ab"

    asyncio.run(main())
    assert wholes == ["ab", "ab"]


@pytest.mark.parametrize(("asks", "reduction"), [(False, "list"), (True, "last")])
def test_a_stream_keeps_no_chunk_that_nobody_needs(*, asks: bool, reduction: str) -> None:
    sizes: list[int] = []
    number = 200

    async def many(_: object) -> AsyncIterator[list[int]]:
        for index in range(number):
            yield [index] * 1_000

    async def main() -> None:
        registry = bound(streaming(reduction=reduction, chunk_schema="true"), many)
        options: CallOptions = {"on_result": lambda _: None} if asks else {}
        stream = registry.stream("demo_tell", **options)
        sizes.extend([tracemalloc.get_traced_memory()[0] async for _ in stream])

    tracemalloc.start()
    try:
        asyncio.run(main())
    finally:
        tracemalloc.stop()
    assert sizes[-1] - sizes[10] < number * 1_000


def test_a_wrong_chunk_is_raised_and_never_yielded() -> None:
    registry = bound(streaming(), giving("a", 7, "c"))  # type: ignore[arg-type]
    got: list[object] = []

    async def main() -> None:
        async for chunk in registry.stream("demo_tell"):
            got.append(chunk)  # noqa: PERF401 - what came before the error is the point

    with pytest.raises(ToolError, match=r"a chunk of `demo_tell`.*is not a string"):
        asyncio.run(main())
    assert got == ["a"]


def test_a_handlers_error_is_raised_after_the_chunks_before_it() -> None:
    async def breaks(input: object) -> AsyncIterator[str]:
        yield "a"
        raise ToolError.rate_limit("slow down", retry_after_ms=100)

    got: list[object] = []

    async def main() -> None:
        async for chunk in bound(streaming(), breaks).stream("demo_tell"):
            got.append(chunk)  # noqa: PERF401 - what came before the error is the point

    with pytest.raises(ToolError) as caught:
        asyncio.run(main())
    assert got == ["a"]
    assert (caught.value.code, caught.value.retry_after_ms) == ("rate_limit", 100)
    assert caught.value.request_id


def test_wrong_arguments_and_unknown_names_are_raised_by_the_iteration() -> None:
    schema = {"type": "object", "required": ["a"]}
    registry = bound(streaming(arguments_schema=schema), giving("a"))  # type: ignore[arg-type]
    for name, category in [("demo_tell", "validation"), ("demo_tel", "not_found")]:
        with pytest.raises(ToolError) as caught:
            chunks(registry, name, {})
        assert caught.value.category == category


def test_a_plain_tool_streams_as_one_item() -> None:
    assert chunks(bound(tool(), echo), "demo_act", {"a": 1}) == [{"a": 1}]


def test_the_handler_runs_no_further_than_its_consumer() -> None:
    made: list[int] = []

    async def counts(input: object) -> AsyncIterator[int]:
        for number in range(10):
            made.append(number)
            yield number

    async def main() -> None:
        registry = bound(streaming(chunk_schema="true"), counts)
        async with contextlib.aclosing(registry.stream("demo_tell")) as stream:
            assert made == []
            async for number in stream:
                for _ in range(5):
                    await asyncio.sleep(0)
                assert made[-1] == number
                if number == 4:
                    break
        assert made == [0, 1, 2, 3, 4]

    asyncio.run(main())


def test_closing_the_iterator_closes_the_handler_and_tells_it() -> None:
    ended: list[object] = []

    async def endless(input: object, ctx: Context) -> AsyncIterator[str]:
        try:
            while True:
                yield "x"
        finally:
            await asyncio.sleep(0)
            ended.append(ctx.cancelled.is_set())

    outcomes: list[Outcome] = []

    async def note(call: Call, outcome: Outcome) -> None:
        outcomes.append(outcome)

    async def main() -> None:
        registry = bound(streaming(), endless).with_hooks(after_response=[note])
        stream = registry.stream("demo_tell")
        assert await anext(stream) == "x"
        await stream.aclose()
        assert ended == [True]
        await registry.settled()

    asyncio.run(main())
    assert [(outcome.status, outcome.error) for outcome in outcomes] == [("cancelled", None)]


def test_leaving_a_loop_closes_the_handler_too() -> None:
    ended: list[str] = []

    async def endless(input: object) -> AsyncIterator[str]:
        try:
            while True:
                yield "x"
        finally:
            ended.append("closed")

    async def main() -> None:
        async for _ in bound(streaming(), endless).stream("demo_tell"):
            break
        gc.collect()
        for _ in range(5):
            await asyncio.sleep(0)
        assert ended == ["closed"]

    asyncio.run(main())


def test_closing_reaches_the_handler_through_middleware() -> None:
    ended: list[str] = []

    async def endless(input: object) -> AsyncIterator[str]:
        try:
            while True:
                yield "x"
        finally:
            ended.append("handler")

    async def louder(call: Call, following: object) -> object:
        inner = await following()  # type: ignore[operator]

        async def stream() -> AsyncIterator[str]:
            async for chunk in inner:
                yield chunk.upper()

        return stream()

    async def main() -> None:
        registry = bound(streaming(), endless).with_hooks(middleware=[louder])
        stream = registry.stream("demo_tell")
        assert await anext(stream) == "X"
        await stream.aclose()
        assert ended == ["handler"]

    asyncio.run(main())


def test_middleware_of_a_stream_has_to_answer_with_a_stream() -> None:
    async def value(call: Call, following: object) -> object:
        return "a whole"

    registry = bound(streaming(), giving("a")).with_hooks(middleware=[value])  # type: ignore[arg-type]
    with pytest.raises(ToolError, match="str is not an async iterator"):
        chunks(registry)


def test_cancelling_the_consumer_closes_the_handler() -> None:
    ended: list[bool] = []
    started = asyncio.Event()

    async def stuck(input: object, ctx: Context) -> AsyncIterator[str]:
        try:
            yield "x"
            started.set()
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def consume(registry: Registry) -> None:
        async for _ in registry.stream("demo_tell"):
            pass

    async def main() -> None:
        task = asyncio.create_task(consume(bound(streaming(), stuck)))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ended == [True]


def test_verification_of_a_stream_happens_after_its_last_chunk() -> None:
    def verify_tell(input: object, output: object) -> bool:
        return output != "ab"

    registry = bind_service(
        service(streaming(verify=True)), {"tell": giving("a", "b"), "verify_tell": verify_tell}
    )
    got: list[object] = []

    async def main() -> None:
        async for chunk in registry.stream("demo_tell"):
            got.append(chunk)  # noqa: PERF401 - what came before the error is the point

    with pytest.raises(ToolError) as caught:
        asyncio.run(main())
    assert got == ["a", "b"]
    assert caught.value.details["output"] == "ab"
