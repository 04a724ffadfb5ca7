"""Stores of idempotency keys."""

from __future__ import annotations

import json
import time

from toolspec.runtime.errors import ToolError
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, Protocol, TypeAlias

    from toolspec.shared.json_values import JsonObject, JsonValue

    Ending: TypeAlias = Literal["running", "ok", "failed", "unknown"]
    Clock: TypeAlias = Callable[[], float]
    """Epoch seconds."""
else:
    Protocol = object

DAY = 24 * 60 * 60
"""Seconds for which a key is remembered."""

MOST_KEYS = 250_000
"""Maximum number of keys in memory: some 150 MB."""

MOST_ANSWERS = 64 << 20
"""Maximum characters of results in memory, as JSON text."""


class KeyedCall(Record):
    """A stored key: the digest of its arguments and how its call ended.

    `result` is set for `ok`, `error` (the wire form) for `failed`.
    """

    digest: str
    ending: Ending = "running"
    result: JsonValue = None
    error: JsonObject | None = None


class KeyStore(Protocol):
    """Remembers keys for a day. `key` is already bound to tool and caller."""

    async def claim(self, key: str, digest: str) -> KeyedCall | None:
        """Claim the key, or return its stored call if it is taken.

        Atomic: of two concurrent claims of one key, only one gets None.
        """
        raise NotImplementedError

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Store how the call ended."""
        raise NotImplementedError

    async def release(self, key: str) -> None:
        """Release the key: the call did not begin, or may be retried."""
        raise NotImplementedError


class MemoryKeys:
    """An in-memory key store.

    A key expires a day after its last use; the key of a running call stays. The newest `answers`
    characters of results are kept; a call whose result was dropped has an unknown outcome, so that
    no tool has its effect twice. No key is dropped early: at the limit of `keys`, a new one is
    refused with ToolError `unavailable` before any effect.
    """

    __slots__ = ("_clock", "_keys", "_known", "_most", "_room", "_texts")

    def __init__(
        self, clock: Clock = time.time, *, keys: int = MOST_KEYS, answers: int = MOST_ANSWERS
    ) -> None:
        self._clock = clock
        self._keys = keys
        self._most = self._room = answers
        self._known: dict[str, tuple[float, str, Ending]] = {}  # least recently used first
        self._texts: dict[str, str] = {}  # results and errors of ended calls, oldest first

    async def claim(self, key: str, digest: str) -> KeyedCall | None:
        """Claim the key, or return its stored call if it is taken."""
        self._forget_old()
        known = self._known.get(key)
        if known is not None:
            _, digest, ending = known
            result, error = json.loads(self._texts.get(key, "[null,null]"))
            return KeyedCall(digest=digest, ending=ending, result=result, error=error)
        if len(self._known) >= self._keys:
            message = (
                "too many idempotency keys are remembered; a store in a file takes more of them"
            )
            raise ToolError.unavailable(message, code="too_many_keys", retryable=False)
        self._known[key] = (self._clock(), digest, "running")
        return None

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Store how the call ended."""
        self._forget(key)
        self._known[key] = (self._clock(), call.digest, call.ending)
        if call.ending in ("ok", "failed"):
            text = json.dumps([call.result, call.error], separators=(",", ":"))
            self._texts[key] = text
            self._room -= len(text)
            if len(text) > self._most:
                self._lose_answer(key)
        while self._room < 0:
            self._lose_answer(next(iter(self._texts)))

    async def release(self, key: str) -> None:
        """Release the key: the call did not begin, or may be retried."""
        self._forget(key)

    def _forget(self, key: str) -> None:
        self._known.pop(key, None)
        self._room += len(self._texts.pop(key, ""))

    def _lose_answer(self, key: str) -> None:
        heard, digest, _ = self._known[key]
        self._known[key] = (heard, digest, "unknown")
        self._room += len(self._texts.pop(key))

    def _forget_old(self) -> None:
        before = self._clock() - DAY
        while self._known:
            key, (heard, digest, ending) = next(iter(self._known.items()))
            if heard > before:
                return
            self._forget(key)
            if ending == "running":
                self._known[key] = (self._clock(), digest, ending)
