"""Lists of tools as MCP servers send them."""

from __future__ import annotations

from toolspec.shared.records import dataclass

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.shared.json_values import JsonObject

_MODERN, _LEGACY = "2026-07-28", "2025-11-25"


@dataclass(frozen=True, slots=True)
class WireList:
    """The tools that a server lists for an MCP target, as they are on the wire, and its instructions."""

    target: str
    tools: Sequence[JsonObject]
    instructions: str = ""

    @staticmethod
    def of_dump(dump: JsonObject) -> WireList:
        """Return the list in a dump that has the version of its protocol."""
        is_modern = str(dump.get("protocolVersion")) >= _MODERN
        tools = dump.get("tools")
        return WireList(
            f"mcp-{_MODERN if is_modern else _LEGACY}",
            [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else [],
            str(dump.get("instructions", "")),
        )
