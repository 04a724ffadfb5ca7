"""Logging of calls; imported with the first record, because `logging` is slow to import."""

from __future__ import annotations

import logging

from toolspec.shared.json_values import one_line

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import MutableMapping

    _Adapter = logging.LoggerAdapter[logging.Logger]
else:
    _Adapter = logging.LoggerAdapter


class CallLog(_Adapter):
    """A logger whose records identify the call.

    Each record has the attributes `tool`, `request_id`, `mode` and `instance`; the message is
    prefixed with the first two, and the mode unless it is live.
    """

    def __init__(
        self,
        logger: logging.Logger | None,
        tool: str,
        request_id: str,
        mode: str = "",
        instance: str = "",
    ) -> None:
        attributes = {"tool": tool, "request_id": request_id, "mode": mode, "instance": instance}
        super().__init__(logger or logging.getLogger("toolspec"), attributes)
        # A request id may come from the caller: it must not break the line or act as a placeholder.
        identity = " ".join(filter(None, (tool, request_id, mode and f"mode={mode}")))
        self._prefix = one_line(identity).replace("%", "_")

    def process(
        self, msg: object, kwargs: MutableMapping[str, object]
    ) -> tuple[object, MutableMapping[str, object]]:
        """Return message and arguments with the call's identity added."""
        callers_extra = kwargs.get("extra")
        extra = dict(self.extra or {})
        if isinstance(callers_extra, dict):
            extra.update(callers_extra)
        return f"{self._prefix}: {msg}", {**kwargs, "extra": extra}
