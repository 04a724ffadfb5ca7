"""Facts about the paging of tools, for rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema.walk import members
from toolspec.shared.paging_names import paging_role

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.shared.paging_names import PagingRole


def paging_roles(tool: Tool) -> dict[str, PagingRole]:
    """Return the arguments of a tool that page, by their names or by their names in its request."""
    sent = {each.argument: each.name for each in tool.http.arguments} if tool.http else {}
    roles = {
        name: paging_role(name) or paging_role(sent.get(name, ""))
        for name in members(tool.arguments)
    }
    return {name: role for name, role in roles.items() if role is not None}
