"""Logging of calls; loaded with the first record, for logging is dear to import."""

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
    """A logger whose records carry the call's identity.

    `tool`, `request_id`, `mode` and `instance` are attributes of each record; before the text are the
    first two, and the mode where it is not the live one.
    """

    def __init__(
        self,
        logger: logging.Logger | None,
        tool: str,
        request_id: str,
        mode: str = "",
        instance: str = "",
    ) -> None:
        about = {"tool": tool, "request_id": request_id, "mode": mode, "instance": instance}
        super().__init__(logger or logging.getLogger("toolspec"), about)
        # A request id may be a caller's text: it must neither break the line nor be a placeholder.
        shown = " ".join(filter(None, (tool, request_id, mode and f"mode={mode}")))
        self._prefix = one_line(shown).replace("%", "_")

    def process(
        self, msg: object, kwargs: MutableMapping[str, object]
    ) -> tuple[object, MutableMapping[str, object]]:
        """Return message and options with this call's identity added."""
        given = kwargs.get("extra")
        extra = dict(self.extra or {})
        if isinstance(given, dict):
            extra.update(given)
        return f"{self._prefix}: {msg}", {**kwargs, "extra": extra}
