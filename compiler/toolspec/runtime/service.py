"""A service with what it was bound to: handlers, hooks, settings, credentials."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Literal, TypeAlias

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import ServiceDefinition

    OutputCheck: TypeAlias = Literal["strict", "warn", "off"]
    CredentialsProvider: TypeAlias = Callable[
        [str | None], "Mapping[str, object] | Awaitable[Mapping[str, object] | None] | None"
    ]
    Credentials: TypeAlias = Confidential | CredentialsProvider | None


def member(owner: object, name: str) -> AnyCallable | None:
    """Return the callable of that name of an object, a module or a mapping, or None."""
    found = owner.get(name) if isinstance(owner, dict) else getattr(owner, name, None)
    return found if callable(found) else None


class BoundService(Record):
    """One service, ready to be called; `bind_service` has checked that all of it fits.

    `credentials` are everybody's, or a function that gives those of a caller.
    """

    definition: ServiceDefinition
    handlers: object
    hooks: object = None
    settings: Confidential | None = None
    credentials: Credentials = None
    output_check: OutputCheck = "strict"
    logger: logging.Logger | None = None
