"""Idempotency keys: one effect per key, tool and caller (decision 0009), and the store of keys."""

from __future__ import annotations

import hashlib
import json
import time

from toolspec.runtime.call import Answered
from toolspec.runtime.controls.undoing import run_or_undo
from toolspec.runtime.errors import ToolError
from toolspec.runtime.record import Record
from toolspec.runtime.values import copied
from toolspec.shared.canonical import canonical_json

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, Protocol, TypeAlias

    from toolspec.runtime.call import Call, Leave, Outcome, Stage
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition
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

    A key expires a day after its last use; the key of a running call does not expire. The newest
    `answers` characters of results are kept; a call without its result has an unknown outcome, so
    that no tool has its effect twice. No key is dropped early: at the limit of `keys`, a new one
    raises ToolError `unavailable` before any effect.
    """

    __slots__ = ("_claims", "_clock", "_keys", "_max_text", "_remaining_text", "_texts")

    def __init__(
        self, clock: Clock = time.time, *, keys: int = MOST_KEYS, answers: int = MOST_ANSWERS
    ) -> None:
        self._clock = clock
        self._keys = keys
        self._max_text = self._remaining_text = answers
        self._claims: dict[str, tuple[float, str, Ending]] = {}  # least recently used first
        self._texts: dict[str, str] = {}  # results and errors of ended calls, oldest first

    async def claim(self, key: str, digest: str) -> KeyedCall | None:
        """Claim the key, or return its stored call if it is taken."""
        self._forget_old()
        stored = self._claims.get(key)
        if stored is not None:
            _, digest, ending = stored
            result, error = json.loads(self._texts.get(key, "[null,null]"))
            return KeyedCall(digest=digest, ending=ending, result=result, error=error)
        if len(self._claims) >= self._keys:
            message = "too many idempotency keys are in memory; a `SqliteStore` can keep more"
            raise ToolError.unavailable(message, code="too_many_keys", retryable=False)
        self._claims[key] = (self._clock(), digest, "running")
        return None

    async def settle(self, key: str, call: KeyedCall) -> None:
        """Store how the call ended."""
        self._forget(key)
        self._claims[key] = (self._clock(), call.digest, call.ending)
        if call.ending in ("ok", "failed"):
            text = json.dumps([call.result, call.error], separators=(",", ":"))
            self._texts[key] = text
            self._remaining_text -= len(text)
            if len(text) > self._max_text:
                self._drop_result(key)
        while self._remaining_text < 0:
            self._drop_result(next(iter(self._texts)))

    async def release(self, key: str) -> None:
        """Release the key: the call did not begin, or may be retried."""
        self._forget(key)

    def _forget(self, key: str) -> None:
        self._claims.pop(key, None)
        self._remaining_text += len(self._texts.pop(key, ""))

    def _drop_result(self, key: str) -> None:
        last_used, digest, _ = self._claims[key]
        self._claims[key] = (last_used, digest, "unknown")
        self._remaining_text += len(self._texts.pop(key))

    def _forget_old(self) -> None:
        cutoff = self._clock() - DAY
        while self._claims:
            key, (last_used, digest, ending) = next(iter(self._claims.items()))
            if last_used > cutoff:
                return
            self._forget(key)
            if ending == "running":
                self._claims[key] = (self._clock(), digest, ending)


RUNNING_RETRY_MS = 1_000
"""Retry delay while the first call runs, since its duration is unknown."""

_UNKNOWN_EFFECT = frozenset(("timeout", "internal"))
"""Error categories that leave the effect of the handler unknown."""


def keying(tool: ToolDefinition, store: KeyStore) -> Stage:
    """Return the stage that runs the first call of a key and replays its outcome for repetitions.

    The result or final error of a finished call is replayed. The stage raises ToolError `conflict`:
    code `key_reused` for other arguments, `in_progress` while the first call runs,
    `outcome_unknown` if it ended without a response and the tool is not idempotent. A failure of
    the store is an error before any effect; after the effect it is logged, and the outcome of the
    key counts as unknown.
    """
    repeatable = tool.idempotent or tool.read_only

    async def keyed(call: Call) -> None:
        callers_key = call.context.idempotency_key
        if callers_key is None:
            return
        key = bound_key(tool, call.context.caller, callers_key, call.context.instance)
        digest = _digest(call.input)
        stored = await _claimed(call, store, key, digest)
        if stored is not None and stored.digest != digest:
            raise _reused()
        if stored is not None and (stored.ending != "unknown" or not repeatable):
            raise _error_of(stored)
        call.leaving = (*call.leaving, _settling(store, key, digest))
        if stored is not None:
            await store.settle(key, KeyedCall(digest=digest))

    return keyed


def marking(handler: AnyCallable) -> AnyCallable:
    """Return the handler of a tool with keys, wrapped to mark each call that reaches it."""

    def marked(input: JsonValue, context: AnyContext) -> object:  # noqa: A002 - the handler's parameter name
        context._begun = True  # noqa: SLF001 - internal field of the runtime
        return handler(input, context)

    return marked


def bound_key(tool: ToolDefinition, caller: str | None, key: str, instance: str = "") -> str:
    """Return the key as stored: a digest, since keys may be long.

    The same key in another mode or for another instance is a different key.
    """
    return _digest([tool.full_name, tool.version, caller, key, tool.mode, instance])


async def _claimed(call: Call, store: KeyStore, key: str, digest: str) -> KeyedCall | None:
    async def release(stored: KeyedCall | None) -> None:
        if stored is None:
            await store.release(key)

    return await run_or_undo(call.context, store.claim(key, digest), release)


def _settling(store: KeyStore, key: str, digest: str) -> Leave:
    """Return the stage that stores how the call with the key ended."""

    async def leave(call: Call, outcome: Outcome) -> None:
        ending = _ending(call, outcome)
        if ending is None:
            await store.release(key)
            return
        error = outcome.error.to_wire() if outcome.error and ending == "failed" else None
        result = copied(outcome.result) if ending == "ok" else None
        keyed_call = KeyedCall(digest=digest, ending=ending, result=result, error=error)
        await store.settle(key, keyed_call)

    return leave


def _ending(call: Call, outcome: Outcome) -> Ending | None:
    """Return the ending to store; None if the key is released."""
    if outcome.status == "ok":
        return "ok"
    error = outcome.error
    if not call.context._begun:  # noqa: SLF001 - internal field of the runtime
        return None
    if error is None or error.details.get("effect") == "unknown":
        return "unknown"
    if error.retryable:
        return None
    return "unknown" if error.category in _UNKNOWN_EFFECT else "failed"


def _error_of(stored: KeyedCall) -> Exception:
    """Return the exception that ends a repeated call."""
    if stored.ending == "ok":
        return Answered(copied(stored.result))
    if stored.ending == "failed" and stored.error is not None:
        return ToolError.from_wire(stored.error)
    if stored.ending == "running":
        return ToolError.conflict(
            "a call under this idempotency key is still running",
            code="in_progress",
            retryable=True,
            retry_after_ms=RUNNING_RETRY_MS,
        )
    return ToolError.conflict(
        "the call under this idempotency key ended without a result: its effect is unknown, and a "
        "second call could repeat it; check before you use a new key",
        code="outcome_unknown",
    )


def _reused() -> ToolError:
    return ToolError.conflict(
        "this idempotency key was used with other arguments: use a new key for each intended call",
        code="key_reused",
    )


def _digest(value: JsonValue) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
