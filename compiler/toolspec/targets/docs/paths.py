"""Where pages lie and how they link to each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import code
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from toolspec.ir import Tool

FOLDER = "docs"
INDEX = "README.md"

_UNLINKED = re.compile(r"[^\w-]")

# Not to be had beside the index, or not at all on Windows.
_TAKEN = frozenset(
    {"readme", "con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}
)


def page_name(service: str) -> str:
    """Return the file name of a service's page; no service name holds the `_` of an evasion."""
    return f"{service}_.md" if service.casefold() in _TAKEN else f"{service}.md"


def anchor(tool: Tool) -> str:
    """Return the fragment of a tool's heading, which is its exact name, as GitHub derives it."""
    return _UNLINKED.sub("", exact_name(tool).lower())


def link(tool: Tool, page: str = "") -> str:
    """Return a link to a tool, on the same page or on another one."""
    return f"[{code(exact_name(tool))}]({page}#{anchor(tool)})"
