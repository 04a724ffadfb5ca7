"""Idempotency keys: what is known of a call that has been made under one, and what follows."""

from __future__ import annotations

import time

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, Protocol, TypeAlias

    from toolspec.runtime.values import JsonObject, JsonValue

    Ending: TypeAlias = Literal["running", "ok", "failed", "unknown"]
    Clock: TypeAlias = Callable[[], float]
    """Epoch seconds."""
else:
    Protocol = object

DAY = 24 * 60 * 60
"""Seconds for which a key is remembered."""


class KeyedCall(Record):
    """What a store knows of a key: which arguments it was used for, and how that call ended.

    `result` is there for `ok`, `error` (the wire form) for `failed`.
    """

    digest: str
    ending: Ending = "running"
    result: JsonValue = None
    error: JsonObject | None = None


class KeyStore(Protocol):
    """Remembers keys for a day. `key` is already bound to tool and caller."""

    async def claim(self, key: str, digest: str) -> KeyedCall | None:
        """Return what is known of the key; None if it was free, and is now this caller's.

        One step: of two that claim one key at once only one gets None.
        """
        raise NotImplementedError

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Write down how the call ended."""
        raise NotImplementedError

    async def release(self, key: str) -> None:
        """Forget the key: the call did not begin, or said that a repeat may help."""
        raise NotImplementedError


class MemoryKeys:
    """A store of keys that lives and ends with its process.

    A day counts from the last that was heard of a key; one whose call still runs stays.
    """

    __slots__ = ("_clock", "_known")

    def __init__(self, clock: Clock = time.time) -> None:
        self._clock = clock
        self._known: dict[str, tuple[float, KeyedCall]] = {}  # the longest unheard of first

    async def claim(self, key: str, digest: str) -> KeyedCall | None:
        """Return what is known of the key; None if it was free, and is now this caller's."""
        self._forget_old()
        known = self._known.get(key)
        if known is not None:
            return known[1]
        self._write(key, KeyedCall(digest=digest))
        return None

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Write down how the call ended."""
        self._write(key, call)

    async def release(self, key: str) -> None:
        """Forget the key."""
        self._known.pop(key, None)

    def _write(self, key: str, call: KeyedCall) -> None:
        self._known.pop(key, None)
        self._known[key] = (self._clock(), call)

    def _forget_old(self) -> None:
        before = self._clock() - DAY
        while self._known:
            key, (heard, call) = next(iter(self._known.items()))
            if heard > before:
                return
            if call.ending == "running":
                self._write(key, call)
            else:
                del self._known[key]
