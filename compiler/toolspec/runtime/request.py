"""The HTTP request of a call, as handlers see it."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping


class Request(Record):
    """The HTTP request of a call, without credentials and session ids.

    `headers` have lower-case names. `address` is the client's, behind proxies that the server trusts
    too; empty if unknown. `trace` has the W3C trace context: `traceparent`, `tracestate`, `baggage`.
    """

    headers: Mapping[str, str] = {}
    method: str = "POST"
    address: str = ""
    trace: Mapping[str, str] = {}
