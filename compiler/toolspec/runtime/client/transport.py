"""The transport protocol of generated clients."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping
    from typing import Protocol, TypedDict

    from toolspec.runtime.call_options import Approval, Approver
    from toolspec.runtime.progress import ProgressListener

    class CallEnvelope(TypedDict, total=False):
        """Options sent with a call besides its arguments.

        `approval` approves exactly this call; `approver` answers questions asked while it runs.
        """

        request_id: str
        on_progress: ProgressListener | None
        approval: Approval | None
        approver: Approver | None
else:
    Protocol = object


class Transport(Protocol):
    """Carries calls by full name or `name@version`: an in-process Registry, or a connection.

    Failures raise ToolError from both methods and are never returned or yielded. The code `LOST`
    means that the effect of the call is unknown. Both methods accept the fields of `CallEnvelope`,
    written out because pyright does not match `Unpack[CallEnvelope]` with other methods.
    """

    def call(  # noqa: PLR0913 - including the fields of `CallEnvelope`
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
        """Return the tool's complete result, a JSON value."""
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
        """Return an iterator of the result's chunks; one item if the tool does not stream."""
        raise NotImplementedError


LOST = "connection_lost"
"""The error code of a call whose connection broke before the response."""
