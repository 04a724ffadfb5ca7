"""Generated clients over a registry in process: consent, repeats, streams, and the sync client."""

from __future__ import annotations

import asyncio
import importlib
import logging
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from client_project import make_project
from toolspec.runtime import (
    Call,
    FieldError,
    Outcome,
    Policy,
    PolicySource,
    Portal,
    Question,
    Registry,
    Retries,
    Rule,
    ToolError,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from make_project(tmp_path_factory.mktemp("client"), "made_desk")


@pytest.fixture
def desk(folder: Path) -> Any:
    assert folder.is_dir()
    return importlib.import_module("made_desk.desk")


@pytest.fixture
def handlers() -> Any:
    from desk_handlers import Desk

    return Desk()


@pytest.fixture
def registry(desk: Any, handlers: Any) -> Registry:
    made: Registry = desk.bind(handlers)
    return made


class Pauses:
    """Notes for how long a client would have waited."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)

    def retries(self, **fields: Any) -> Retries:
        return Retries(sleep=self.sleep, random=lambda: 0.0, **fields)


class Broken:
    """A transport that fails as it is told to, then answers with a number."""

    def __init__(self, *errors: ToolError) -> None:
        self.errors = list(errors)
        self.sent: list[dict[str, object]] = []
        self.carried: list[Any] = []

    async def call(self, name: str, arguments: Any, /, **carried: Any) -> object:
        self.sent.append(dict(arguments))
        self.carried.append(carried)
        if self.errors:
            raise self.errors.pop(0)
        return 1

    async def stream(self, name: str, arguments: Any, /, **carried: Any) -> AsyncIterator[object]:
        yield await self.call(name, arguments, **carried)
        if self.errors:
            raise self.errors.pop(0)


def policy(mode: Any, tool: str = "*") -> Policy:
    return Policy(sources=(PolicySource(name="mine", rules=(Rule(mode=mode, tool=tool),)),))


def busy(**options: Any) -> ToolError:
    return ToolError.unavailable("not now", **options)


def test_what_reads_runs_freely(desk: Any, registry: Registry) -> None:
    client = desk.DeskClient(registry)
    assert asyncio.run(client.look({"what": "pen"})) == {"seen": "pen"}
    assert asyncio.run(client.ask("why")) == "WHY"
    assert asyncio.run(client.find_v1_0_0()) == 1
    assert asyncio.run(client.find_v2_0_0()) == [1, 2]


def test_with_nobody_to_ask_nothing_is_sent(desk: Any) -> None:
    transport = Broken()
    client = desk.DeskClient(transport)
    with pytest.raises(ToolError) as refused:
        asyncio.run(client.throw_away({"what": "bin"}))
    assert (refused.value.category, refused.value.code) == ("permission", "approval_required")
    assert refused.value.request_id
    assert "approver" in refused.value.details["hint"]
    assert transport.sent == []


@pytest.mark.parametrize("answer", [False, None, "maybe", RuntimeError, SystemExit])
def test_only_a_yes_is_a_yes(desk: Any, answer: Any) -> None:
    def approver(question: Question) -> Any:
        if isinstance(answer, type):
            raise answer
        return answer

    transport = Broken()
    client = desk.DeskClient(transport, approver=approver)
    with pytest.raises(ToolError) as refused:
        asyncio.run(client.throw_away({"what": "bin"}))
    assert refused.value.code == "refused"
    assert transport.sent == []


def test_a_yes_travels_and_nobody_is_asked_again(desk: Any, registry: Registry) -> None:
    asked: list[Question] = []

    async def approver(question: Question) -> bool:
        asked.append(question)
        return True

    def never(question: Question) -> bool:
        raise AssertionError("the registry asked again")

    client = desk.DeskClient(registry.with_controls(approver=never), approver=approver)
    assert asyncio.run(client.throw_away({"what": "bin"})) is True
    (question,) = asked
    assert question.tool.full_name == "desk_throwAway"
    assert question.arguments == {"what": "bin"}
    assert question.choices == ("once",)


def test_nobody_is_asked_about_wrong_arguments(desk: Any, registry: Registry) -> None:
    asked: list[Question] = []
    client = desk.DeskClient(registry, approver=asked.append)
    with pytest.raises(ToolError) as wrong:
        asyncio.run(client.throw_away({"wat": "bin"}))
    assert wrong.value.category == "validation"
    with pytest.raises(ToolError) as none:
        asyncio.run(client.throw_away({"what": {1, 2}}))
    (field,) = none.value.field_errors
    assert isinstance(field, FieldError)
    assert field.path == "$.what"
    assert asked == []


def test_what_changes_nothing_for_good_may_be_allowed_for_longer(desk: Any) -> None:
    transport, asked = Broken(), 0

    def approver(question: Question) -> Any:
        nonlocal asked
        asked += 1
        return question.choices[-1]

    client = desk.DeskClient(transport, approver=approver)
    for _ in range(3):
        asyncio.run(client.move({"what": "lamp"}))
        asyncio.run(client.throw_away({"what": "bin"}))
    assert asked == 1 + 3


def test_a_rule_decides_without_asking(desk: Any, registry: Registry) -> None:
    allowed = desk.DeskClient(registry, policy=policy("auto"))
    assert asyncio.run(allowed.throw_away({"what": "bin"})) is True
    forbidden = desk.DeskClient(
        registry, policy=policy("off", "desk_look"), approver=lambda _: True
    )
    with pytest.raises(ToolError) as refused:
        asyncio.run(forbidden.look({"what": "pen"}))
    assert refused.value.code == "forbidden"
    with pytest.raises(ValueError, match="mode"):
        desk.DeskClient(registry, policy=policy("perhaps"))
    with pytest.raises(TypeError, match="aprover"):
        desk.DeskClient(registry, aprover=None)


def test_a_call_that_may_be_repeated_is(desk: Any) -> None:
    pauses = Pauses()
    transport = Broken(busy(), busy(retry_after_ms=2000), ToolError("connection_lost", "gone"))
    client = desk.DeskClient(transport, retries=pauses.retries())
    assert asyncio.run(client.look({"what": "pen"})) == 1
    assert pauses.seconds == [0.25, 2.5, 1.0]


def test_chance_shortens_a_pause(desk: Any) -> None:
    pauses = Pauses()
    retries = Retries(sleep=pauses.sleep, random=lambda: 1.0, first=8.0)
    client = desk.DeskClient(Broken(busy(), busy()), retries=retries)
    assert asyncio.run(client.look({"what": "pen"})) == 1
    assert pauses.seconds == [4.0, 4.0]


def test_a_time_to_come_back_that_has_passed_shortens_no_pause() -> None:
    retries = Retries(random=lambda: 0.0)
    assert retries.pause(busy(retry_after_ms=-10_000), 0) == retries.pause(busy(), 0) == 0.25


@pytest.mark.parametrize(
    "error",
    [
        ToolError.not_found("no"),
        ToolError.timeout("late", retryable=False),
        busy(retryable=False),
        busy(retry_after_ms=61_000),
    ],
)
def test_what_no_repeat_can_help_is_told_at_once(desk: Any, error: ToolError) -> None:
    pauses, transport = Pauses(), Broken(error)
    client = desk.DeskClient(transport, retries=pauses.retries())
    with pytest.raises(ToolError) as told:
        asyncio.run(client.look({"what": "pen"}))
    assert told.value is error
    assert len(transport.sent) == 1


def test_three_repeats_and_no_more(desk: Any) -> None:
    pauses, transport = Pauses(), Broken(*(busy() for _ in range(9)))
    client = desk.DeskClient(transport, retries=pauses.retries())
    with pytest.raises(ToolError):
        asyncio.run(client.look({"what": "pen"}))
    assert len(transport.sent) == 4


def test_each_repeat_is_given_what_the_first_was(desk: Any, handlers: Any) -> None:
    seen: list[Any] = []

    async def list_(input: Any) -> Any:
        seen.append(dict(input))
        input["left"] = True
        if len(seen) == 1:
            raise busy()
        return [1]

    handlers.list_ = list_
    registry = desk.bind(handlers).with_controls(copies=False)
    client = desk.DeskClient(registry, retries=Pauses().retries())
    assert asyncio.run(client.list_()) == [1]
    assert seen == [{}, {}]


def test_what_could_happen_twice_is_never_repeated(desk: Any) -> None:
    transport = Broken(busy())
    client = desk.DeskClient(transport, approver=lambda _: True, retries=Pauses().retries())
    with pytest.raises(ToolError):
        asyncio.run(client.throw_away({"what": "bin"}))
    assert len(transport.sent) == 1


def test_a_key_is_made_up_and_kept_for_every_repeat(desk: Any) -> None:
    transport = Broken(busy(), busy())
    client = desk.DeskClient(transport, approver=lambda _: True, retries=Pauses().retries())
    asyncio.run(client.pay({"amount": 5}))
    asyncio.run(client.pay({"amount": 5}))
    asyncio.run(client.pay({"amount": 5}, idempotency_key="mine"))
    keys = [sent["idempotency_key"] for sent in transport.sent]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert keys[4] == "mine"
    # Each repeat has a yes of its own: in process, one is used up by its call.
    yeses = [carried["approval"] for carried in transport.carried]
    assert len({id(one) for one in yeses}) == len(yeses)


def gone(code: str) -> ToolError:
    return ToolError.unavailable("gone", code=code, retryable=code != "connection_lost")


@pytest.mark.parametrize(
    ("errors", "code"),
    [
        (("connection_lost",), "connection_lost"),
        (("connection_lost", "unreachable"), "unreachable"),
        (("unreachable", "connection_lost", "in_progress"), "in_progress"),
    ],
)
def test_a_call_that_was_lost_once_may_have_had_its_effect(
    desk: Any, errors: tuple[str, ...], code: str
) -> None:
    retries = Retries(times=len(errors) - 1, sleep=Pauses().sleep)
    client = desk.DeskClient(Broken(*map(gone, errors)), approver=lambda _: True, retries=retries)
    with pytest.raises(ToolError) as lost:
        asyncio.run(client.pay({"amount": 5}, idempotency_key="mine"))
    assert (lost.value.code, lost.value.retryable) == (code, False)
    assert lost.value.details == {"effect": "unknown", "idempotency_key": "mine"}


@pytest.mark.parametrize("errors", [("unreachable",), ("connection_lost", "refused")])
def test_an_answer_about_the_call_stays_as_it_is(desk: Any, errors: tuple[str, ...]) -> None:
    last = ToolError.permission("no", code="refused") if "refused" in errors else gone(errors[0])
    retries = Retries(times=len(errors) - 1, sleep=Pauses().sleep)
    transport = Broken(*map(gone, errors[:-1]), last)
    client = desk.DeskClient(transport, approver=lambda _: True, retries=retries)
    with pytest.raises(ToolError) as told:
        asyncio.run(client.pay({"amount": 5}))
    assert told.value is last


def test_a_keyed_call_is_repeated_with_its_yes(desk: Any, registry: Registry) -> None:
    client = desk.DeskClient(registry, approver=lambda _: True, retries=Pauses().retries())
    assert asyncio.run(client.pay({"amount": 5})) == {"paid": 5, "calls": 3}


def test_a_stream_is_repeated_until_it_has_begun(desk: Any) -> None:
    async def taken(transport: Broken) -> list[object]:
        client = desk.DeskClient(transport, retries=Pauses().retries())
        return [chunk async for chunk in client.endless()]

    assert asyncio.run(taken(Broken(busy(), busy()))) == [1]
    transport = Late(busy())
    with pytest.raises(ToolError):
        asyncio.run(taken(transport))
    assert len(transport.sent) == 1


class Late(Broken):
    """A transport that fails after its first chunk."""

    async def stream(self, name: str, arguments: Any, /, **carried: Any) -> AsyncIterator[object]:
        self.sent.append(dict(arguments))
        yield 1
        raise self.errors.pop(0)


def test_the_open_world_has_a_log_of_its_own(
    desk: Any, registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    client = desk.DeskClient(registry, approver=lambda _: True)
    with caplog.at_level(logging.INFO, "toolspec.open_world"):
        asyncio.run(client.look({"what": "pen"}))
        asyncio.run(client.throw_away({"what": "s3cret"}))
        with pytest.raises(ToolError):
            asyncio.run(client.fail())
    records = [each for each in caplog.records if each.name == "toolspec.open_world"]
    assert [(each.tool, each.outcome) for each in records] == [  # type: ignore[attr-defined]
        ("desk_throwAway", "ok"),
        ("desk_fail", "internal"),
    ]
    assert all(len(each.digest) == 64 and each.request_id for each in records)  # type: ignore[attr-defined]
    assert "s3cret" not in "".join(each.getMessage() for each in records)


def test_a_stream_as_iterator_and_by_callback(desk: Any, registry: Registry) -> None:
    client, told = desk.DeskClient(registry), []

    async def slow(chunk: str) -> None:
        await asyncio.sleep(0)
        told.append(chunk)

    async def use() -> None:
        assert [word async for word in client.tell({"words": 2})] == ["w0 ", "w1 "]
        await client.tell_with_callback({"words": 2}, on_chunk=slow, on_complete=told.append)
        assert told == ["w0 ", "w1 ", "w0 w1 "]
        told.clear()
        await client.tell_with_callback(
            {"word": 2}, on_chunk=slow, on_complete=told.append, on_error=told.append
        )
        (error,) = told
        assert error.category == "validation"
        with pytest.raises(ToolError):
            await client.tell_with_callback({"word": 2}, on_chunk=slow)
        with pytest.raises(KeyError):
            await client.tell_with_callback(on_chunk=lambda _: {}["no"])

    asyncio.run(use())


def test_a_stream_runs_no_further_than_it_is_read(
    desk: Any, registry: Registry, handlers: Any
) -> None:
    with desk.DeskSyncClient(registry) as client:
        stream = client.endless()
        assert [next(stream) for _ in range(3)] == [0, 1, 2]
        assert handlers.yielded == 2
        stream.close()
        assert handlers.over == ["endless"]


def test_progress_reaches_its_listener(desk: Any, registry: Registry) -> None:
    reports: list[Any] = []
    client = desk.DeskClient(registry, on_progress=reports.append)
    assert asyncio.run(client.count()) == 3
    assert [each.message for each in reports] == ["at 1", "at 2", "at 3"]


@pytest.mark.parametrize("kind", ["DeskClient", "DeskSyncClient"])
def test_a_listener_that_is_async_is_refused_with_the_client(
    desk: Any, registry: Registry, kind: str
) -> None:
    async def listen(report: object) -> None: ...

    with pytest.raises(TypeError, match="`on_progress` is async"):
        getattr(desk, kind)(registry, on_progress=listen)


def test_the_sync_client_of_a_tool_called_close(desk: Any, registry: Registry) -> None:
    client = desk.DeskSyncClient(registry, approver=lambda _: True)
    assert client.close() is True
    assert client.look({"what": "pen"}) == {"seen": "pen"}
    client.close2()
    client.close2()
    assert not [each for each in threading.enumerate() if each.name == "toolspec-client"]
    with pytest.raises(RuntimeError, match="closed"):
        client.look({"what": "pen"})


def test_no_thread_before_the_first_call(desk: Any, registry: Registry) -> None:
    before = threading.active_count()
    with desk.DeskSyncClient(registry):
        assert threading.active_count() == before


def test_clients_share_a_portal(desk: Any, registry: Registry) -> None:
    with Portal() as portal:
        one = desk.DeskSyncClient(registry, portal=portal)
        with desk.DeskSyncClient(registry, portal=portal) as other:
            assert other.look({"what": "a"}) == {"seen": "a"}
        assert one.look({"what": "b"}) == {"seen": "b"}


def test_closing_lets_hooks_end_that_run_beside_the_answer(desk: Any, registry: Registry) -> None:
    ended: list[str] = []

    async def slow(call: Call, outcome: Outcome) -> None:
        await asyncio.sleep(0.05)
        ended.append(outcome.status)

    with desk.DeskSyncClient(registry.with_hooks(after_response=[slow])) as client:
        client.look({"what": "pen"})
    assert ended == ["ok"]


def test_an_approver_that_never_answers_is_a_refusal(desk: Any, registry: Registry) -> None:
    async def never(question: Question) -> bool:
        await asyncio.sleep(3600)
        return True

    client = desk.DeskClient(registry, approver=never, approval=0.01)
    with pytest.raises(ToolError, match=r"did not answer within 0\.01 s") as caught:
        asyncio.run(client.throw_away({"what": "bin"}))
    assert (caught.value.category, caught.value.code) == ("permission", "refused")
    with pytest.raises(ValueError, match="`approval` is 0"):
        desk.DeskClient(registry, approval=0)


def test_a_plain_approver_may_use_its_client(desk: Any, registry: Registry) -> None:
    def approver(question: Question) -> bool:
        return bool(client.look({"what": "pen"}))

    with desk.DeskSyncClient(registry, approver=approver) as client:
        assert client.throw_away({"what": "bin"}) is True


def test_an_approver_may_not_wait_for_its_own_thread(desk: Any, registry: Registry) -> None:
    problems: list[Exception] = []

    async def approver(question: Question) -> bool:
        try:
            client.look({"what": "pen"})
        except RuntimeError as problem:
            problems.append(problem)
        return True

    with desk.DeskSyncClient(registry, approver=approver) as client:
        assert client.throw_away({"what": "bin"}) is True
    assert "own thread" in str(problems[0])


def test_many_threads_use_one_client(desk: Any, registry: Registry) -> None:
    results: list[Any] = []
    with desk.DeskSyncClient(registry) as client:

        def use(name: str) -> None:
            results.append(client.look({"what": name})["seen"])

        threads = [threading.Thread(target=use, args=(str(number),)) for number in range(20)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    assert sorted(results, key=int) == [str(number) for number in range(20)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("streams", [False, True])
def test_an_interrupt_cancels_the_call(
    desk: Any, registry: Registry, handlers: Any, streams: bool
) -> None:
    begun = threading.Event()

    async def wait(input: Any) -> Any:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            handlers.over.append("wait")

    async def endless(input: Any) -> Any:
        yield await wait(input)

    handlers.wait, handlers.endless = wait, endless
    main = threading.main_thread().ident
    assert main is not None
    interrupted = threading.Thread(
        target=lambda: (begun.wait(), signal.pthread_kill(main, signal.SIGINT))
    )
    interrupted.start()
    with desk.DeskSyncClient(registry) as client:
        work = (lambda: next(client.endless())) if streams else (lambda: client.wait({}))
        with pytest.raises(KeyboardInterrupt):
            work()
    interrupted.join()
    assert handlers.over == ["wait"]
