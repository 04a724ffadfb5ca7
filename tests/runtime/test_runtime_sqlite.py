"""The store in a file: several processes, and all that a disk can do to it."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from example_service import bound, service, tool
from toolspec.runtime import Registry, ToolError, bind_service
from toolspec.runtime.stores import DAY, Entry, KeyedCall, Lease, StoreOptions
from toolspec.runtime.stores.sqlite import SqliteDatabase, SqliteStore

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from pathlib import Path

CLAIMS = """
import asyncio, sys
from toolspec.runtime.stores import Lease
from toolspec.runtime.stores.sqlite import SqliteDatabase, SqliteStore

async def main():
    store = SqliteStore(sys.argv[1])
    sys.stdin.readline()
    got = []
    for n in range(40):
        lease = await store.keys.claim(str(n), "x")
        if isinstance(lease, Lease) and await store.keys.begin(lease):
            got.append(str(n))
    print(*got, flush=True)
    if sys.argv[2:] == ["hang"]:
        sys.stdin.readline()
    store.close()

asyncio.run(main())
"""

FILLS = """
import asyncio, resource, signal, sys
from toolspec.runtime.stores import Lease
from toolspec.runtime import ToolError
from toolspec.runtime.stores.sqlite import SqliteDatabase, SqliteStore

async def main():
    store = SqliteStore(sys.argv[1])
    await store.keys.claim("first", "x")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    codes = []
    for n in range(60):
        try:
            await store.keys.claim(f"{n}" + "x" * 5_000, "x")
        except ToolError as problem:
            codes.append(problem.code)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert isinstance(await store.keys.claim("last", "x"), Lease)
    print(*sorted(set(codes)), len(codes) > 0)
    store.close()

asyncio.run(main())
"""


REVERTS = """
import asyncio, sys
from toolspec.runtime import bind_service
from toolspec.runtime.stores.sqlite import SqliteStore
from toolspec.runtime.definition import ServiceDefinition, ToolDefinition

async def main():
    store = SqliteStore(sys.argv[1])
    undone = []

    async def act(input):
        return None

    async def revert_act(input, output, metadata):
        await asyncio.sleep(0.001)
        if sys.argv[2:] == ["die"] and len(undone) == 3:
            print(input["number"], flush=True)
            sys.stdin.readline()
        undone.append(input["number"])

    tool = ToolDefinition(name="act", full_name="demo_act", method="act", revert=True)
    service = ServiceDefinition(name="demo", tools=(tool,))
    handlers = {"act": act, "revert_act": revert_act}
    registry = bind_service(service, handlers).with_controls(journal=store.journal)
    sys.stdin.readline()
    outcomes = await registry.revert_all()
    assert [one.status for one in outcomes].count("reverted") == len(undone)
    assert {one.status for one in outcomes} <= {"reverted", "unknown"}
    print(*undone, flush=True)
    store.close()

asyncio.run(main())
"""


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "store.db", StoreOptions(busy_seconds=0.05))
    yield made
    made.close()


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "store.db", StoreOptions(busy_seconds=60.0))
    yield made
    made.close()


def failed(work: Coroutine[object, object, object]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        asyncio.run(work)  # type: ignore[arg-type]
    assert (caught.value.category, caught.value.code) == ("unavailable", "store_unavailable")
    assert caught.value.retryable
    return caught.value


def effects(store: SqliteStore) -> tuple[Registry, list[object]]:
    """Return a registry whose one tool uses both halves of the store, and what that has done."""
    done: list[object] = []

    async def act(input: object) -> str:
        done.append(input)
        return "done"

    fields = {"mutation": True, "revert": True, "idempotency": "optional"}
    handlers = {"act": act, "revert_act": lambda input, output, metadata: done.clear()}
    registry = bind_service(service(tool(**fields)), handlers)  # type: ignore[arg-type]
    return registry.with_controls(store=store), done


# Several processes


def test_of_two_processes_each_key_goes_to_one(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    processes = [started(CLAIMS, path) for _ in range(2)]
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    got = [one.communicate(timeout=60)[0].split() for one in processes]
    assert sorted(got[0] + got[1], key=int) == [str(number) for number in range(40)]
    assert [one.returncode for one in processes] == [0, 0]


def test_the_calls_of_a_process_that_was_killed_have_an_unknown_outcome(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    process = started(CLAIMS, str(path), "hang")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    assert process.stdout.readline().split()[:2] == ["0", "1"]

    async def ending(later: float) -> str | None:
        store = SqliteStore(path, clock=lambda: time.time() + later)
        claimed = await store.keys.claim("0", "x")
        store.close()
        return claimed.ending if isinstance(claimed, KeyedCall) else None

    assert asyncio.run(ending(0)) == "running"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert asyncio.run(ending(0)) == "running"  # for as long as it may only be slow
    assert asyncio.run(ending(StoreOptions.lease_seconds + 1)) == "unknown"
    assert asyncio.run(ending(DAY + 1)) is None


async def fill(path: Path, count: int) -> None:
    store = SqliteStore(path)
    for number in range(count):
        entry = Entry(id=str(number), tool="demo_act", at=0.0, input={"number": number})
        await store.journal.begin(entry)
        await store.journal.finish(entry.id, None, {})
    store.close()


async def standing(path: Path) -> list[tuple[str, str]]:
    store = SqliteStore(path)
    entries = await store.journal.entries()
    store.close()
    return [(entry.id, entry.state) for entry in entries]


def test_two_processes_that_revert_all_revert_each_entry_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    asyncio.run(fill(path, 40))
    processes = [started(REVERTS, str(path)) for _ in range(2)]
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    undone = [one.communicate(timeout=60)[0].split() for one in processes]
    assert [one.returncode for one in processes] == [0, 0]
    assert sorted(undone[0] + undone[1], key=int) == [str(number) for number in range(40)]
    assert asyncio.run(standing(path)) == []


def test_what_a_process_was_reverting_when_it_was_killed_is_not_reverted_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / "store.db"
    asyncio.run(fill(path, 10))
    process = started(REVERTS, str(path), "die")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    assert process.stdout.readline() == "6\n"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert asyncio.run(standing(path))[0] == ("6", "reverting")
    undone, _ = started(REVERTS, str(path)).communicate("go\n", timeout=60)
    assert undone.split() == ["5", "4", "3", "2", "1", "0"]
    assert asyncio.run(standing(path)) == [("6", "reverting")]


def test_a_running_call_keeps_its_lease(tmp_path: Path) -> None:
    now = 1e9
    ours = SqliteStore(tmp_path / "store.db", clock=lambda: now)
    theirs = SqliteStore(tmp_path / "store.db", clock=lambda: now)

    async def main() -> None:
        nonlocal now
        lease = await ours.keys.claim("k", "x")
        assert isinstance(lease, Lease)
        assert await ours.keys.begin(lease)
        for _ in range(5):
            now += StoreOptions.lease_seconds - 1
            await ours._database.run(ours._database.leases.renew)
            known = await theirs.keys.claim("k", "x")
            assert isinstance(known, KeyedCall)
            assert known.ending == "running"
        assert await ours.keys.settle(lease, KeyedCall(digest="x", ending="ok", result=1))
        assert not ours._database.leases.keys

    asyncio.run(main())
    ours.close()
    theirs.close()


def test_a_lease_that_has_ended_never_lives_again(tmp_path: Path) -> None:
    now = 1e9
    store = SqliteStore(tmp_path / "store.db", clock=lambda: now)

    async def main() -> None:
        nonlocal now
        lease = await store.keys.claim("k", "x")
        assert isinstance(lease, Lease)
        assert await store.keys.begin(lease)
        now += StoreOptions.lease_seconds
        await store._database.run(store._database.leases.renew)
        for late in (
            store.keys.begin(lease),
            store.keys.settle(lease, KeyedCall(digest="x", ending="ok")),
            store.keys.release(lease),
        ):
            assert not await late
        known = await store.keys.claim("k", "x")
        assert isinstance(known, KeyedCall)
        assert known.ending == "unknown"

    asyncio.run(main())
    store.close()


def test_the_thread_of_a_store_renews_by_itself(tmp_path: Path) -> None:
    now = 1e9
    options = StoreOptions(lease_seconds=0.03)
    store = SqliteStore(tmp_path / "store.db", options, clock=lambda: now)

    async def leased() -> float:
        statement = "SELECT leased FROM keys"
        row = await store._database.run(lambda execute: execute(statement).fetchone())
        return float(row[0])

    async def main() -> None:
        nonlocal now
        await store.keys.claim("k", "x")
        before = await leased()
        now += 0.01
        while await leased() == before:  # noqa: ASYNC110 - a thread has no event to wait for
            await asyncio.sleep(0.01)

    asyncio.run(main())
    store.close()


def test_journal_and_keys_outlive_their_process(tmp_path: Path) -> None:
    async def call(request: str) -> tuple[object, list[object]]:
        store = SqliteStore(tmp_path / "store.db")
        registry, done = effects(store)
        answer = await registry.call("demo_act", {"idempotency_key": "k"}, request_id=request)
        store.close()
        return answer, done

    assert asyncio.run(call("one")) == ("done", [{}])
    assert asyncio.run(call("two")) == ("done", [])

    async def revert() -> str:
        store = SqliteStore(tmp_path / "store.db")
        (entry,) = await store.journal.entries()
        assert entry.request_id == "one"
        (outcome,) = await effects(store)[0].revert_all()
        assert await store.journal.entries() == []
        store.close()
        return outcome.status

    assert asyncio.run(revert()) == "reverted"


def test_a_thousand_claims_at_once(patient: SqliteStore) -> None:
    async def main() -> None:
        claims = [patient.keys.claim(str(number % 50), "x") for number in range(1_000)]
        known = await asyncio.gather(*claims)
        assert [type(one) for one in known].count(Lease) == 50

    asyncio.run(main())


def test_event_loops_of_several_threads_share_a_store(patient: SqliteStore) -> None:
    got: list[object] = []

    def claim_all() -> None:
        async def main() -> None:
            claims = (patient.keys.claim(str(number), "x") for number in range(20))
            got.extend(await asyncio.gather(*claims))

        asyncio.run(main())

    threads = [threading.Thread(target=claim_all) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert (len(got), [type(one) for one in got].count(Lease)) == (80, 20)


def test_values_come_back_as_they_were(store: SqliteStore) -> None:
    value = {"é": [1, 2.5, None, True, "\U0001f600\x00"], "big": 10**30}

    async def main() -> None:
        entry = Entry(id="1", tool="t@1", at=1.5, input=value, caller="ann", request_id="r")
        await store.journal.begin(entry)
        await store.journal.finish("1", [value], {"m": value})
        (found,) = await store.journal.entries()
        assert (found.input, found.output, found.metadata) == (value, [value], {"m": value})
        assert (found.id, found.tool, found.at, found.caller) == ("1", "t@1", 1.5, "ann")
        lease = await store.keys.claim("k", "x")
        assert isinstance(lease, Lease)
        await store.keys.settle(lease, KeyedCall(digest="x", ending="ok", result=value))
        known = await store.keys.claim("k", "x")
        assert isinstance(known, KeyedCall)
        assert known.result == value

    asyncio.run(main())


# What a disk can do


def test_a_locked_database_is_unavailable_before_any_effect_and_free_afterwards(
    store: SqliteStore, tmp_path: Path
) -> None:
    registry, done = effects(store)
    asyncio.run(registry.call("demo_act"))
    done.clear()
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    problem = failed(registry.call("demo_act", {"idempotency_key": "k"}))
    assert "locked" in problem.message
    failed(registry.call("demo_act"))
    assert done == []
    other.execute("ROLLBACK")
    other.close()
    assert asyncio.run(registry.call("demo_act", {"idempotency_key": "k"})) == "done"


def test_all_who_wait_for_a_locked_database_are_told_at_once(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(store.keys.claim("first", "x"))
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    waited: list[float] = []
    open_file = SqliteDatabase._opened

    def opened(database: SqliteDatabase, busy: float) -> sqlite3.Connection:
        waited.append(busy)
        return open_file(database, busy)

    monkeypatch.setattr(SqliteDatabase, "_opened", opened)

    async def main() -> None:
        claims = [store.keys.claim(str(number), "x") for number in range(50)]
        answers = await asyncio.gather(*claims, return_exceptions=True)
        assert {type(answer) for answer in answers} == {ToolError}

    asyncio.run(main())
    other.close()
    assert waited[-1] == 0.0  # the first wait was everybody's


def test_a_lock_after_the_effect_costs_no_result(
    store: SqliteStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)

    async def act(input: object) -> str:
        other.execute("BEGIN EXCLUSIVE")
        return "done"

    registry = bound(tool(mutation=True, idempotency="optional"), act)
    keyed = registry.with_controls(keys=store.keys)
    assert asyncio.run(keyed.call("demo_act", {"idempotency_key": "k"})) == "done"
    assert "could not be stored" in caplog.text
    other.execute("ROLLBACK")
    other.close()
    with pytest.raises(ToolError, match="still running"):
        asyncio.run(keyed.call("demo_act", {"idempotency_key": "k"}))
    assert not store._database.leases.keys  # nothing renews it: its outcome will be unknown


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    mounted = subprocess.run(["mount", *options], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("a file system of its own can be mounted only by root")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_unavailable_before_any_effect(small_disk: Path) -> None:
    store = SqliteStore(small_disk / "store.db")
    registry, done = effects(store)
    assert asyncio.run(registry.call("demo_act", {"idempotency_key": "k"})) == "done"
    with (small_disk / "rest").open("wb", buffering=0) as rest:
        try:
            while rest.write(b"x" * 1_024):
                pass
        except OSError as problem:
            assert problem.errno == 28  # no space left  # noqa: PT017 - the loop ends by it
    large = {"text": "x" * 100_000}
    for arguments in (large, {**large, "idempotency_key": "other"}):
        failed(registry.call("demo_act", arguments))
    assert len(done) == 1
    (small_disk / "rest").unlink()
    assert asyncio.run(registry.call("demo_act", {"idempotency_key": "third"})) == "done"
    store.close()


def test_a_read_only_disk_is_unavailable(small_disk: Path) -> None:
    path = small_disk / "store.db"
    store = SqliteStore(path)
    registry, done = effects(store)
    asyncio.run(registry.call("demo_act", {"idempotency_key": "k"}))
    store.close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for arguments in ({}, {"idempotency_key": "k"}):
        failed(registry.call("demo_act", arguments))
    assert len(done) == 1
    store.close()


def test_a_limit_on_the_size_of_files_is_a_full_disk_too(tmp_path: Path) -> None:
    if not hasattr(resource, "RLIMIT_FSIZE"):
        pytest.skip("this system has no limit on the size of files")
    process = started(FILLS, str(tmp_path / "store.db"))
    assert process.communicate(timeout=60)[0].split() == ["store_unavailable", "True"]
    assert process.returncode == 0


def test_a_file_that_is_no_database_is_unavailable_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"some letters that somebody wants to keep" * 200)
    before = path.read_bytes()
    store = SqliteStore(path)
    registry, done = effects(store)
    failed(registry.call("demo_act"))
    assert (path.read_bytes(), done) == (before, [])
    assert failed(registry.revert_all()).retryable
    store.close()


def test_a_damaged_database_is_unavailable(store: SqliteStore, tmp_path: Path) -> None:
    registry, done = effects(store)
    asyncio.run(registry.call("demo_act", {"idempotency_key": "k"}))
    store.close()
    path = tmp_path / "store.db"
    with path.open("r+b") as file:
        file.seek(4_096)
        file.write(os.urandom(path.stat().st_size - 4_096))
    failed(registry.call("demo_act", {"idempotency_key": "other"}))
    assert len(done) == 1


@pytest.mark.parametrize("version", [0, 99])
def test_another_programs_database_is_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "store.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE keys (id TEXT)")
    other.execute(f"PRAGMA user_version = {version}")
    other.commit()
    other.close()
    before = path.read_bytes()
    store = SqliteStore(path)
    assert "another program" in failed(store.keys.claim("k", "x")).message
    assert path.read_bytes() == before
    store.close()


def test_a_path_that_cannot_be_opened_is_not_told_to_callers(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "nowhere" / "store.db")
    assert str(tmp_path) not in failed(store.keys.claim("k", "x")).message
    (tmp_path / "nowhere").mkdir()
    assert isinstance(asyncio.run(store.keys.claim("k", "x")), Lease)
    store.close()


def test_a_store_that_was_closed_opens_again(store: SqliteStore) -> None:
    assert isinstance(asyncio.run(store.keys.claim("k", "x")), Lease)
    store.close()
    store.close()
    assert isinstance(asyncio.run(store.keys.claim("k", "x")), KeyedCall)
