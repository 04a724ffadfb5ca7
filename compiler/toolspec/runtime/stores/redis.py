"""The store in a Redis server (7 or newer), or one that speaks its protocol; no cluster.

Each operation is one script, so that it is atomic, and safe to repeat when its answer was lost. The
clock is that of the server.
"""

from __future__ import annotations

import json
import os
import time

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from toolspec.runtime.errors import ToolError
from toolspec.runtime.stores import VERSION, Entry, Excess, KeyedCall, Lease, StoreError
from toolspec.runtime.stores.sql import json_text
from toolspec.runtime.stores.threads import NO_CONNECTION, Threads, unusable
from toolspec.runtime.stores.urls import StoreUrl

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from toolspec.runtime.stores import Slots, State, StoreOptions, Window
    from toolspec.shared.json_values import JsonObject, JsonValue

    T = TypeVar("T")

_THREADS = 4
_OLDEST = 7

_NOW = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
"""

# KEYS: the key. ARGV: digest, token, lease, milliseconds to keep, whether it is repeatable.
_CLAIM = f"""{_NOW}
local stored = redis.call('HMGET', KEYS[1], 'digest', 'state', 'token', 'leased', 'result', 'error')
local state = stored[2]
if state == 'claimed' or state == 'begun' then
    if stored[3] == ARGV[2] then return {{'leased'}} end
    if tonumber(stored[4]) > now then return {{'running', stored[1], 'null', 'null'}} end
    if state == 'claimed' then state = nil else state = 'unknown' end
end
local again = state == 'unknown' and ARGV[5] == '1' and stored[1] == ARGV[1]
if state and not again then return {{state, stored[1], stored[5], stored[6]}} end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'state', 'claimed', 'token', ARGV[2],
    'leased', tostring(now + ARGV[3]), 'result', 'null', 'error', 'null')
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {{'leased'}}
"""

# KEYS: the key. ARGV: token, new state or one of `renew` and `release`, lease, milliseconds to keep,
# digest, result, error.
_CHANGE = f"""{_NOW}
local stored = redis.call('HMGET', KEYS[1], 'state', 'token', 'leased')
if stored[2] ~= ARGV[1] then return 0 end
if stored[1] ~= 'claimed' and stored[1] ~= 'begun' then
    return stored[1] == ARGV[2] and 1 or 0
end
if tonumber(stored[3]) <= now then return 0 end
if ARGV[2] == 'release' then return redis.call('DEL', KEYS[1]) end
if ARGV[2] == 'renew' then
    redis.call('HSET', KEYS[1], 'leased', tostring(now + ARGV[3]))
elseif ARGV[2] == 'begun' then
    redis.call('HSET', KEYS[1], 'state', 'begun')
else
    redis.call('HSET', KEYS[1], 'state', ARGV[2], 'digest', ARGV[5], 'result', ARGV[6],
        'error', ARGV[7])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
"""

# KEYS: the slots, then the windows. ARGV: token, lease, limit of slots (or -1), then calls and
# seconds of each window.
_ENTER = f"""{_NOW}
local limit = tonumber(ARGV[3])
if limit >= 0 then
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
    if redis.call('ZCARD', KEYS[1]) >= limit then return {{'slots'}} end
end
local longest, slowest = 0, 0
for index = 2, #KEYS do
    local calls, seconds = tonumber(ARGV[2 * index]), tonumber(ARGV[2 * index + 1])
    redis.call('ZREMRANGEBYSCORE', KEYS[index], '-inf', now - seconds)
    local oldest = redis.call('ZREVRANGE', KEYS[index], calls - 1, calls - 1, 'WITHSCORES')
    if oldest[2] and oldest[2] + seconds - now > longest then
        longest, slowest = oldest[2] + seconds - now, index
    end
end
if slowest > 0 then return {{'window', slowest - 2, tostring(longest)}} end
for index = 2, #KEYS do
    redis.call('ZADD', KEYS[index], now, ARGV[1])
    redis.call('PEXPIRE', KEYS[index], math.ceil(ARGV[2 * index + 1] * 1000))
end
if limit >= 0 then
    redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
    redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] * 2000))
end
return {{'entered'}}
"""

# KEYS: the slots. ARGV: token, lease.
_RENEW_SLOT = f"""{_NOW}
local leased = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not leased or tonumber(leased) <= now then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] * 2000))
return 1
"""

# KEYS: order of the journal, its counter, the entry. ARGV: id, text, milliseconds to keep, entries
# to keep, start of the names of entries.
_BEGIN_ENTRY = """
redis.call('HSET', KEYS[3], 'entry', ARGV[2], 'state', 'begun')
redis.call('PEXPIRE', KEYS[3], ARGV[3])
redis.call('ZADD', KEYS[1], 'NX', redis.call('INCR', KEYS[2]), ARGV[1])
local old = redis.call('ZRANGE', KEYS[1], 0, -1 - ARGV[4])
for _, id in ipairs(old) do
    redis.call('DEL', ARGV[5] .. id)
    redis.call('ZREM', KEYS[1], id)
end
"""

# KEYS: the entry. ARGV: old state (empty for any), new state, members and values to set.
_CHANGE_ENTRY = """
local state = redis.call('HGET', KEYS[1], 'state')
if not state or (ARGV[1] ~= '' and state ~= ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'state', ARGV[2], unpack(ARGV, 3))
return 1
"""


class RedisStore:
    """A store in a Redis server: pass it to `with_controls(store=…)`.

    A server that may lose or evict keys is refused, unless the options accept that. If the server
    fails, the caller gets ToolError `unavailable` (code `store_unavailable`).
    """

    __slots__ = ("_server", "approvals", "is_shared", "journal", "keys", "limits")

    def __init__(self, url: str, options: StoreOptions) -> None:
        self._server = _Server(StoreUrl.parsed(url), options)
        self.keys = RedisKeys(self._server)
        self.journal = RedisJournal(self._server)
        self.approvals = RedisApprovals(self._server)
        self.limits = RedisLimits(self._server)
        self.is_shared = True

    def __repr__(self) -> str:
        return f"RedisStore({self._server.url.shown!r})"

    async def check(self) -> None:
        """Return if the server can be written, and keeps it. Raises StoreError that says why not."""
        try:
            await self._server.run(self._server.check)
        except ToolError as problem:
            message = f"`{self._server.url.shown}`: {self._server.reason or problem.message}"
            raise StoreError(message) from None

    async def secret(self, name: str) -> bytes:
        """Return 32 random bytes, which are the same for everybody who opens the store."""
        key = self._server.name("secret", name)

        def read() -> bytes:
            self._server.client.set(key, os.urandom(32).hex(), nx=True)
            return bytes.fromhex(str(self._server.client.get(key)))

        return await self._server.run(read)

    def close(self) -> None:
        """Finish pending operations and disconnect; a later operation connects again."""
        self._server.threads.close()
        self._server.client.close()


class _Server:
    """The connections to a server, and the leases that this process renews."""

    def __init__(self, url: StoreUrl, options: StoreOptions) -> None:
        self.url = url
        self.options = options
        self.reason = ""
        """Why the last operation failed, for operators."""
        self.keys: set[tuple[str, str]] = set()
        self.slots: set[tuple[str, str]] = set()
        self._is_checked = False
        try:
            self.client: Any = redis.Redis.from_url(
                url.text,
                decode_responses=True,
                socket_timeout=options.busy_seconds,
                socket_connect_timeout=options.busy_seconds,
                retry=Retry(ExponentialBackoff(cap=0.1, base=0.01), 2),
            )
        except ValueError as problem:
            message = f"`{url.shown}`: {url.without_password(problem)}"
            raise StoreError(message) from None
        scripts = {"claim": _CLAIM, "change": _CHANGE, "enter": _ENTER, "renew": _RENEW_SLOT}
        scripts |= {"begin": _BEGIN_ENTRY, "change_entry": _CHANGE_ENTRY}
        self._scripts = {name: self.client.register_script(text) for name, text in scripts.items()}
        self.threads = Threads(
            _THREADS,
            tick=self._renew,
            tick_seconds=options.lease_seconds / 3,
            disconnect=lambda: None,
            forked=self._forget,
        )

    def name(self, *parts: str) -> str:
        """Return the name of a value in the server."""
        return ":".join((self.url.namespace, *parts))

    def script(self, name: str, keys: Sequence[str], *arguments: str | float) -> Any:
        """Return the answer of a script."""
        return self._scripts[name](keys=keys, args=arguments)

    def lease_times(self) -> tuple[float, int]:
        """Return the seconds of a lease, and the milliseconds for which a key is kept."""
        lease = self.options.lease_seconds
        return lease, round(max(lease, self.options.keep_seconds) * 1000)

    async def run(self, job: Callable[[], T]) -> T:
        """Return the result of a job. Raises ToolError `unavailable` if the server fails."""
        started = time.monotonic()
        return await self.threads.run(lambda: self._execute(job, started))

    def _execute(self, job: Callable[[], T], started: float) -> T:
        if time.monotonic() - started > self.options.busy_seconds:
            raise unusable(NO_CONNECTION)
        try:
            if not self._is_checked:
                self._check_version()
            return job()
        except (redis.RedisError, StoreError, OSError) as problem:
            self._is_checked = False  # another server may answer next time
            self.reason = self.url.without_password(problem)
            kind = problem if isinstance(problem, StoreError) else type(problem).__name__
            raise unusable(kind) from None

    def _check_version(self) -> None:
        key = self.name("version")
        self.client.set(key, VERSION, nx=True)
        version = self.client.get(key)
        if version != str(VERSION):
            problem = f"it has version {version} of a store, and this program needs {VERSION}"
            raise StoreError(problem)
        self._is_checked = True

    def check(self) -> None:
        """Return if the server keeps data. Raises StoreError that says why not."""
        info = self.client.info("server", "memory", "persistence")
        version = str(info.get("redis_version", ""))
        problems = []
        if int(version.partition(".")[0] or 0) < _OLDEST:
            problems.append(f"it is Redis {version}, and {_OLDEST} is the oldest that is supported")
        if not self.options.may_lose:
            policy = info.get("maxmemory_policy", "noeviction")
            accept = "or accept second effects with `--store-may-lose`"
            if policy != "noeviction":
                problems.append(f"it evicts by `{policy}`: set `noeviction`, {accept}")
            if not info.get("aof_enabled"):
                problems.append(f"it loses keys when it ends: set `appendonly yes`, {accept}")
        if problems:
            raise StoreError("; ".join(problems))

    def _forget(self) -> None:
        """Drop all leases: in a forked process, they are those of its parent."""
        self.keys.clear()
        self.slots.clear()

    def _renew(self) -> None:
        lease, keep = self.lease_times()

        def renew() -> None:
            for key, token in tuple(self.keys):
                self.script("change", [self.name("key", key)], token, "renew", lease, keep)
            for name, token in tuple(self.slots):
                self.script("renew", [self.name("slots", name)], token, lease)

        if self.keys or self.slots:
            self._execute(renew, time.monotonic())


class RedisKeys:
    """A key store in a server; of all processes that claim a key, one succeeds."""

    __slots__ = ("_server",)

    def __init__(self, server: _Server) -> None:
        self._server = server

    async def claim(
        self, key: str, digest: str, *, is_repeatable: bool = False
    ) -> Lease | KeyedCall:
        """Claim the key, or return its stored call if it is taken."""
        token = os.urandom(8).hex()
        lease, keep = self._server.lease_times()
        state, *stored = await self._server.run(
            lambda: self._server.script(
                "claim",
                [self._server.name("key", key)],
                *(digest, token, lease, keep, int(is_repeatable)),
            )
        )
        if state == "leased":
            self._server.keys.add((key, token))
            return Lease(key=key, token=token)
        stored_digest, result, error = stored
        return KeyedCall(
            digest=stored_digest, ending=state, result=json.loads(result), error=json.loads(error)
        )

    async def begin(self, lease: Lease) -> bool:
        """Record that the handler begins; return False if the lease has ended."""
        return await self._change(lease, "begun")

    async def settle(self, lease: Lease, call: KeyedCall) -> bool:
        """Store how the call ended; return False if the lease has ended."""
        self._server.keys.discard((lease.key, lease.token))
        values = (call.digest, json_text(call.result), json_text(call.error))
        return await self._change(lease, call.ending, *values)

    async def release(self, lease: Lease) -> bool:
        """Release the key: the call did not begin, or may be retried. False as in `settle`."""
        self._server.keys.discard((lease.key, lease.token))
        return await self._change(lease, "release")

    async def _change(self, lease: Lease, change: str, *values: str) -> bool:
        seconds, keep = self._server.lease_times()
        name = self._server.name("key", lease.key)
        changed = await self._server.run(
            lambda: self._server.script(
                "change", [name], lease.token, change, seconds, keep, *values
            )
        )
        return bool(changed)


class RedisJournal:
    """A journal in a server; of all processes that revert an entry, one succeeds."""

    __slots__ = ("_server",)

    def __init__(self, server: _Server) -> None:
        self._server = server

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        server, options = self._server, self._server.options
        keys = [server.name("order"), server.name("entries"), self._name(entry.id)]
        keep = round(options.keep_entries_seconds * 1000)
        text = json_text(vars(entry))
        await server.run(
            lambda: server.script(
                "begin", keys, entry.id, text, keep, options.max_entries, self._name("")
            )
        )

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        values = ("output", json_text(output), "metadata", json_text(metadata))
        await self._change(entry, "", "done", *values)

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        server = self._server

        def forget() -> None:
            server.client.zrem(server.name("order"), entry)
            server.client.delete(self._name(entry))

        await server.run(forget)

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`."""
        return await self._change(entry, "done", "reverting")

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        await self._change(entry, "reverting", "done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        await self.forget(entry)

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        server = self._server

        def read() -> list[dict[str, str]]:
            ids = server.client.zrevrange(server.name("order"), 0, -1)
            pipeline = server.client.pipeline(transaction=False)
            for each in ids:
                pipeline.hgetall(self._name(each))
            members = pipeline.execute() if ids else []
            expired = [each for each, found in zip(ids, members, strict=True) if not found]
            if expired:
                server.client.zrem(server.name("order"), *expired)
            return [found for found in members if found]

        return [_entry(members) for members in await server.run(read)]

    def _name(self, entry: str) -> str:
        return self._server.name("entry", entry)

    async def _change(self, entry: str, old: State | str, new: State, *values: str) -> bool:
        changed = await self._server.run(
            lambda: self._server.script("change_entry", [self._name(entry)], old, new, *values)
        )
        return bool(changed)


def _entry(members: dict[str, str]) -> Entry:
    texts = {name: json.loads(members[name]) for name in ("output", "metadata") if name in members}
    return Entry(**{**json.loads(members["entry"]), "state": members["state"], **texts})


class RedisApprovals:
    """Used approvals in a server, until they expire."""

    __slots__ = ("_server",)

    def __init__(self, server: _Server) -> None:
        self._server = server

    async def claim(self, approval: str, seconds: float) -> bool:
        """Return whether an approval is unused, and mark it as used for some seconds."""
        name, milliseconds = self._server.name("approval", approval), max(1, round(seconds * 1000))
        client = self._server.client
        claimed = await self._server.run(lambda: client.set(name, 1, nx=True, px=milliseconds))
        return claimed is not None

    async def release(self, approval: str) -> None:
        """Let an approval be used: its call was refused before its handler could begin."""
        name = self._server.name("approval", approval)
        await self._server.run(lambda: self._server.client.delete(name))


class RedisLimits:
    """Counts of calls in a server: sliding windows, and slots with leases."""

    __slots__ = ("_server",)

    def __init__(self, server: _Server) -> None:
        self._server = server

    async def enter(self, windows: Sequence[Window], slots: Slots | None) -> Lease | Excess:
        """Count a call in all windows and slots; in none of them if it would exceed one."""
        server, token = self._server, os.urandom(8).hex()
        slots_name = slots.name if slots is not None else ""
        limit = slots.limit if slots is not None else -1
        keys = [server.name("slots", slots_name)]
        keys += [server.name("calls", window.name) for window in windows]
        sizes = [value for window in windows for value in (window.calls, window.seconds)]
        outcome, *details = await server.run(
            lambda: server.script("enter", keys, token, server.lease_times()[0], limit, *sizes)
        )
        if outcome == "slots":
            return Excess()
        if outcome == "window":
            return Excess(window=int(details[0]), wait=float(details[1]))
        if slots is not None:
            server.slots.add((slots_name, token))
        return Lease(key=slots_name, token=token)

    async def leave(self, lease: Lease) -> None:
        """Free the slot of a call that has ended."""
        server = self._server
        server.slots.discard((lease.key, lease.token))
        name = server.name("slots", lease.key)
        await server.run(lambda: server.client.zrem(name, lease.token))
