"""What a generated client needs of whatever carries its calls."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping
    from typing import Protocol, TypedDict

    from toolspec.runtime.context import ProgressListener
    from toolspec.runtime.controls.approval import Approval, Approver

    class Carried(TypedDict, total=False):
        """What travels with a call besides its arguments.

        `approval` is a yes to exactly this call; `approver` answers what is asked in its middle.
        """

        request_id: str
        on_progress: ProgressListener | None
        approval: Approval | None
        approver: Approver | None
else:
    Protocol = object


class Transport(Protocol):
    """Carries calls by full name, or `name@version`: a Registry in process, or a connection.

    Failures are raised as ToolError from both methods, never returned or yielded. One with the
    code `LOST` says that nobody knows whether the call had its effect. Both take what `Carried`
    lists; not as `Unpack[Carried]`, which pyright finds in no other method.
    """

    def call(  # noqa: PLR0913 - two of its own, and what `Carried` lists
        self,
        name: str,
        arguments: Mapping[str, object],
        /,
        *,
        request_id: str = "",
        on_progress: ProgressListener | None = None,
        approval: Approval | None = None,
        approver: Approver | None = None,
    ) -> Awaitable[object]:
        """Return the tool's whole result, a JSON value."""
        raise NotImplementedError

    def stream(  # noqa: PLR0913 - the same
        self,
        name: str,
        arguments: Mapping[str, object],
        /,
        *,
        request_id: str = "",
        on_progress: ProgressListener | None = None,
        approval: Approval | None = None,
        approver: Approver | None = None,
    ) -> AsyncIterator[object]:
        """Return an iterator over the result's chunks; one item for a tool that does not stream."""
        raise NotImplementedError


LOST = "connection_lost"
"""The code of an error for a call whose connection broke before it was answered."""
