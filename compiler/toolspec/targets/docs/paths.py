"""File names of pages, and links between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import code
from toolspec.targets.docs.view import Markdown
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from toolspec.ir import Tool

FOLDER = "docs"
INDEX = "README.md"
CHANGELOG = "changelog.md"
NAVIGATION = ".nav.yml"
"""Generators of sites copy no file whose name begins with a dot."""

_UNLINKED = re.compile(r"[^\w-]")

# Names reserved on Windows.
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}
)
_TAKEN = frozenset({"readme", "changelog"})


def is_reserved(name: str) -> bool:
    """Return whether Windows has no file of a name."""
    return name.casefold() in _RESERVED


def page_name(service: str) -> str:
    """Return the file name of a service's page; a `_` is appended to reserved names."""
    is_taken = service.casefold() in _TAKEN or is_reserved(service)
    return f"{service}_.md" if is_taken else f"{service}.md"


def anchor(tool: Tool) -> str:
    """Return GitHub's fragment for a tool's heading, which is its exact name."""
    return _UNLINKED.sub("", exact_name(tool).lower())


def link(tool: Tool, page: str = "") -> Markdown:
    """Return a link to a tool, on the same page or on another one."""
    return Markdown(f"[{code(exact_name(tool))}]({page}#{anchor(tool)})")
