"""The store in the memory of one process.

The event loops of several threads may share it. Each operation changes it with a lock held, and
awaits nothing meanwhile.
"""

from __future__ import annotations

import json
import os
import threading
import time

from toolspec.runtime.errors import ToolError
from toolspec.runtime.stores import MAX_ENTRIES, Entry, KeyedCall, Lease, StoreOptions

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.stores import Clock, LimitStore
    from toolspec.shared.json_values import JsonObject, JsonValue

MOST_KEYS = 250_000
"""Maximum number of keys in memory: some 150 MB."""

MOST_ANSWERS = 64 << 20
"""Maximum characters of results in memory, as JSON text."""

_RUNNING = ("claimed", "begun")


class MemoryStore:
    """A store of this process, lost with it."""

    __slots__ = ("approvals", "is_shared", "journal", "keys", "limits", "secrets")

    def __init__(self, options: StoreOptions | None = None) -> None:
        options = options or StoreOptions()
        self.keys = MemoryKeys(keep_seconds=options.keep_seconds)
        self.journal = MemoryJournal(options.max_entries)
        self.approvals = MemoryApprovals()
        self.limits: LimitStore | None = None
        self.is_shared = False
        self.secrets: dict[str, bytes] = {}

    async def check(self) -> None:
        """Return: memory can always be written."""

    async def secret(self, name: str) -> bytes:
        """Return 32 random bytes, the same for every caller."""
        return self.secrets.setdefault(name, os.urandom(32))

    def close(self) -> None:
        """Do nothing: the store lives as long as its object."""


class MemoryApprovals:
    """Used approvals, until they expire."""

    __slots__ = ("_clock", "_lock", "_until")

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until: dict[str, float] = {}

    async def claim(self, approval: str, seconds: float) -> bool:
        """Return whether an approval is unused, and mark it as used for some seconds."""
        with self._lock:
            now = self._clock()
            self._until = {key: until for key, until in self._until.items() if until > now}
            if approval in self._until:
                return False
            self._until[approval] = now + seconds
            return True

    async def release(self, approval: str) -> None:
        """Let an approval be used: its call was refused before its handler could begin."""
        with self._lock:
            self._until.pop(approval, None)


class MemoryKeys:
    """An in-memory key store.

    A lease ends only with the process. A key expires a day after its last use; the key of a running
    call does not expire. The newest `answers` characters of results are kept; a call without its
    result has an unknown outcome, so that no tool has its effect twice. No key is dropped early: at
    the limit of `keys`, a new one raises ToolError `unavailable` before any effect.
    """

    __slots__ = (
        "_claims",
        "_clock",
        "_keep",
        "_keys",
        "_lock",
        "_max_text",
        "_remaining_text",
        "_texts",
    )

    def __init__(
        self,
        clock: Clock = time.time,
        *,
        keep_seconds: float = StoreOptions.keep_seconds,
        keys: int = MOST_KEYS,
        answers: int = MOST_ANSWERS,
    ) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._keep = keep_seconds
        self._keys = keys
        self._max_text = self._remaining_text = answers
        # Time of the last use, digest, state and token, the least recently used first.
        self._claims: dict[str, tuple[float, str, str, str]] = {}
        self._texts: dict[str, str] = {}  # results and errors of ended calls, oldest first

    async def claim(
        self, key: str, digest: str, *, is_repeatable: bool = False
    ) -> Lease | KeyedCall:
        """Claim the key, or return its stored call if it is taken."""
        lease = Lease(key=key, token=os.urandom(8).hex())
        with self._lock:
            self._forget_old()
            stored = self._claims.get(key)
            if stored is None or (is_repeatable and stored[1:3] == (digest, "unknown")):
                if stored is None and len(self._claims) >= self._keys:
                    message = (
                        "too many idempotency keys are in memory; a `SqliteStore` can keep more"
                    )
                    raise ToolError.unavailable(message, code="too_many_keys", retryable=False)
                self._put(lease, digest, "claimed")
                return lease
            text = self._texts.get(key, "[null,null]")
        result, error = json.loads(text)
        _, digest, state, _ = stored
        ending = "running" if state in _RUNNING else state
        return KeyedCall(digest=digest, ending=ending, result=result, error=error)  # type: ignore[arg-type]  # a state that is not running

    async def begin(self, lease: Lease) -> bool:
        """Record that the handler begins."""
        with self._lock:
            if not self._is_held(lease):
                return False
            self._put(lease, self._claims[lease.key][1], "begun")
            return True

    async def settle(self, lease: Lease, call: KeyedCall) -> bool:
        """Store how the call ended."""
        text = ""
        if call.ending in ("ok", "failed"):
            text = json.dumps([call.result, call.error], separators=(",", ":"))
        with self._lock:
            if not self._is_held(lease):
                return False
            self._put(lease, call.digest, call.ending)
            if text:
                self._texts[lease.key] = text
                self._remaining_text -= len(text)
                if len(text) > self._max_text:
                    self._drop_result(lease.key)
            while self._remaining_text < 0:
                self._drop_result(next(iter(self._texts)))
            return True

    async def release(self, lease: Lease) -> bool:
        """Release the key: the call did not begin, or may be retried."""
        with self._lock:
            if not self._is_held(lease):
                return False
            self._forget(lease.key)
            return True

    # The functions below are called with the lock held.

    def _is_held(self, lease: Lease) -> bool:
        stored = self._claims.get(lease.key)
        return stored is not None and stored[3] == lease.token

    def _put(self, lease: Lease, digest: str, state: str) -> None:
        self._forget(lease.key)
        self._claims[lease.key] = (self._clock(), digest, state, lease.token)

    def _forget(self, key: str) -> None:
        self._claims.pop(key, None)
        self._remaining_text += len(self._texts.pop(key, ""))

    def _drop_result(self, key: str) -> None:
        last_used, digest, _, token = self._claims[key]
        self._claims[key] = (last_used, digest, "unknown", token)
        self._remaining_text += len(self._texts.pop(key))

    def _forget_old(self) -> None:
        cutoff = self._clock() - self._keep
        while self._claims:
            key, (last_used, digest, state, token) = next(iter(self._claims.items()))
            if last_used > cutoff:
                return
            self._forget(key)
            if state in _RUNNING:
                self._claims[key] = (self._clock(), digest, state, token)


class MemoryJournal:
    """An in-memory journal of the newest `max_entries` entries."""

    __slots__ = ("_entries", "_lock", "_max_entries")

    def __init__(self, max_entries: int = MAX_ENTRIES) -> None:
        self._entries: dict[str, Entry] = {}
        self._lock = threading.Lock()
        self._max_entries = max_entries

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        with self._lock:
            self._entries[entry.id] = entry
            if len(self._entries) > self._max_entries:
                del self._entries[next(iter(self._entries))]

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        with self._lock:
            self._change(entry, state="done", output=output, metadata=metadata)

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        with self._lock:
            self._entries.pop(entry, None)

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`."""
        with self._lock:
            stored = self._entries.get(entry)
            if stored is None or stored.state != "done":
                return False
            self._change(entry, state="reverting")
            return True

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        with self._lock:
            stored = self._entries.get(entry)
            if stored is not None and stored.state == "reverting":
                self._change(entry, state="done")

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        await self.forget(entry)

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        with self._lock:
            return list(self._entries.values())[::-1]

    def _change(self, entry: str, **fields: object) -> None:
        stored = self._entries.get(entry)
        if stored is not None:
            self._entries[entry] = Entry(**{**vars(stored), **fields})
