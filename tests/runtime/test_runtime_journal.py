"""The journal of revertible tools, and undoing what it knows."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest
from example_service import bound, service, streaming, tool
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from stepping_loop import now, run
from toolspec.runtime import Call, Context, Registry, ToolError, bind_service
from toolspec.runtime.stores import MAX_ENTRIES, Entry, StoreOptions
from toolspec.runtime.stores.memory import MemoryJournal
from toolspec.runtime.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from toolspec.runtime.stores import Journal, StoreOptions
    from toolspec.shared.json_values import JsonObject, JsonValue


class Shelf:
    """Handlers that put things on a shelf, and take them down again."""

    def __init__(self) -> None:
        self.things: list[object] = []
        self.reverts: list[tuple[object, ...]] = []
        self.raises: dict[object, BaseException] = {}
        self.reasons: dict[object, object] = {}

    async def act(self, input: dict[str, object], ctx: Context) -> object:
        name = input.get("name")
        problem = self.raises.get(name)
        if problem is not None:
            raise problem
        self.things.append(name)
        ctx.metadata["place"] = len(self.things)
        return {"put": name}

    async def revert_act(
        self, input: object, output: object, metadata: object, ctx: Context
    ) -> object:
        self.reverts.append((input, output, metadata, ctx.caller))
        name = input["name"]  # type: ignore[index]
        reason = self.reasons.get(name)
        if isinstance(reason, BaseException):
            raise reason
        if reason is None:
            self.things.remove(name)
        return reason


def registry_of(shelf: Shelf, **fields: object) -> Registry:
    given: dict[str, object] = {"mutation": True, "revert": True, **fields}
    return bind_service(service(tool(**given)), shelf)


async def put(registry: Registry, *names: str, **options: object) -> None:
    for name in names:
        await registry.call("demo_act", {"name": name}, **options)  # type: ignore[arg-type]


def test_the_last_call_is_undone_and_then_the_one_before(journal: Journal) -> None:
    shelf = Shelf()

    async def main() -> None:
        registry = registry_of(shelf).with_controls(journal=journal)
        await put(registry, "a", "b", caller="ann")
        for left in (["a"], []):
            outcome = await registry.revert_last()
            assert outcome is not None
            assert (outcome.tool, outcome.status, outcome.message) == ("demo_act", "reverted", "")
            assert shelf.things == left
        assert await registry.revert_last() is None

    asyncio.run(main())
    assert shelf.reverts[0] == ({"name": "b"}, {"put": "b"}, {"place": 2}, "ann")


def test_all_are_undone_newest_first_and_a_failure_keeps_no_other_back(journal: Journal) -> None:
    shelf = Shelf()
    shelf.reasons = {
        "b": "somebody needs it",
        "c": ToolError.not_found("it has gone"),
        "d": ValueError("secret"),
        "e": SystemExit(1),
        "f": False,
    }

    async def main() -> None:
        registry = registry_of(shelf).with_controls(journal=journal)
        await put(registry, *"abcdefg")
        outcomes = await registry.revert_all()
        assert [one.status for one in outcomes] == ["reverted", *["failed"] * 5, "reverted"]
        assert [one.message for one in outcomes[4:6]] == ["it has gone", "somebody needs it"]
        assert "secret" not in repr(outcomes)
        assert [each[0] for each in shelf.reverts] == [{"name": name} for name in "gfedcba"]
        assert shelf.things == list("bcdef")
        shelf.reasons.clear()
        shelf.reverts.clear()
        assert [one.status for one in await registry.revert_all()] == ["reverted"] * 5
        assert [each[0] for each in shelf.reverts] == [{"name": name} for name in "fedcb"]
        assert await registry.revert_all() == ()

    asyncio.run(main())


def test_a_caller_undoes_only_what_is_theirs(journal: Journal) -> None:
    shelf = Shelf()

    async def main() -> None:
        registry = registry_of(shelf).with_controls(journal=journal)
        await put(registry, "a", caller="ann")
        await put(registry, "b", caller="bob")
        await put(registry, "c")
        assert await registry.revert_last(caller="carl") is None
        await registry.revert_last(caller="ann")
        assert shelf.things == ["b", "c"]
        await registry.revert_all(caller="bob")
        assert shelf.things == ["c"]

    asyncio.run(main())


@pytest.mark.parametrize(
    "problem",
    [
        ToolError.not_found("no shelf"),
        ToolError.timeout("slow"),
        ValueError("broken"),
        SystemExit(1),
        asyncio.CancelledError(),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_what_never_finished_is_told_once_and_passed_over(
    journal: Journal, problem: BaseException
) -> None:
    shelf = Shelf()
    shelf.raises = {"b": problem}

    async def main() -> None:
        registry = registry_of(shelf).with_controls(journal=journal)
        await put(registry, "a")
        with pytest.raises((ToolError, asyncio.CancelledError)):
            await put(registry, "b")
        first, second = await registry.revert_last(), await registry.revert_last()
        assert first is not None
        assert second is not None
        assert (first.status, second.status) == ("unknown", "reverted")
        assert "has not finished" in first.message
        assert [one.status for one in await registry.revert_all()] == ["unknown"]

    asyncio.run(main())
    assert shelf.things == []


def test_a_handler_may_say_that_nothing_has_happened(journal: Journal) -> None:
    shelf = Shelf()
    shelf.raises = {"b": ToolError.not_found("no shelf", details={"effect": "none"})}

    async def main() -> None:
        registry = registry_of(shelf).with_controls(journal=journal)
        with pytest.raises(ToolError):
            await put(registry, "b")
        assert await registry.revert_last() is None

    asyncio.run(main())


def test_what_never_reached_its_handler_leaves_no_entry(journal: Journal) -> None:
    shelf = Shelf()

    async def cached(call: Call, following: object) -> object:
        return {"put": "from a cache"}

    async def main() -> None:
        registry = registry_of(shelf, risk=2).with_controls(journal=journal)
        with pytest.raises(ToolError):
            await put(registry.with_controls(approver=lambda _: False), "a")
        answering = registry.with_controls(approver=lambda _: True)
        await put(answering.with_hooks(middleware=[cached]), "a")
        assert await journal.entries() == []

    asyncio.run(main())
    assert shelf.things == []


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("after", range(5))
def test_an_entry_whose_call_was_cancelled_meanwhile_is_taken_back(
    tmp_path: Path, times: int, after: int
) -> None:
    async def main() -> None:
        shelf = Shelf()
        store = SqliteStore(tmp_path / "store.db")
        registry = registry_of(shelf).with_controls(journal=store.journal)
        call = asyncio.create_task(put(registry, "a"))
        for _ in range(after):
            await asyncio.sleep(0)
        for _ in range(times):
            call.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await call
        await registry.settled()
        assert (shelf.things, await store.journal.entries()) == ([], [])
        store.close()

    asyncio.run(main())


def test_an_entry_is_begun_before_the_handler_and_finished_before_verify() -> None:
    states: list[str] = []
    journal = MemoryJournal()

    async def look(where: str) -> None:
        states.extend(f"{where}: {entry.state}" for entry in await journal.entries())

    async def act(input: object) -> str:
        await look("handler")
        return "done"

    async def verify_act(input: object, output: object) -> bool:
        await look("verify")
        return False

    def revert_act(input: object, output: object, metadata: object) -> None:
        states.append(f"revert: {output}")

    async def main() -> None:
        definition = tool(mutation=True, revert=True, verify=True)
        handlers = {"act": act, "verify_act": verify_act, "revert_act": revert_act}
        registry = bind_service(service(definition), handlers).with_controls(journal=journal)
        with pytest.raises(ToolError):
            await registry.call("demo_act")
        await registry.revert_last()

    run(main())
    assert states == ["handler: begun", "verify: done", "revert: done"]


def test_the_input_in_the_journal_is_what_the_handler_was_given() -> None:
    journal = MemoryJournal()

    async def changes(input: dict[str, object]) -> dict[str, object]:
        input["name"] = "changed"
        return input

    async def main() -> None:
        handlers = {"act": changes, "revert_act": lambda input, output, metadata: None}
        registry = bind_service(service(tool(revert=True, mutation=True)), handlers)
        await put(registry.with_controls(journal=journal), "a")
        (entry,) = await journal.entries()
        assert entry.input == {"name": "a"}
        assert entry.output == {"name": "changed"}

    run(main())


def test_a_stream_is_journaled_with_its_whole() -> None:
    journal = MemoryJournal()

    async def tells(input: object, ctx: Context) -> AsyncIterator[str]:
        ctx.metadata["n"] = 2
        yield "a"
        yield "b"

    def revert_tell(input: object, output: object, metadata: object) -> str:
        return f"{output} {metadata}"

    async def main() -> None:
        definition = streaming(mutation=True, revert=True)
        handlers = {"tell": tells, "revert_tell": revert_tell}
        registry = bind_service(service(definition), handlers).with_controls(journal=journal)
        assert [chunk async for chunk in registry.stream("demo_tell")] == ["a", "b"]
        assert await registry.call("demo_tell") == "ab"
        outcomes = await registry.revert_all()
        assert [one.message for one in outcomes] == ["ab {'n': 2}"] * 2
        async with contextlib.aclosing(registry.stream("demo_tell")) as stream:
            await anext(stream)
        assert [entry.state for entry in await journal.entries()] == ["begun", "done", "done"]

    run(main())


def test_a_revert_has_the_tools_timeouts_and_a_context_of_its_own() -> None:
    seen: list[Context] = []

    async def act(input: object, ctx: Context) -> None:
        seen.append(ctx)

    async def revert_act(input: object, output: object, metadata: object, ctx: Context) -> None:
        seen.append(ctx)
        await asyncio.sleep(60)

    async def main() -> None:
        definition = tool(mutation=True, revert=True, timeout_total=5.0)
        registry = bind_service(service(definition), {"act": act, "revert_act": revert_act})
        await registry.call("demo_act", request_id="first")
        outcome = await registry.revert_last()
        assert outcome is not None
        assert (outcome.status, now()) == ("unknown", 5)
        assert outcome.message == "`demo_act` took longer than 5 s"
        assert seen[0] is not seen[1]
        assert seen[1].request_id != "first"
        assert [one.status for one in await registry.revert_all()] == ["unknown"]

    run(main())


def test_an_entry_of_a_version_is_undone_by_that_version_or_not_at_all() -> None:
    journal = MemoryJournal()
    undone: list[str] = []

    def handlers(name: str) -> dict[str, object]:
        return {
            name: lambda input: None,
            f"revert_{name}": lambda input, output, metadata: undone.append(name),
        }

    async def main() -> None:
        fields: dict[str, object] = {"mutation": True, "revert": True, "full_name": "demo_act"}
        old = tool("old", **fields, version="1.0.0")
        new = tool("new", **fields, version="2.0.0")
        both = bind_service(service(old, new), {**handlers("old"), **handlers("new")})
        first = both.with_controls(journal=journal)
        await first.call("demo_act@1.0.0")
        await first.call("demo_act")
        assert {one.status for one in await first.revert_all()} == {"reverted"}
        await first.call("demo_act@1.0.0")
        later = bind_service(service(new), handlers("new")).with_controls(journal=journal)
        (outcome,) = await later.revert_all()
        assert (outcome.status, outcome.tool) == ("failed", "demo_act@1.0.0")
        assert "no tool `demo_act@1.0.0` can revert it here" in outcome.message

    run(main())
    assert undone == ["new", "old"]


def test_two_reverts_at_once_undo_nothing_twice() -> None:
    shelf = Shelf()

    async def main() -> None:
        registry = registry_of(shelf)
        await put(registry, *"abc")
        await asyncio.gather(
            registry.revert_all(), registry.revert_last(), registry.with_hooks().revert_all()
        )

    run(main())
    assert len(shelf.reverts) == 3


class Broken(MemoryJournal):
    """A journal of which some operations fail."""

    def __init__(self, *broken: str) -> None:
        super().__init__()
        self.broken = broken

    def check(self, operation: str) -> None:
        if operation in self.broken:
            raise ToolError.unavailable("the disk is full")

    async def begin(self, entry: Entry) -> None:
        self.check("begin")
        await super().begin(entry)

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        self.check("finish")
        await super().finish(entry, output, metadata)

    async def reverting(self, entry: str) -> bool:
        self.check("reverting")
        return await super().reverting(entry)

    async def release(self, entry: str) -> None:
        self.check("release")
        await super().release(entry)

    async def reverted(self, entry: str) -> None:
        self.check("reverted")
        await super().reverted(entry)

    async def entries(self) -> list[Entry]:
        self.check("entries")
        return await super().entries()


def test_nothing_runs_that_cannot_be_written_down() -> None:
    shelf = Shelf()
    with pytest.raises(ToolError, match="the disk is full") as caught:
        run(put(registry_of(shelf).with_controls(journal=Broken("begin")), "a"))
    assert caught.value.category == "unavailable"
    assert shelf.things == []


def test_what_was_done_is_answered_though_it_cannot_be_written_down(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        registry = registry_of(Shelf()).with_controls(journal=Broken("finish"))
        assert await registry.call("demo_act", {"name": "a"}) == {"put": "a"}
        assert [one.status for one in await registry.revert_all()] == ["unknown"]

    run(main())
    assert "the journal could not be written" in caplog.text


def test_metadata_that_is_no_json_costs_the_revert_and_not_the_result() -> None:
    async def act(input: object, ctx: Context) -> str:
        ctx.metadata["handle"] = object()  # type: ignore[assignment]
        return "done"

    async def main() -> None:
        handlers = {"act": act, "revert_act": lambda input, output, metadata: None}
        registry = bind_service(service(tool(revert=True, mutation=True)), handlers)
        assert await registry.call("demo_act") == "done"
        assert [one.status for one in await registry.revert_all()] == ["unknown"]

    run(main())


def test_a_revert_that_cannot_be_written_down_says_so_and_is_not_repeated() -> None:
    async def main() -> None:
        shelf = Shelf()
        shelf.reasons = {"b": "somebody needs it"}
        registry = registry_of(shelf).with_controls(journal=Broken("reverted", "release"))
        await put(registry, "a", "b")
        outcomes = await registry.revert_all()
        assert [one.status for one in outcomes] == ["failed", "reverted"]
        assert all("the journal could not be written" in one.message for one in outcomes)
        assert outcomes[0].message.startswith("somebody needs it; ")
        assert [one.status for one in await registry.revert_all()] == ["unknown"] * 2
        assert len(shelf.reverts) == 2
        with pytest.raises(ToolError, match="the disk is full"):
            await registry.with_controls(journal=Broken("entries")).revert_all()

    run(main())


def test_nothing_is_reverted_that_cannot_be_claimed() -> None:
    async def main() -> None:
        shelf = Shelf()
        journal = Broken("reverting")
        registry = registry_of(shelf).with_controls(journal=journal)
        await put(registry, "a")
        (outcome,) = await registry.revert_all()
        assert (outcome.status, outcome.message) == ("failed", "the disk is full")
        assert shelf.reverts == []
        journal.broken = ()
        assert [one.status for one in await registry.revert_all()] == ["reverted"]

    run(main())


def test_of_all_who_claim_an_entry_one_gets_it(journal: Journal) -> None:
    async def main() -> None:
        await journal.begin(Entry(id="1", tool="t", at=0.0, input=None))
        assert not await journal.reverting("1")  # its call has not finished
        await journal.finish("1", None, {})
        for _ in range(2):
            claims = await asyncio.gather(*(journal.reverting("1") for _ in range(5)))
            assert sorted(claims) == [False] * 4 + [True]
            assert [entry.state for entry in await journal.entries()] == ["reverting"]
            await journal.release("1")
            assert [entry.state for entry in await journal.entries()] == ["done"]
        assert await journal.reverting("1")
        await journal.reverted("1")
        await journal.release("1")
        assert not await journal.reverting("1")
        assert await journal.entries() == []

    asyncio.run(main())


def test_a_revert_that_never_ended_is_told_and_not_tried_until_it_is_released(
    journal: Journal,
) -> None:
    shelf = Shelf()

    async def main() -> None:
        registry = registry_of(shelf).with_controls(journal=journal)
        await put(registry, "a", "b")
        newest = (await journal.entries())[0].id
        assert await journal.reverting(newest)  # and its process dies
        first, second = await registry.revert_last(), await registry.revert_last()
        assert first is not None
        assert second is not None
        assert (first.entry, first.status, second.status) == (newest, "unknown", "reverted")
        assert "another revert of the call has not finished" in first.message
        assert await registry.revert_last() is None
        assert [one.status for one in await registry.revert_all()] == ["unknown"]
        assert shelf.things == ["b"]
        await journal.release(newest)
        assert [one.status for one in await registry.revert_all()] == ["reverted"]

    asyncio.run(main())
    assert shelf.things == []


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_journal_keeps_the_newest(kind: str, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "store.db", StoreOptions(max_entries=20))
    journal: Journal = MemoryJournal(max_entries=20) if kind == "memory" else store.journal

    async def kept() -> list[int]:
        return [int(entry.id) for entry in await journal.entries()]

    async def begin(numbers: range) -> None:
        for number in numbers:
            await journal.begin(Entry(id=str(number), tool="t", at=0.0, input=None))

    async def main() -> None:
        await begin(range(20))
        assert await kept() == list(range(19, -1, -1))
        await journal.reverted("3")
        await journal.forget("19")
        await begin(range(20, 23))
        assert await kept() == [22, 21, 20, *range(18, 3, -1), 2, 1]
        await journal.finish("0", None, {})  # forgotten, and no error
        assert not await journal.reverting("0")
        assert len(await kept()) == 20

    asyncio.run(main())
    store.close()


def test_both_stores_keep_as_many() -> None:
    assert MemoryJournal()._max_entries == StoreOptions.max_entries == MAX_ENTRIES


def test_a_tool_without_revert_is_not_journaled() -> None:
    async def echo(input: object) -> object:
        return input

    registry = bound(tool(mutation=True), echo).with_controls(journal=Broken("begin"))
    assert run(registry.call("demo_act")) == {}


class History(RuleBasedStateMachine):
    """Whatever is called and reverted in between: the newest first, each once, only the own."""

    callers = st.sampled_from(("ann", "bob"))

    def __init__(self) -> None:
        super().__init__()
        self.shelf = Shelf()
        self.registry = registry_of(self.shelf)
        self.standing: list[tuple[str, str]] = []  # caller and name, the oldest first
        self.count = 0

    @rule(caller=callers, fails=st.booleans())
    def put(self, caller: str, fails: bool) -> None:
        self.count += 1
        name = f"thing {self.count}"
        run(put(self.registry, name, caller=caller))
        self.standing.append((caller, name))
        if fails:
            self.shelf.reasons[name] = "stuck"

    @rule()
    def loosen(self) -> None:
        self.shelf.reasons.clear()

    @rule(caller=st.none() | callers)
    def revert_all(self, caller: str | None) -> None:
        self.shelf.reverts.clear()
        due = [one for one in self.standing[::-1] if caller in (None, one[0])]
        outcomes = run(self.registry.revert_all(caller=caller))
        assert [each[0]["name"] for each in self.shelf.reverts] == [name for _, name in due]  # type: ignore[index]
        for outcome, one in zip(outcomes, due, strict=True):
            assert outcome.status == ("failed" if one[1] in self.shelf.reasons else "reverted")
            if outcome.status == "reverted":
                self.standing.remove(one)

    @rule(caller=st.none() | callers)
    def revert_last(self, caller: str | None) -> None:
        due = [one for one in self.standing[::-1] if caller in (None, one[0])]
        outcome = run(self.registry.revert_last(caller=caller))
        assert (outcome is None) == (not due)
        if outcome is not None and outcome.status == "reverted":
            self.standing.remove(due[0])

    @invariant()
    def the_shelf_holds_what_stands(self) -> None:
        assert self.shelf.things == [name for _, name in self.standing]


TestHistory = History.TestCase
TestHistory.settings = settings(
    derandomize=True, max_examples=40, stateful_step_count=20, deadline=None
)
