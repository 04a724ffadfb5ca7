"""Idempotency keys: one key, one tool, one caller, one effect."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from example_service import bound, service, streaming, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule
from stepping_loop import run
from toolspec.runtime import Call, Context, Registry, ToolError, bind_service
from toolspec.runtime.controls.limits import Limits, Rate
from toolspec.runtime.controls.policy import Policy, PolicySource, Rule
from toolspec.runtime.stores import DAY, KeyedCall, KeyStore, Lease
from toolspec.runtime.stores.memory import MemoryKeys
from toolspec.runtime.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

SCHEMA = {
    "type": "object",
    "properties": {"idempotency_key": {"type": "string"}, "n": {"type": "integer", "default": 1}},
}


class Shop:
    """A handler that counts what it does, and ends as it is told."""

    def __init__(self, *endings: object) -> None:
        self.done: list[object] = []
        self.endings = list(endings)

    async def __call__(self, input: object) -> object:
        self.done.append(input)
        ending = self.endings.pop(0) if self.endings else f"order {len(self.done)}"
        if isinstance(ending, asyncio.Event):
            await ending.wait()
        if isinstance(ending, BaseException):
            raise ending
        return {"made": str(ending)}


def keyed(handler: Callable[..., object], **fields: object) -> Registry:
    given: dict[str, object] = {"mutation": True, "idempotency": "optional", **fields}
    return bound(tool(arguments_schema=SCHEMA, **given), handler)


async def order(registry: Registry, key: str | None = "k", **options: object) -> object:
    arguments = {"n": options.pop("n", 1)} if key is None else {"idempotency_key": key}
    if "n" in options:
        arguments["n"] = options.pop("n")
    return await registry.call("demo_act", arguments, **options)  # type: ignore[arg-type]


async def code(registry: Registry, key: str = "k", **options: object) -> object:
    """Return the code of the error that an order ends with, or its result."""
    try:
        return await order(registry, key, **options)
    except ToolError as problem:
        return problem.code


def test_a_finished_call_is_replayed_and_nothing_of_it_is_shared() -> None:
    shop = Shop()

    async def main() -> None:
        registry = keyed(shop)
        first = await order(registry)
        assert first == {"made": "order 1"}
        first["made"] = "changed"  # type: ignore[index]
        again = await order(registry)
        assert again == {"made": "order 1"}
        again["made"] = "changed"  # type: ignore[index]
        assert await order(registry, n=1) == {"made": "order 1"}  # its default, spelled out
        assert await order(registry.with_hooks()) == {"made": "order 1"}

    run(main())
    assert shop.done == [{"n": 1}]  # and the key does not reach the handler


def test_a_key_belongs_to_one_tool_and_one_caller() -> None:
    async def main() -> None:
        shop = Shop()
        fields = {"mutation": True, "idempotency": "optional"}
        both = bind_service(
            service(tool("act", **fields), tool("other", **fields)), {"act": shop, "other": shop}
        )
        for caller in (None, "ann", "bob"):
            await order(both, caller=caller)
            await order(both, caller=caller)
        await both.call("demo_other", {"idempotency_key": "k"})
        await order(both, "another")
        assert len(shop.done) == 5

    run(main())


def test_a_call_without_a_key_is_nobody_elses() -> None:
    shop = Shop()
    registry = keyed(shop)
    run(order(registry, None))
    run(order(registry, None))
    assert len(shop.done) == 2


def test_other_arguments_under_a_key_are_a_conflict() -> None:
    shop = Shop()

    async def main() -> None:
        registry = keyed(shop)
        await order(registry)
        with pytest.raises(ToolError) as caught:
            await order(registry, n=2)
        problem = caught.value
        assert (problem.category, problem.code, problem.retryable) == (
            "conflict",
            "key_reused",
            False,
        )

    run(main())
    assert len(shop.done) == 1


def test_a_running_call_is_told_and_replayed_once_it_has_ended() -> None:
    release = asyncio.Event()
    shop = Shop(release)

    async def main() -> None:
        registry = keyed(shop)
        first = asyncio.create_task(order(registry))
        await asyncio.sleep(1)
        with pytest.raises(ToolError) as caught:
            await order(registry)
        problem = caught.value
        assert (problem.code, problem.retryable, problem.retry_after_ms) == (
            "in_progress",
            True,
            1_000,
        )
        release.set()
        assert await first == await order(registry)

    run(main())
    assert len(shop.done) == 1


UNKNOWN: list[tuple[str, object]] = [
    ("an unexpected exception", ValueError("broken")),
    ("a timeout of the handler", ToolError.timeout("too slow")),
    ("an exit", SystemExit(1)),
    ("an internal error", ToolError.internal("broken")),
]
RETRYABLE: list[tuple[str, object]] = [
    ("a rate limit", ToolError.rate_limit("slow down")),
    ("a service that is away", ToolError.unavailable("away")),
    ("a stated retry", ToolError.conflict("busy", retryable=True)),
    ("a stated retry of a timeout", ToolError.timeout("slow", retryable=True)),
]
FINAL: list[tuple[str, ToolError]] = [
    ("not found", ToolError.not_found("no such thing", details={"id": 3})),
    ("a stated end", ToolError.unavailable("gone for good", code="gone", retryable=False)),
]


@pytest.mark.parametrize("ending", [one for _, one in UNKNOWN], ids=[name for name, _ in UNKNOWN])
@pytest.mark.parametrize("idempotent", [False, True])
def test_a_call_that_ended_without_an_answer_is_repeated_only_where_that_is_safe(
    ending: object, idempotent: bool
) -> None:
    shop = Shop(ending)

    async def main() -> None:
        registry = keyed(shop, idempotent=idempotent)
        with pytest.raises(ToolError):
            await order(registry)
        if idempotent:
            assert await order(registry) == {"made": "order 2"}
            assert await order(registry) == {"made": "order 2"}
        else:
            for _ in range(2):
                assert await code(registry) == "outcome_unknown"
            assert await code(registry, n=2) == "key_reused"

    run(main())
    assert len(shop.done) == 1 + idempotent


@pytest.mark.parametrize("way", ["timeout", "cancellation"])
def test_what_was_called_off_has_an_unknown_outcome(way: str) -> None:
    shop = Shop(asyncio.Event())

    async def main() -> None:
        registry = keyed(shop, timeout_total=5.0)
        call = asyncio.create_task(order(registry))
        if way == "cancellation":
            await asyncio.sleep(1)
            call.cancel()
        with pytest.raises((ToolError, asyncio.CancelledError)) as caught:
            await call
        assert not getattr(caught.value, "retryable", False)
        assert await code(registry) == "outcome_unknown"

    run(main())
    assert len(shop.done) == 1


@pytest.mark.parametrize(
    "ending", [one for _, one in RETRYABLE], ids=[name for name, _ in RETRYABLE]
)
def test_a_key_is_free_again_where_the_handler_says_that_a_repeat_may_help(ending: object) -> None:
    shop = Shop(ending)

    async def main() -> None:
        registry = keyed(shop)
        with pytest.raises(ToolError):
            await order(registry)
        assert await order(registry) == {"made": "order 2"}

    run(main())


@pytest.mark.parametrize("ending", [one for _, one in FINAL], ids=[name for name, _ in FINAL])
def test_an_error_that_a_repeat_cannot_change_is_replayed(ending: ToolError) -> None:
    shop = Shop(ending)

    async def main() -> None:
        registry = keyed(shop)
        seen = []
        for request in ("one", "two"):
            with pytest.raises(ToolError) as caught:
                await order(registry, request_id=request)
            assert caught.value.request_id == request
            wire = caught.value.to_wire()["error"]
            assert isinstance(wire, dict)
            seen.append({**wire, "request_id": ""})
        assert seen[0] == seen[1]

    run(main())
    assert len(shop.done) == 1


def test_output_and_verification_errors_are_replayed_too() -> None:
    shop = Shop()

    def verify_act(input: object, output: object) -> bool:
        return False

    async def main() -> None:
        registry = keyed(shop, output_schema={"type": "string"})
        assert [await code(registry) for _ in range(2)] == ["output", "output"]
        definition = tool(idempotency="optional", mutation=True, verify=True)
        checked = bind_service(service(definition), {"act": shop, "verify_act": verify_act})
        assert [await code(checked) for _ in range(2)] == ["verification", "verification"]

    run(main())
    assert len(shop.done) == 2


@pytest.mark.parametrize("stage", ["permission", "approval", "limit", "before", "middleware"])
def test_a_key_is_free_again_where_the_call_did_not_reach_its_handler(stage: str) -> None:
    shop, refusing = Shop(), [True]

    async def before(call: Call) -> None:
        if stage == "before" and refusing:
            raise ToolError.not_found("not now")

    async def middleware(call: Call, following: Callable[[], object]) -> object:
        if stage == "middleware" and refusing:
            raise ValueError("broken")
        return await following()  # type: ignore[misc]

    # The clock of the loop waits for no thread, and plain approvers run in one.
    async def approver(_: object) -> bool:
        return stage != "approval"

    async def approving(_: object) -> bool:
        return True

    async def main() -> None:
        plain = keyed(shop, permissions=(("file", "/a", "write"),), risk=2)
        registry = plain.with_hooks(before=[before], middleware=[middleware])
        off = Rule(mode="off", permission="file:*")
        policy = Policy(sources=(PolicySource(name="test", rules=(off,)),))
        strict = registry.with_controls(approver=approver)
        if stage == "permission":
            strict = strict.with_controls(policy=policy)
        if stage == "limit":
            rate = Rate(calls=1, seconds=3600)
            strict = strict.with_controls(limits=Limits(rates=(rate,)))
            await order(strict, "first")
        with pytest.raises(ToolError):
            await order(strict)
        refusing.clear()
        await order(registry.with_controls(approver=approving))
        assert len(shop.done) == 1 + (stage == "limit")

    run(main())


def test_a_required_key_is_missing_as_an_argument_is() -> None:
    schema = {**SCHEMA, "required": ["idempotency_key"]}
    definition = tool(arguments_schema=schema, idempotency="required", mutation=True)
    with pytest.raises(ToolError) as caught:
        run(bound(definition, Shop()).call("demo_act"))
    assert caught.value.category == "validation"
    assert caught.value.field_errors[0].path == "$.idempotency_key"


# Streams


async def taken(registry: Registry, key: str = "k") -> list[object]:
    return [chunk async for chunk in registry.stream("demo_tell", {"idempotency_key": key})]


@pytest.mark.parametrize(
    ("reduction", "chunks", "replayed", "whole"),
    [
        ("join", ["a", "b"], ["ab"], "ab"),
        ("list", ["a", "b"], ["a", "b"], ["a", "b"]),
        ("list", [], [], []),
        ("last", ["a", "b"], ["b"], "b"),
    ],
)
def test_the_whole_of_a_stream_is_replayed_as_chunks_and_to_a_call(
    reduction: str, chunks: list[str], replayed: list[str], whole: object
) -> None:
    runs: list[object] = []

    async def tells(input: object) -> AsyncIterator[str]:
        runs.append(input)
        for chunk in chunks:
            yield chunk

    async def main() -> None:
        registry = bound(streaming(reduction=reduction, idempotency="optional"), tells)
        assert await taken(registry) == chunks
        assert await taken(registry) == replayed
        assert await registry.call("demo_tell", {"idempotency_key": "k"}) == whole
        assert await registry.call("demo_tell", {"idempotency_key": "other"}) == whole
        assert await taken(registry, "other") == replayed

    run(main())
    assert len(runs) == 2


@pytest.mark.parametrize("deadline", [None, 50.0])
def test_a_stream_that_was_left_has_an_unknown_outcome(deadline: float | None) -> None:
    async def tells(input: object) -> AsyncIterator[str]:
        while True:
            yield "x"

    async def main() -> None:
        registry = bound(streaming(idempotency="optional", timeout_idle=deadline), tells)
        arguments = {"idempotency_key": "k"}
        async with contextlib.aclosing(registry.stream("demo_tell", arguments)) as stream:
            assert await anext(stream) == "x"
            with pytest.raises(ToolError, match="still running"):
                await taken(registry)
        with pytest.raises(ToolError) as caught:
            await taken(registry)
        assert caught.value.code == "outcome_unknown"

    run(main())


# Stores


def fields(known: Lease | KeyedCall) -> object:
    if isinstance(known, Lease):
        return known.key
    return (known.digest, known.ending, known.result, known.error)


class Both(RuleBasedStateMachine):
    """The store in memory and the one in a file give the same answers."""

    keys = st.sampled_from(("a", "b", "c"))
    digests = st.sampled_from(("x", "y"))
    endings = st.sampled_from(
        (
            KeyedCall(digest="x", ending="ok", result={"r": [1, None, "é"]}),
            KeyedCall(digest="x", ending="failed", error={"text": "", "error": {}}),
            KeyedCall(digest="y", ending="unknown"),
            None,
        )
    )

    def __init__(self) -> None:
        super().__init__()
        self.now = 1e9
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name, "store.db")
        self.store = SqliteStore(path, clock=lambda: self.now)
        self.loop = asyncio.new_event_loop()
        self.stores = (MemoryKeys(clock=lambda: self.now), self.store.keys)

    def teardown(self) -> None:
        self.store.close()
        self.loop.close()
        self.folder.cleanup()

    @rule(key=keys, digest=digests, begins=st.booleans(), call=endings, repeats=st.booleans())
    def claim(
        self, key: str, digest: str, begins: bool, call: KeyedCall | None, repeats: bool
    ) -> None:
        """Claim a key, and end its call at once."""
        steps = (self.steps(s, key, digest, begins, call, repeats) for s in self.stores)
        one, other = (self.loop.run_until_complete(each) for each in steps)
        assert one == other

    async def steps(  # noqa: PLR0913, PLR0917 - what was drawn
        self,
        store: KeyStore,
        key: str,
        digest: str,
        begins: bool,
        call: KeyedCall | None,
        repeats: bool,
    ) -> list[object]:
        lease = await store.claim(key, digest, is_repeatable=repeats)
        seen = [fields(lease)]
        if not isinstance(lease, Lease):
            return seen
        seen.append(fields(await store.claim(key, digest, is_repeatable=repeats)))
        other = Lease(key=key, token="other")  # noqa: S106 - of a lease
        seen.append([await store.begin(other), await store.release(other)])
        if begins:
            seen.append(await store.begin(lease))
        seen.append(await (store.settle(lease, call) if call else store.release(lease)))
        return seen

    @rule(seconds=st.sampled_from((1, 30, DAY - 1, DAY)))
    def wait(self, seconds: int) -> None:
        self.now += seconds


TestBoth = Both.TestCase
TestBoth.settings = settings(
    derandomize=True, max_examples=30, stateful_step_count=15, deadline=None
)


# Histories

ATTEMPTS = st.lists(
    st.fixed_dictionaries(
        {
            "at": st.integers(0, 12),
            "key": st.sampled_from("ab"),
            "caller": st.sampled_from((None, "ann")),
            "form": st.sampled_from(("call", "stream")),
            "left_after": st.none() | st.integers(0, 6),
            "ending": st.sampled_from(("ok", "busy", "gone", "broken", "exit", "slow", "stubborn")),
        }
    ),
    max_size=12,
)


class Worker:
    """Ends each call as its attempt says; notes the effect of those that have one."""

    def __init__(self, attempts: list[dict[str, object]]) -> None:
        self.attempts = attempts
        self.effects: list[tuple[object, object]] = []

    async def act(self, input: object, ctx: Context) -> str:
        ending = str(self.attempts[int(ctx.request_id)]["ending"])
        await asyncio.sleep(1)
        if ending == "busy":
            raise ToolError.unavailable("come back")
        self.effects.append((ctx.caller, ctx.idempotency_key))
        if ending == "stubborn":
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(20)
        await asyncio.sleep(20 if ending == "slow" else 1)
        problem = ENDINGS.get(ending)
        if problem is not None:
            raise problem
        return "done"

    async def tell(self, input: object, ctx: Context) -> AsyncIterator[str]:
        yield await self.act(input, ctx)
        yield "!"


ENDINGS = {"gone": ToolError.not_found("gone"), "broken": ValueError(), "exit": SystemExit(1)}


async def attempt(registry: Registry, number: int, one: dict[str, object]) -> list[object]:
    await asyncio.sleep(float(str(one["at"])))
    arguments, request = {"idempotency_key": one["key"]}, str(number)
    caller = None if one["caller"] is None else str(one["caller"])
    left_after = one["left_after"]
    async with asyncio.timeout(None if left_after is None else float(str(left_after))):
        if one["form"] == "call":
            return [await registry.call("demo_act", arguments, caller=caller, request_id=request)]
        chunks = registry.stream("demo_act", arguments, caller=caller, request_id=request)
        async with contextlib.aclosing(chunks):
            return [chunk async for chunk in chunks]


@given(attempts=ATTEMPTS, streams=st.booleans())
@settings(derandomize=True, max_examples=150, deadline=None)
def test_whatever_happens_a_key_has_one_effect(
    attempts: list[dict[str, object]], streams: bool
) -> None:
    """Each attempt starts at its second, may be left after some, and ends in its own way."""
    worker = Worker(attempts)
    fields: dict[str, object] = {
        "mutation": True,
        "idempotency": "required",
        "arguments_schema": SCHEMA,
        "timeout_total": 8.0,
    }
    definition = streaming("act", **fields) if streams else tool(**fields)
    registry = bound(definition, worker.tell if streams else worker.act)

    async def main() -> list[object]:
        every = (attempt(registry, number, one) for number, one in enumerate(attempts))
        answers = await asyncio.gather(*every, return_exceptions=True)
        await asyncio.sleep(100)
        return answers

    answers = run(main())
    assert len(worker.effects) == len(set(worker.effects))
    for answer in answers:
        assert isinstance(answer, (list, ToolError, TimeoutError)), answer


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("after", range(5))
def test_a_claim_that_nobody_waits_for_any_more_is_given_back(
    tmp_path: Path, times: int, after: int
) -> None:
    async def main() -> None:
        shop = Shop()
        store = SqliteStore(tmp_path / "store.db")
        registry = keyed(shop).with_controls(keys=store.keys)
        call = asyncio.create_task(order(registry))
        for _ in range(after):
            await asyncio.sleep(0)
        for _ in range(times):
            call.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await call
        await registry.settled()
        assert shop.done == []
        assert await order(registry) == {"made": "order 1"}
        store.close()

    asyncio.run(main())


def test_a_store_that_fails_after_the_effect_costs_no_result(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Forgetful(MemoryKeys):
        async def settle(self, lease: Lease, call: KeyedCall) -> bool:
            raise ToolError.unavailable("the disk is full")

    shop = Shop()
    registry = keyed(shop).with_controls(keys=Forgetful())
    assert run(order(registry)) == {"made": "order 1"}
    assert "could not be stored" in caplog.text
    assert run(code(registry)) == "in_progress"


def test_a_store_that_fails_before_the_effect_prevents_it() -> None:
    class Away(MemoryKeys):
        async def claim(
            self, key: str, digest: str, *, is_repeatable: bool = False
        ) -> Lease | KeyedCall:
            raise ToolError.unavailable("the disk is away")

    shop = Shop()
    assert run(code(keyed(shop).with_controls(keys=Away()))) == "unavailable"
    assert shop.done == []


def test_the_modules_of_keys_are_loaded_only_where_a_tool_takes_one() -> None:
    program = (
        "import asyncio, sys; from toolspec.runtime import *\n"
        "t = ToolDefinition(name='a', full_name='d_a', method='a')\n"
        "r = bind_service(ServiceDefinition(name='d', tools=(t,)), {'a': lambda input: 1})\n"
        "assert asyncio.run(r.call('d_a')) == 1\n"
        "names = ('keying', 'keys', 'journaling', 'journal', 'deadline', 'revert', 'sqlite')\n"
        "print([n for n in names if f'toolspec.runtime.controls.{n}' in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


def test_answers_that_are_not_kept_are_of_unknown_outcome_and_run_nothing() -> None:
    shop = Shop("a" * 100, "b" * 100, "c" * 1000)
    registry = keyed(shop).with_controls(keys=MemoryKeys(answers=200))

    async def main() -> None:
        for key in ("one", "two"):
            await order(registry, key)
        # The newer of the two is still there, the older made room for it.
        assert await order(registry, "two") == {"made": "b" * 100}
        assert await code_of(registry, "one") == "outcome_unknown"
        # One that is too large for the store is answered to its caller, and kept for nobody.
        assert await order(registry, "three") == {"made": "c" * 1000}
        assert await code_of(registry, "three") == "outcome_unknown"
        assert await order(registry, "two") == {"made": "b" * 100}
        assert await order(registry, "four") == {"made": "order 4"}
        assert await order(registry, "four") == {"made": "order 4"}

    run(main())
    assert len(shop.done) == 4


def test_an_idempotent_tool_whose_answer_is_not_kept_runs_again() -> None:
    shop = Shop()
    registry = keyed(shop, idempotent=True).with_controls(keys=MemoryKeys(answers=1))

    async def main() -> None:
        assert await order(registry) == {"made": "order 1"}
        assert await order(registry) == {"made": "order 2"}

    run(main())


def test_a_new_key_is_refused_where_too_many_are_known() -> None:
    now = 0.0
    shop = Shop()
    registry = keyed(shop).with_controls(keys=MemoryKeys(lambda: now, keys=2))

    async def main() -> None:
        nonlocal now
        for key in ("one", "two"):
            await order(registry, key)
        assert await code_of(registry, "three") == "too_many_keys"
        assert len(shop.done) == 2
        assert await order(registry, "one") == {"made": "order 1"}
        now = DAY + 1.0
        assert await order(registry, "three") == {"made": "order 3"}

    run(main())


async def code_of(registry: Registry, key: str) -> str:
    with pytest.raises(ToolError) as caught:
        await order(registry, key)
    return caught.value.code
