"""Log records of served calls: who called which tool, and how it ended; never values."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Protocol

from toolspec.runtime.awaiting import awaited
from toolspec.shared.records import dataclass
from toolspec.shared.result_form import META

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from toolspec.runtime.call_options import Answer, Approver, Question
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.json_values import JsonObject

    Ending: TypeAlias = Literal["ok", "error", "cancelled", "input_required"]

_MAX_NAME = 128
"""Characters of a name that no tool has."""

calls_log = logging.getLogger("toolspec.calls")
"""One record a call, of level INFO."""

audit_log = logging.getLogger("toolspec.audit")
"""One record a call that may have an effect or was approved, of level INFO."""


@dataclass(slots=True)
class ServedCall:
    """A call that a server has begun; what is not known yet is empty.

    `approval` is `granted` or `refused` by the user. `waited` are the seconds until an
    answer.
    """

    name: str
    request_id: str
    tool: ToolDefinition | None
    caller: str | None
    transport: str
    protocol: str
    began: float
    is_begun: bool = False
    ending: Ending = "cancelled"
    code: str = ""
    approval: str = ""
    waited: float = 0.0
    seconds: float = 0.0

    def watched(self, approver: Approver | None) -> Approver | None:
        """Return an approver whose answers the record has."""
        if approver is None:
            return None

        async def approve(question: Question) -> Answer:
            began = time.perf_counter()
            try:
                answer: Any = await awaited(approver(question))
            finally:
                self.waited += time.perf_counter() - began
            self.approval = "granted" if answer else "refused"
            return answer  # type: ignore[no-any-return]  # as the approver declares it

        return approve

    def end(self, result: object) -> None:
        """Note how the call has ended: with a result, an error, or a question to the client."""
        if not isinstance(result, dict):
            self.ending = "input_required"
        elif result.get("isError"):
            self.ending, self.code = "error", result["_meta"][META]["error"]["code"]
        else:
            self.ending = "ok"

    def fields(self, digest: str) -> JsonObject:
        """Return the fields of the record."""
        tool = self.tool
        return {
            "tool": self.name[:_MAX_NAME] if tool is None else tool.full_name,
            "version": "" if tool is None else tool.version,
            "outcome": self.ending,
            "code": self.code,
            "duration": round(self.seconds, 6),
            "caller": self.caller,
            "request_id": self.request_id,
            "definitions": digest,
            "transport": self.transport,
            "protocol": self.protocol,
        }


class CallObserver(Protocol):
    """Something that sees each call of a server begin and end."""

    def begin(self, call: ServedCall) -> None:
        """See that a call begins."""

    def end(self, call: ServedCall) -> None:
        """See how a call has ended."""


class AuditSink(Protocol):
    """A place for audit records besides the log."""

    def write(self, record: JsonObject) -> None:
        """Append a record."""


class CallRecords:
    """Logs each call, and writes an audit record of those that may have an effect.

    `digest` identifies the build that is served.
    """

    def __init__(self, digest: str, audit: AuditSink | None = None) -> None:
        self._digest = digest
        self._audit = audit

    def begin(self, call: ServedCall) -> None:
        """Do nothing: a record is about the whole call."""

    def end(self, call: ServedCall) -> None:
        """Write the records of a call."""
        is_audited = call.approval != "" or (
            call.tool is not None and (call.tool.mutation or call.tool.open_world)
        )
        is_audited = is_audited and (self._audit is not None or _is_on(audit_log))
        if not is_audited and not _is_on(calls_log):
            return
        fields = call.fields(self._digest)
        if is_audited:
            self._write_audit(call, fields)
        _write(calls_log, fields)

    def _write_audit(self, call: ServedCall, common: JsonObject) -> None:
        fields = dict(common)
        if call.tool is not None:
            fields |= {
                "mutation": call.tool.mutation,
                "open_world": call.tool.open_world,
                "risk": call.tool.risk,
                "mode": call.tool.mode,
            }
        fields |= {"approval": call.approval, "approval_wait": round(call.waited, 6)}
        _write(audit_log, fields)
        if self._audit is not None:
            self._audit.write(fields)


def _is_on(log: logging.Logger) -> bool:
    return log.isEnabledFor(logging.INFO)


def _write(log: logging.Logger, fields: JsonObject) -> None:
    """Log a record, if the level lets it through; its message is for formats that show no fields."""
    if _is_on(log):
        shown = {name: value for name, value in fields.items() if value not in ("", None)}
        log.info("%s", " ".join(f"{name}={value}" for name, value in shown.items()), extra=fields)
