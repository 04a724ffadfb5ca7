"""Idempotency keys: one effect per key, tool and caller (decision 0009)."""

from __future__ import annotations

import hashlib

from toolspec.runtime.awaiting import closed
from toolspec.runtime.call import Answered
from toolspec.runtime.controls.undoing import run_or_undo
from toolspec.runtime.errors import ToolError
from toolspec.runtime.stores import KeyedCall, Lease
from toolspec.runtime.values import copied
from toolspec.shared.canonical import canonical_json

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine

    from toolspec.runtime.call import Call, Leave, Outcome, Stage
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.stores import Ending, KeyStore
    from toolspec.shared.json_values import JsonObject, JsonValue


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
    is_repeatable = tool.idempotent or tool.read_only

    async def keyed(call: Call) -> None:
        context = call.context
        if context.idempotency_key is None:
            return
        key = bound_key(tool, _owner(context), context.idempotency_key, context.instance)
        digest = _digest(call.input)
        claim = store.claim(key, digest, is_repeatable=is_repeatable)
        stored = await run_or_undo(context, claim, _released(store))
        if isinstance(stored, Lease):
            context._begin = _beginning(store, stored)  # noqa: SLF001 - internal field of the runtime
            call.leaving = (*call.leaving, _settling(store, stored, digest))
            return
        if stored.digest != digest:
            raise _reused()
        if stored.ending in ("ok", "failed") and _is_anonymous(context):
            raise _not_replayed()
        raise _error_of(stored)

    return keyed


def marking(handler: AnyCallable, *, is_streaming: bool) -> AnyCallable:
    """Return the handler of a tool with keys, wrapped to record that it begins."""

    async def called(input: JsonValue, context: AnyContext) -> object:  # noqa: A002 - the handler's parameter name
        await _begin(context)
        return await handler(input, context)

    async def streamed(input: JsonValue, context: AnyContext) -> AsyncGenerator[object, None]:  # noqa: A002 - the same
        await _begin(context)
        chunks = handler(input, context)
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            await closed(chunks)

    return streamed if is_streaming else called


async def _begin(context: AnyContext) -> None:
    if context._begin is not None:  # noqa: SLF001 - internal field of the runtime
        await context._begin()  # noqa: SLF001 - the same
    context._begun = True  # noqa: SLF001 - the same


def bound_key(tool: ToolDefinition, owner: JsonValue, key: str, instance: str = "") -> str:
    """Return the key as stored: a digest, since keys may be long.

    The same key in another mode or for another instance is a different key.
    """
    return _digest([tool.full_name, tool.version, owner, key, tool.mode, instance])


def _owner(context: AnyContext) -> JsonValue:
    """Return who a key belongs to: the caller, or the session of a caller without a name."""
    session = (context.transport or {}).get("session")
    return context.caller if context.caller is not None or session is None else ["session", session]


def _is_anonymous(context: AnyContext) -> bool:
    """Return whether the caller cannot be identified: over HTTP, without name and session."""
    transport = context.transport or {}
    is_unnamed = context.caller is None and transport.get("session") is None
    return is_unnamed and transport.get("kind") == "http"


def _released(store: KeyStore) -> Callable[[Lease | KeyedCall], Coroutine[object, object, None]]:
    async def release(claimed: Lease | KeyedCall) -> None:
        if isinstance(claimed, Lease):
            await store.release(claimed)

    return release


def _beginning(store: KeyStore, lease: Lease) -> Callable[[], Awaitable[None]]:
    """Return a function that records the beginning; it raises ToolError before any effect."""

    async def begin() -> None:
        try:
            has_lease = await store.begin(lease)
        except ToolError as problem:
            problem.details = {**problem.details, "effect": "none"}
            raise
        if not has_lease:
            message = "the lease of this idempotency key ended before the call began: try again"
            effect: JsonObject = {"effect": "none"}
            raise ToolError.unavailable(message, code="lease_ended", details=effect)

    return begin


def _settling(store: KeyStore, lease: Lease, digest: str) -> Leave:
    """Return the stage that stores how the call with the key ended."""

    async def leave(call: Call, outcome: Outcome) -> None:
        ending = _ending(call, outcome)
        if ending is None:
            await store.release(lease)
            return
        error = outcome.error.to_wire() if outcome.error and ending == "failed" else None
        result = copied(outcome.result) if ending == "ok" else None
        keyed_call = KeyedCall(digest=digest, ending=ending, result=result, error=error)
        if not await store.settle(lease, keyed_call):
            call.context.log.error(
                "ran longer than the lease of its idempotency key, whose outcome counts as unknown"
            )

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


def _not_replayed() -> ToolError:
    return ToolError.conflict(
        "a call under this idempotency key has ended; its result is returned only to a caller with a "
        "token or a session, since anybody may send the key",
        code="not_replayed",
    )


def _reused() -> ToolError:
    return ToolError.conflict(
        "this idempotency key was used with other arguments: use a new key for each intended call",
        code="key_reused",
    )


def _digest(value: JsonValue) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
