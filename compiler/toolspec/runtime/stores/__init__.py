"""Stores: state of a registry that outlives a call and a process, in a file or on a server.

The stores of a file or a server are shared by all processes that open them.
"""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal, Protocol, TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    Ending: TypeAlias = Literal["running", "ok", "failed", "unknown"]
    State: TypeAlias = Literal["begun", "done", "reverting"]
    Clock: TypeAlias = Callable[[], float]
    """Epoch seconds."""

else:
    Protocol = object


VERSION = 5
"""Version of what stores contain; a store of another version is refused, never rewritten."""

DAY = 24 * 60 * 60

MAX_ENTRIES = 1_000
"""Default maximum number of journal entries; the oldest are dropped."""


class StoreOptions(Record):
    """Times and sizes of a store.

    A running call has a lease of `lease_seconds`, which its process renews. A key is kept
    `keep_seconds` after its last use, a journal entry `keep_entries_seconds`. An operation fails
    after `busy_seconds`. `may_lose` accepts a Redis server that may lose data.
    """

    lease_seconds: float = 60.0
    keep_seconds: float = DAY
    keep_entries_seconds: float = 30 * DAY
    max_entries: int = MAX_ENTRIES
    busy_seconds: float = 5.0
    may_lose: bool = False


class StoreError(Exception):
    """A store that cannot be used; the message contains no password."""


class Lease(Record):
    """A claimed key. `token` fences it: a claim by another call makes every other token invalid."""

    key: str
    token: str


class KeyedCall(Record):
    """A stored key: the digest of its arguments and how its call ended.

    `result` is set for `ok`, `error` (the wire form) for `failed`.
    """

    digest: str
    ending: Ending = "running"
    result: JsonValue = None
    error: JsonObject | None = None


class KeyStore(Protocol):
    """Remembers the calls of keys. `key` is already bound to tool and caller.

    A claimed key has a lease that its store renews while the process lives. A lease that has ended
    never lives again: its call can neither begin, settle nor release.
    """

    async def claim(
        self, key: str, digest: str, *, is_repeatable: bool = False
    ) -> Lease | KeyedCall:
        """Claim the key, or return its stored call if it is taken.

        Atomic: of concurrent claims of one key, only one gets a lease. A key whose lease has ended
        is free if its handler had not begun, and of unknown outcome otherwise. `is_repeatable`
        claims a key of unknown outcome with the same digest too.
        """
        raise NotImplementedError

    async def begin(self, lease: Lease) -> bool:
        """Record that the handler begins; return False if the lease has ended."""
        raise NotImplementedError

    async def settle(self, lease: Lease, call: KeyedCall) -> bool:
        """Store how the call ended; return False if the lease has ended."""
        raise NotImplementedError

    async def release(self, lease: Lease) -> bool:
        """Release the key: the call did not begin, or may be retried. False as in `settle`."""
        raise NotImplementedError


class Entry(Record):
    """One call of a revertible tool. `at` is epoch seconds; `metadata` is the handler's."""

    id: str
    tool: str
    """The full name; `name@version` where the tool has one."""
    at: float
    input: JsonValue
    caller: str | None = None
    request_id: str = ""
    instance: str = ""
    mode: str = ""
    state: State = "begun"
    output: JsonValue = None
    metadata: JsonObject = {}  # noqa: RUF012 - a frozen record's default, never changed


class Journal(Protocol):
    """Stores entries in the order in which they were begun.

    An entry is kept until it is forgotten, reverted, or exceeds the maximum number of entries.
    """

    async def begin(self, entry: Entry) -> None:
        """Store a new entry before its handler runs."""
        raise NotImplementedError

    async def finish(self, entry: str, output: JsonValue, metadata: JsonObject) -> None:
        """Store the handler's result; the entry can now be reverted."""
        raise NotImplementedError

    async def forget(self, entry: str) -> None:
        """Drop an entry whose handler reported no effect."""
        raise NotImplementedError

    async def reverting(self, entry: str) -> bool:
        """Return whether the caller may revert the entry: claim it if it was `done`.

        Of all concurrent callers, in any process, one succeeds.
        """
        raise NotImplementedError

    async def release(self, entry: str) -> None:
        """Set an entry from `reverting` back to `done`: its revert has had no effect."""
        raise NotImplementedError

    async def reverted(self, entry: str) -> None:
        """Drop a reverted entry."""
        raise NotImplementedError

    async def entries(self) -> list[Entry]:
        """Return all entries, the newest first."""
        raise NotImplementedError


class SpentApprovals(Protocol):
    """Remembers used approvals until they expire."""

    async def claim(self, approval: str, seconds: float) -> bool:
        """Return whether an approval is unused, and mark it as used for some seconds.

        Of all concurrent callers, in any process, one succeeds.
        """
        raise NotImplementedError

    async def release(self, approval: str) -> None:
        """Let an approval be used: its call was refused before its handler could begin."""
        raise NotImplementedError


class Window(Record):
    """A rate: at most `calls` in any `seconds`, counted by name."""

    name: str
    calls: int
    seconds: float


class Slots(Record):
    """Concurrent calls: at most `limit`, counted by name."""

    name: str
    limit: int


class Excess(Record):
    """The limit that a call would exceed: the index of a window, or None for the slots."""

    window: int | None = None
    wait: float = 0.0
    """Seconds until the window has room."""


class LimitStore(Protocol):
    """Counts calls, so that limits hold for all processes together."""

    async def enter(self, windows: Sequence[Window], slots: Slots | None) -> Lease | Excess:
        """Count a call in all windows and slots; in none of them if it would exceed one.

        The store renews the lease of a slot while the process lives.
        """
        raise NotImplementedError

    async def leave(self, lease: Lease) -> None:
        """Free the slot of a call that has ended."""
        raise NotImplementedError


class Store(Protocol):
    """Everything that the calls of a registry leave behind; pass it to `with_controls`.

    A failing operation raises ToolError `unavailable` (code `store_unavailable`).
    """

    @property
    def keys(self) -> KeyStore:
        """The idempotency keys."""
        raise NotImplementedError

    @property
    def journal(self) -> Journal:
        """The calls that can be reverted."""
        raise NotImplementedError

    @property
    def approvals(self) -> SpentApprovals:
        """The used approvals."""
        raise NotImplementedError

    @property
    def limits(self) -> LimitStore | None:
        """The counts of limits; None if the registry counts for itself."""
        raise NotImplementedError

    @property
    def is_shared(self) -> bool:
        """Whether other processes can open the same store."""
        raise NotImplementedError

    async def check(self) -> None:
        """Return if the store can be written. Raises StoreError that says why not."""
        raise NotImplementedError

    async def secret(self, name: str) -> bytes:
        """Return 32 random bytes, which are the same for everybody who opens the store."""
        raise NotImplementedError

    def close(self) -> None:
        """Finish pending operations and disconnect; a later operation connects again."""
        raise NotImplementedError


SCHEMES = ("sqlite:///PATH", "redis://HOST", "rediss://HOST", "postgresql://HOST/DATABASE")


def open_store(url: str, options: StoreOptions | None = None) -> Store:
    """Return the store of a URL, which is connected at its first use.

    `sqlite:///calls.db` is relative to the current folder, `sqlite:////var/lib/calls.db` absolute.
    `memory:` is a store of this process. Raises StoreError for other URLs, and if the library of
    the store is missing.
    """
    options = options or StoreOptions()
    scheme, colon, rest = url.partition(":")
    if scheme == "memory" and colon:
        from toolspec.runtime.stores.memory import MemoryStore

        return MemoryStore(options)
    if scheme == "sqlite" and rest.startswith("///") and rest[3:]:
        from urllib.parse import unquote

        from toolspec.runtime.stores.sqlite import SqliteStore

        return SqliteStore(unquote(rest[3:]), options)
    if scheme in ("redis", "rediss") and rest.startswith("//"):
        _require("redis", extra="redis")
        from toolspec.runtime.stores.redis import RedisStore

        return RedisStore(url, options)
    if scheme in ("postgresql", "postgres") and rest.startswith("//"):
        _require("psycopg", extra="postgresql")
        from toolspec.runtime.stores.postgresql import PostgresqlStore

        return PostgresqlStore(url, options)
    known = ", ".join(f"`{form}`" for form in SCHEMES)
    problem = f"{_shown(scheme, colon)} is no store: write {known} or `memory:`"
    raise StoreError(problem)


def _shown(scheme: str, colon: str) -> str:
    """Return the part of an invalid URL that can hold no password."""
    return f"`{scheme}:…`" if colon and scheme.isidentifier() else "the text"


def _require(module: str, *, extra: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        problem = (
            f"a store in {extra.capitalize()} needs `{module}`: install `toolspec-runtime[{extra}]`"
        )
        raise StoreError(problem)
