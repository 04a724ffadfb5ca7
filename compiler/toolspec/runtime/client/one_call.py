"""A client's call: arguments, name and request id as sent."""

from __future__ import annotations

import os

from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.names import exact_name
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.runtime.controls.approval import Approval
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.shared.json_values import JsonObject


class ClientCall:
    """One call with a copy of the arguments and an idempotency key, shared by all retries.

    `name` is the tool's name, with its version if there are several. Raises ToolError `validation`
    for arguments that are not JSON.
    """

    __slots__ = ("arguments", "is_approved", "name", "request_id", "tool")

    def __init__(
        self,
        tool: ToolDefinition,
        arguments: Mapping[str, object],
        key: str | None,
        instance: str = "",
    ) -> None:
        self.tool = tool
        self.name = exact_name(tool)
        self.request_id = os.urandom(8).hex()
        self.arguments = self._sendable(arguments)
        self.is_approved = False
        if instance:
            self.arguments["instance"] = instance
        if tool.idempotency != "none" and "idempotency_key" not in self.arguments:
            self.arguments["idempotency_key"] = os.urandom(16).hex() if key is None else key

    @property
    def is_repeatable(self) -> bool:
        """Whether calling twice has the same effect as calling once."""
        tool = self.tool
        return tool.read_only or tool.idempotent or tool.idempotency != "none"

    @property
    def subject(self) -> tuple[str, object]:
        """The key of a remembered approval: the tool, and the instance if there are several."""
        return self.name, self.arguments.get("instance") if self.tool.instances else None

    def sent(self) -> JsonObject:
        """Return a copy of the arguments for one attempt: in-process handlers may change theirs."""
        return self._sendable(self.arguments)

    def approval(self) -> Approval | None:
        """Return a new approval for each attempt, since an approval can be used once."""
        if not self.is_approved:
            return None
        from toolspec.runtime.controls.approval import approve

        return approve(self.name, self.arguments, mode=self.tool.mode)

    def _sendable(self, arguments: Mapping[str, object]) -> JsonObject:
        try:
            value = copied(arguments)
        except NotJsonError as problem:
            field = FieldError(path=problem.path, code="json", message=problem.reason)
        else:
            if isinstance(value, dict):
                return value
            field = FieldError(path="$", code="type", message="the arguments are no object")
        message = f"wrong arguments for `{self.name}`: {field.path}: {field.message}"
        error = ToolError.validation(message, field_errors=(field,))
        raise error.sent(self.request_id, retryable=False) from None
