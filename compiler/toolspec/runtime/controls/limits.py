"""How much at a time and for how long: concurrency, rates, and the two timeouts."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Shared: TypeAlias = Literal["registry", "service", "tool", "caller"]


class Rate(Record):
    """At most `calls` in any `seconds`, counted together for what `shared` names.

    A caller without a name is its session, where the transport has one. Sessions cost their clients
    nothing: for a server without tokens a rate of a service, too, is what holds.
    """

    calls: int
    seconds: float
    shared: Shared = "service"


class Limits(Record):
    """`concurrency` is per service, None for no limit.

    `idle` and `total` are seconds, and hold for tools that declare none.
    """

    concurrency: int | None = 25
    rates: tuple[Rate, ...] = ()
    idle: float | None = None
    total: float | None = None
