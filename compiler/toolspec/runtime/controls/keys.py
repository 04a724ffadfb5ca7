"""Idempotency keys: what is known of a call that has been made under one."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, Protocol, TypeAlias

    from toolspec.runtime.values import JsonObject, JsonValue

    Ending: TypeAlias = Literal["running", "ok", "failed", "unknown"]
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
