"""Who calls: what an authenticator returns, and whether that may call a tool."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    from toolspec.runtime.hooks import AnyContext

    Authenticator: TypeAlias = Callable[[AnyContext], "Caller | Awaitable[Caller | None] | None"]


class Caller(Record):
    """Somebody who calls. `scopes` are all that they hold; None where nobody knows them."""

    name: str
    scopes: tuple[str, ...] | None = None
