"""Guard of a client: compares each list of tools with the contract before a call goes out."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp import Client
from mcp.shared.exceptions import MCPError

from toolspec.changes.contract import ContractError
from toolspec.changes.guard import READERS, compare_shown, line
from toolspec.changes.kind import Level
from toolspec.runtime.errors import ToolError
from toolspec.serving.guard import load_contract, shortened
from toolspec.serving.log import escaped
from toolspec.shared.lists import WireList

if TYPE_CHECKING:
    from toolspec.changes.change import Change
    from toolspec.serving.client.tool_list import ListedTool
    from toolspec.shared.json_values import JsonObject

BROKEN = "contract_broken"
"""The error code of a server whose list breaks the contract, and of tools that it does not cover."""

_log = logging.getLogger("toolspec")


class GuardedClient(Client):
    """An SDK client that never lists tools by itself, to repeat a call under a list that nobody compared."""

    async def list_tools(self, **_: Any) -> types.ListToolsResult:
        """Raise MCPError: the transport reads lists."""
        raise MCPError(types.INTERNAL_ERROR, "the list has to be compared with the contract")


class ClientGuard:
    """Compares lists with a contract. Raises ContractError for a file that cannot be relied on."""

    client = GuardedClient

    def __init__(self, path: str) -> None:
        self._path = path
        self._contract = load_contract(path)
        self._names: frozenset[str] = frozenset()
        self._accepted = ""

    def check(self, dump: JsonObject) -> None:
        """Return if a list keeps the contract, and log harmless differences.

        Raises ToolError `permission` with the tools and codes otherwise.
        """
        wire = WireList.of_dump(dump)
        text = json.dumps([wire.target, wire.tools, wire.instructions])
        if text == self._accepted:
            return
        try:
            report = compare_shown(self._contract, wire)
        except ContractError as error:
            raise _error(escaped(f"{error}: {self._path}")) from None
        if report.breaks:
            lines = [escaped(line(change)) for change in report.breaks]
            message = f"the server breaks the contract {self._path}: "
            raise _error(message + "; ".join(shortened(lines)), report.breaks)
        for change in report.others:
            is_risk = change.level(READERS) is Level.RISK
            _log.log(logging.WARNING if is_risk else logging.INFO, escaped(line(change)))
        if report.hidden:
            names = escaped(", ".join(report.hidden))
            _log.warning("the server does not show %s of the contract", names)
        self._accepted, self._names = text, report.names

    def allow(self, tool: ListedTool, name: str) -> None:
        """Return if a call may go out. Raises ToolError for a tool that was not compared."""
        if not tool.is_known:
            problem = f"the server does not show `{name}`, so it was not compared with the contract"
            raise _error(problem)
        if tool.definition.full_name not in self._names:
            problem = f"`{name}` is not in the contract {self._path}"
            raise _error(problem)


def _error(message: str, breaks: tuple[Change, ...] = ()) -> ToolError:
    changes: list[JsonObject] = [
        {"tool": change.place.tool, "code": change.code, "message": change.message}
        for change in breaks
    ]
    details = {"changes": changes} if changes else {}
    return ToolError.permission(message, code=BROKEN, retryable=False, details=details)
