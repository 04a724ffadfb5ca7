"""What every store keeps, for all that open it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sampling import sampled
from store_servers import KINDS, WORKER, Open, Redis, Server
from toolspec.runtime import Limits, Rate, Registry, ToolError, bind_service
from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
from toolspec.runtime.stores import (
    Entry,
    Excess,
    KeyedCall,
    Lease,
    Slots,
    StoreError,
    StoreOptions,
    Window,
    open_store,
)

T = TypeVar("T")
SHORT = {"lease_seconds": 1.0}
slow = pytest.mark.parametrize("kind", sampled(KINDS, 1), indirect=True)
"""A test that waits for a lease or for a process: with one kind of store, and with all as a proof."""


async def until(look: Callable[[], Awaitable[T]], wanted: Callable[[T], bool]) -> T:
    """Look until what is wanted is there; the test's time limit is the only one."""
    while not wanted(found := await look()):  # noqa: ASYNC110 - other processes have no event
        await asyncio.sleep(0.02)
    return found


async def leased(store: Any, key: str, digest: str = "x", **options: bool) -> Lease:
    lease = await store.keys.claim(key, digest, **options)
    assert isinstance(lease, Lease)
    return lease


def ending(claimed: Lease | KeyedCall) -> str:
    return "leased" if isinstance(claimed, Lease) else claimed.ending


# Keys


def test_the_first_answer_is_what_everybody_gets(open_one: Open) -> None:
    ours, theirs = open_one(), open_one()
    value = {"é": [1, 2.5, None, True, "\U0001f600\x00"], "big": 10**30}

    async def main() -> None:
        lease = await leased(ours, "a")
        assert ending(await theirs.keys.claim("a", "x")) == "running"
        assert await ours.keys.begin(lease)
        assert await ours.keys.settle(lease, KeyedCall(digest="x", ending="ok", result=value))
        for store in (ours, theirs):
            known = await store.keys.claim("a", "other")
            assert isinstance(known, KeyedCall)
            assert (known.digest, known.ending, known.result) == ("x", "ok", value)
        other = await leased(theirs, "b")
        error = {"text": "no", "error": {"code": "gone"}}
        await theirs.keys.settle(other, KeyedCall(digest="x", ending="failed", error=error))
        known = await ours.keys.claim("b", "x")
        assert isinstance(known, KeyedCall)
        assert (known.ending, known.error) == ("failed", error)

    asyncio.run(main())


def test_a_released_key_is_free_and_its_old_lease_holds_nothing(open_one: Open) -> None:
    ours, theirs = open_one(), open_one()

    async def main() -> None:
        old = await leased(ours, "a")
        assert await ours.keys.release(old)
        new = await leased(theirs, "a", "y")
        for late in (
            ours.keys.begin(old),
            ours.keys.settle(old, KeyedCall(digest="x", ending="ok")),
            ours.keys.release(old),
        ):
            assert not await late
        assert await theirs.keys.begin(new)

    asyncio.run(main())


@slow
def test_a_lease_ends_with_its_process_and_never_lives_again(open_one: Open) -> None:
    """A closed store renews nothing, like a process that is stopped."""
    stopped, other = open_one(**SHORT), open_one(**SHORT)

    async def main() -> None:
        waiting, begun, idempotent = [await leased(stopped, key) for key in "abc"]
        assert await stopped.keys.begin(begun)
        assert await stopped.keys.begin(idempotent)
        stopped.close()
        again = await until(
            lambda: other.keys.claim("a", "y"), lambda found: isinstance(found, Lease)
        )
        await until(lambda: other.keys.claim("b", "x"), lambda found: ending(found) == "unknown")
        claimed_again = partial(other.keys.claim, "c", "y", is_repeatable=True)
        await until(claimed_again, lambda found: ending(found) == "unknown")
        taken = await leased(other, "c", is_repeatable=True)
        for old in (waiting, begun, idempotent):
            assert not await stopped.keys.begin(old)
            assert not await stopped.keys.settle(old, KeyedCall(digest="x", ending="ok"))
            assert not await stopped.keys.release(old)
        assert ending(await stopped.keys.claim("b", "x")) == "unknown"
        for new in (again, taken):
            assert isinstance(new, Lease)
            assert await other.keys.settle(new, KeyedCall(digest="x", ending="ok"))

    asyncio.run(main())


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_lease_is_renewed_while_an_event_loop_is_blocked(open_one: Open) -> None:
    ours, theirs = open_one(**SHORT), open_one(**SHORT)

    async def blocked() -> None:
        lease = await leased(ours, "a")
        await ours.keys.begin(lease)
        time.sleep(2 * SHORT["lease_seconds"])  # noqa: ASYNC251 - as a handler that blocks
        assert await ours.keys.settle(lease, KeyedCall(digest="x", ending="ok"))

    async def look() -> str:
        return ending(await theirs.keys.claim("a", "x"))

    asyncio.run(blocked())
    assert asyncio.run(look()) == "ok"


@slow
def test_what_calls_leave_behind_expires(open_one: Open) -> None:
    store = open_one(**SHORT, keep_seconds=1.0, keep_entries_seconds=1.0)

    async def main() -> None:
        lease = await leased(store, "a")
        await store.keys.settle(lease, KeyedCall(digest="x", ending="ok", result="secret"))
        await store.journal.begin(Entry(id="1", tool="t", at=0.0, input="secret"))
        assert await store.approvals.claim("yes", 0.3)
        await until(lambda: store.keys.claim("a", "x"), lambda found: isinstance(found, Lease))
        await until(store.journal.entries, lambda entries: not entries)
        await until(lambda: store.approvals.claim("yes", 60), lambda claimed: claimed)

    asyncio.run(main())


def try_one_key(url: str, ledger: Path, calls: int) -> None:
    """Call with one key at once from two processes, and count the effects."""
    command = [*WORKER, url, str(ledger), "60", "burst", str(calls // 2)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [line for each in workers for line in each.communicate(timeout=120)[0].split()]
    assert len(answers) == calls
    assert set(answers) == {"done-once"}
    assert ledger.read_text().count("effect once") == 1


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_calls_with_one_key_in_two_processes_have_one_effect(url: str, tmp_path: Path) -> None:
    try_one_key(url, tmp_path / "ledger", 60)


@pytest.mark.prove
def test_two_hundred_calls_with_one_key_in_two_processes_have_one_effect(
    url: str, tmp_path: Path
) -> None:
    try_one_key(url, tmp_path / "ledger", 200)


# Journal, approvals, limits


def test_the_journal_is_one_for_all(open_one: Open) -> None:
    ours, theirs = open_one(max_entries=3), open_one(max_entries=3)

    async def main() -> None:
        for number in range(5):
            entry = Entry(id=str(number), tool="t@1", at=1.5, input={"n": number}, caller="ann")
            await (ours, theirs)[number % 2].journal.begin(entry)
        await ours.journal.finish("3", ["é"], {"m": 1})
        newest, middle, oldest = await theirs.journal.entries()
        assert (newest.id, middle.id, oldest.id) == ("4", "3", "2")
        assert (middle.state, middle.output, middle.metadata) == ("done", ["é"], {"m": 1})
        assert (middle.tool, middle.at, middle.caller, middle.input) == (
            "t@1",
            1.5,
            "ann",
            {"n": 3},
        )
        assert not await ours.journal.reverting("4"), "it has not finished"
        assert [await each.journal.reverting("3") for each in (ours, theirs)] == [True, False]
        await theirs.journal.release("3")
        assert await theirs.journal.reverting("3")
        await theirs.journal.reverted("3")
        await ours.journal.forget("2")
        await ours.journal.finish("0", None, {})  # dropped, and no error
        assert [entry.id for entry in await ours.journal.entries()] == ["4"]

    asyncio.run(main())


def test_an_approval_is_used_once(open_one: Open) -> None:
    stores = [open_one(), open_one()]

    async def main() -> list[bool]:
        assert await stores[0].approvals.claim("yes", 60)
        await stores[1].approvals.release("yes")
        claims = (stores[number % 2].approvals.claim("yes", 60) for number in range(50))
        return await asyncio.gather(*claims)

    assert sum(asyncio.run(main())) == 1


def test_rates_and_slots_count_for_all(open_one: Open) -> None:
    stores = [open_one(), open_one()]
    windows = [Window(name="w", calls=5, seconds=60.0), Window(name="v", calls=9, seconds=60.0)]
    slots = Slots(name="s", limit=3)

    async def main() -> None:
        entered = await asyncio.gather(
            *(stores[number % 2].limits.enter(windows[:1], None) for number in range(20))  # type: ignore[union-attr]  # shared
        )
        refused = [each for each in entered if isinstance(each, Excess)]
        assert len(refused) == 15
        assert all(each.window == 0 and 0 < each.wait <= 60 for each in refused)
        limits = [store.limits for store in stores if store.limits is not None]
        assert isinstance(await limits[0].enter(windows[::-1], slots), Excess)
        held = [await limits[number % 2].enter(windows[1:], slots) for number in range(4)]
        assert [type(each) for each in held] == [Lease, Lease, Lease, Excess]
        assert isinstance(held[0], Lease)
        await limits[0].leave(held[0])
        assert isinstance(await limits[1].enter(windows[1:], slots), Lease)

    asyncio.run(main())


@slow
def test_the_slot_of_a_process_that_is_gone_is_free_again(open_one: Open) -> None:
    gone, other = open_one(**SHORT), open_one(**SHORT)
    slots = Slots(name="s", limit=1)

    async def main() -> None:
        assert gone.limits is not None
        assert other.limits is not None
        limits = other.limits
        assert isinstance(await gone.limits.enter([], slots), Lease)
        assert isinstance(await limits.enter([], slots), Excess)
        gone.close()
        await until(lambda: limits.enter([], slots), lambda found: isinstance(found, Lease))

    asyncio.run(main())


def counted_calls(kind: str, url: str) -> int:
    """Return how many calls a store holds for all windows."""
    namespace = url.rpartition("=")[2]
    if kind == "sqlite":
        import sqlite3

        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            return int(file.execute("SELECT count(*) FROM calls").fetchone()[0])
    if kind == "redis":
        import redis

        return len(redis.Redis.from_url(url.partition("?")[0]).keys(f"{namespace}:calls:*"))  # type: ignore[arg-type]  # not awaitable
    import psycopg

    with psycopg.connect(url.partition("?")[0]) as connection:
        counted = connection.execute(f"SELECT count(*) FROM {namespace}.calls").fetchone()  # noqa: S608 - a test's own
        assert counted is not None
        return int(counted[0])


def test_a_window_that_is_over_is_dropped_with_the_calls_of_others(
    kind: str, url: str, open_one: Open
) -> None:
    limits = open_one().limits
    assert limits is not None

    async def enter(caller: int, seconds: float) -> None:
        window = Window(name=f"{caller} in {seconds}", calls=5, seconds=seconds)
        assert isinstance(await limits.enter([window], None), Lease)

    async def main() -> None:
        for caller in range(60):
            await enter(caller, 0.05)
        await enter(0, 600)
        await asyncio.sleep(0.1)
        for caller in range(3):
            await enter(caller, 600)

    asyncio.run(main())
    assert counted_calls(kind, url) == (3 if kind == "redis" else 4)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_limits_of_registries_count_for_all_that_share_a_store(open_one: Open) -> None:
    begun, finish = asyncio.Semaphore(0), asyncio.Event()

    async def act(input: object) -> str:
        begun.release()
        await finish.wait()
        return "done"

    limits = Limits(concurrency=2, rates=(Rate(calls=4, seconds=600, shared="service"),))
    tool = ToolDefinition(name="act", full_name="demo_act", method="act")
    registry = bind_service(ServiceDefinition(name="demo", tools=(tool,)), {"act": act})
    ours, theirs = [registry.with_controls(store=open_one(), limits=limits) for _ in range(2)]

    async def code(registry: Registry) -> str:
        with pytest.raises(ToolError) as caught:
            await registry.call("demo_act")
        return caught.value.code

    async def main() -> None:
        running = [asyncio.create_task(each.call("demo_act")) for each in (ours, theirs)]
        await begun.acquire()
        await begun.acquire()
        assert [await code(each) for each in (ours, theirs)] == ["too_many_calls"] * 2
        finish.set()
        assert await asyncio.gather(*running) == ["done", "done"]
        assert [await each.call("demo_act") for each in (ours, theirs)] == ["done", "done"]
        assert [await code(each) for each in (ours, theirs)] == ["too_often"] * 2
        apart = ours.with_controls(limits=Limits(rates=limits.rates, per_process=True))
        assert await apart.call("demo_act") == "done"

    asyncio.run(main())


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800b"])
@pytest.mark.parametrize("option", ["caller", "request_id"])
def test_text_that_cannot_be_stored_is_no_store_that_is_away(
    kind: str, open_one: Open, text: str, option: str
) -> None:
    ran: list[object] = []

    class Handlers:
        async def act(self, input: object) -> str:
            ran.append(input)
            return "done"

        async def revert_act(self, *_: object) -> None:
            """Undo it."""

    tool = ToolDefinition(name="act", full_name="demo_act", method="act", revert=True)
    registry = bind_service(ServiceDefinition(name="demo", tools=(tool,)), Handlers())
    registry = registry.with_controls(store=open_one())

    async def main() -> None:
        for _ in range(2):
            with pytest.raises(ToolError) as caught:
                await registry.call("demo_act", **{option: text})  # type: ignore[arg-type]  # a text
            error = caught.value
            assert (error.category, error.code) == ("validation", "invalid_text")
            assert not error.retryable
        assert ran == []
        assert await registry.call("demo_act", **{option: "é"}) == "done"  # type: ignore[arg-type]  # a text

    if kind != "postgresql" and text == "a\x00b":
        assert asyncio.run(registry.call("demo_act", **{option: text})) == "done"  # type: ignore[arg-type]  # a text
    else:
        asyncio.run(main())


def test_a_secret_is_one_for_all(open_one: Open) -> None:
    async def main() -> tuple[bytes, bytes, bytes]:
        one, other = open_one(), open_one()
        return await one.secret("a"), await other.secret("a"), await other.secret("b")

    one, same, other = asyncio.run(main())
    assert one == same != other
    assert len(one) == 32


# What is refused


def test_another_version_is_named_and_left_alone(
    kind: str, url: str, open_one: Open, server: Server | None
) -> None:
    first = open_one()
    asyncio.run(leased(first, "a"))  # type: ignore[arg-type]  # a coroutine
    first.close()
    namespace = url.rpartition("=")[2]
    if kind == "sqlite":
        import sqlite3

        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            file.execute("PRAGMA user_version = 99")
    elif kind == "redis":
        import redis

        redis.Redis.from_url(url.partition("?")[0]).set(f"{namespace}:version", "99")
    else:
        import psycopg

        with psycopg.connect(url.partition("?")[0]) as connection:
            connection.execute(f"UPDATE {namespace}.store_version SET number = 99")  # noqa: S608 - a test's own
    store = open_one()
    with pytest.raises(StoreError, match="has version 99 of a store, and this program needs 5"):
        asyncio.run(store.check())
    with pytest.raises(ToolError) as caught:
        asyncio.run(store.keys.claim("b", "x"))  # type: ignore[arg-type]  # a coroutine
    assert caught.value.code == "store_unavailable"


@pytest.mark.parametrize("scheme", ["redis", "rediss", "postgresql"])
def test_a_server_that_is_away_is_named_without_its_password(scheme: str) -> None:
    url = f"{scheme}://ann:CANARY@127.0.0.1:1/0"
    if scheme == "postgresql":
        url += "?sslpassword=CANARY"
    store = open_store(url, StoreOptions(busy_seconds=1.0))
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:1") as refused:
        asyncio.run(store.check())
    with pytest.raises(ToolError, match="not usable") as failed:
        asyncio.run(store.keys.claim("a", "x"))  # type: ignore[arg-type]  # a coroutine
    told = [repr(store), *map(repr, (refused.value, failed.value))]
    assert "CANARY" not in "".join(told)
    assert "127.0.0.1" not in repr(failed.value), "callers are not told where it is"
    store.close()


@pytest.mark.parametrize(
    "url",
    [
        "redis://ann:CANARY@host:port/0",
        "redis://ann:CANARY@host/0?nothing=1&socket_timeout=x",
        "postgresql://ann:CANARY@host/db?nothing=1",
        "postgresql://ann:CANARY@host/db?namespace=a-b",
        "redis://ann:CANARY@host/0?namespace=Shop",
    ],
)
def test_a_url_that_cannot_be_read_is_named_without_its_password(url: str) -> None:
    with pytest.raises(StoreError) as refused:
        open_store(url)
    assert "CANARY" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--maxmemory-policy", "allkeys-lru"), "set `noeviction`"),
        (("--appendonly", "no"), "set `appendonly yes`"),
    ],
)
def test_a_redis_that_may_lose_keys_is_refused(options: tuple[str, ...], reason: str) -> None:
    server = Redis(*options)
    try:
        strict = open_store(server.url("a"))
        with pytest.raises(StoreError, match=reason):
            asyncio.run(strict.check())
        tolerant = open_store(server.url("a"), StoreOptions(may_lose=True))
        asyncio.run(tolerant.check())
        strict.close()
        tolerant.close()
    finally:
        server.stop()


def test_a_file_that_may_only_be_read_is_refused() -> None:
    program = (
        "import asyncio, os, sys\n"
        "from toolspec.runtime.stores import StoreError, open_store\n"
        "folder = sys.argv[1]\n"
        "url = f'sqlite:///{folder}/calls.sqlite3'\n"
        "asyncio.run(open_store(url).check())\n"
        "for name in os.listdir(folder): os.chmod(f'{folder}/{name}', 0o444)\n"
        "os.chmod(folder, 0o555)\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: asyncio.run(open_store(url).check())\n"
        "except StoreError as problem: print(problem)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", program, folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        Path(folder).chmod(0o755)
    assert "readonly database" in done.stdout


def test_a_forked_process_opens_a_file_anew(tmp_path: Path) -> None:
    program = (
        "import asyncio, os, sys\n"
        "from toolspec.runtime.stores import Lease, open_store\n"
        "store = open_store(f'sqlite:///{sys.argv[1]}/calls.sqlite3')\n"
        "claim = lambda key: isinstance(asyncio.run(store.keys.claim(key, 'x')), Lease)\n"
        "assert claim('a')\n"
        "child = os.fork()\n"
        "line = f\"{claim('b' if child else 'c')} {claim('a')}\\n\"\n"
        "os.write(1, line.encode())  # at once: both processes write\n"
        "if not child: os._exit(0)\n"
        "os.wait()\n"
        "print(claim('b'), claim('c'), flush=True)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["True False", "True False", "False False"]


FORKING = """
import asyncio, os, sys
from toolspec.runtime.stores import Lease, Slots, StoreOptions, open_store

store = open_store(sys.argv[1], StoreOptions(lease_seconds=1.0))

async def claim(key):
    assert isinstance(await store.keys.claim(key, "x"), Lease)
    assert isinstance(await store.limits.enter([], Slots(name=key, limit=1)), Lease)

asyncio.run(claim("of the parent"))
if os.fork():
    os._exit(0)  # like a process that is killed: it frees nothing
asyncio.run(claim("of the child"))
print("forked", flush=True)
sys.stdin.read()
os._exit(0)
"""


@slow
def test_a_forked_process_renews_no_lease_of_its_parent(url: str, open_one: Open) -> None:
    command = [sys.executable, "-c", FORKING, url]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == "forked\n"
        store = open_one(**SHORT)
        assert store.limits is not None
        limits = store.limits

        async def main() -> None:
            parents, childs = (
                Slots(name=f"of the {whose}", limit=1) for whose in ("parent", "child")
            )
            async with asyncio.timeout(30):
                await until(
                    lambda: store.keys.claim("of the parent", "y"),
                    lambda found: isinstance(found, Lease),
                )
                await until(
                    lambda: limits.enter([], parents), lambda found: isinstance(found, Lease)
                )
            assert ending(await store.keys.claim("of the child", "x")) == "running"
            assert isinstance(await limits.enter([], childs), Excess)

        asyncio.run(main())


def test_a_missing_library_names_its_extra() -> None:
    program = (
        "import sys; sys.modules['redis'] = sys.modules['psycopg'] = None\n"
        "from toolspec.runtime.stores import StoreError, open_store\n"
        "for url in ('redis://host', 'postgresql://host/db'):\n"
        "    try: open_store(url)\n"
        "    except StoreError as problem: print(problem)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert "install `toolspec-runtime[redis]`" in done.stdout
    assert "install `toolspec-runtime[postgresql]`" in done.stdout


def test_a_store_keeps_what_it_was_told_when_its_server_is_killed(
    server: Server | None, open_one: Open
) -> None:
    store = open_one()

    async def main() -> None:
        lease = await leased(store, "a")
        await store.keys.settle(lease, KeyedCall(digest="x", ending="ok", result=1))
        if server is None:
            store.close()
        else:
            server.kill()
            with pytest.raises(ToolError, match="not usable"):
                await store.keys.claim("a", "x")
            server.start()

        async def look() -> object:
            try:
                return await store.keys.claim("a", "x")
            except ToolError:  # it still reads what it has written
                return None

        known = await until(look, lambda found: found is not None)
        assert isinstance(known, KeyedCall)
        assert (known.ending, known.result) == ("ok", 1)

    asyncio.run(main())


def test_several_open_a_new_file_at_once(tmp_path: Path) -> None:
    def check(path: Path, start: threading.Barrier) -> None:
        store = open_store(f"sqlite:///{path}")
        start.wait()
        asyncio.run(store.check())
        store.close()

    with ThreadPoolExecutor(4) as threads:
        for number in range(40):
            path, start = tmp_path / f"{number}.sqlite3", threading.Barrier(4)
            for done in [threads.submit(check, path, start) for _ in range(4)]:
                done.result()
