"""File names of the pages of a site, and fragments on them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.targets.docs.paths import is_reserved
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from toolspec.ir import Tool

FOLDER = "site"
TYPES = "types.html"
CHANGELOG = "changelog.html"
GUIDES = "guides"
"""Folder of the guides."""
_OUTSIDE = re.compile(r"[^A-Za-z0-9_.-]")


def service_folder(service: str) -> str:
    """Return the folder of a service's pages; a `_` is appended to names that are taken."""
    return f"{service}_" if is_reserved(service) or service == GUIDES else service


def tool_page(tool: Tool) -> str:
    """Return the page of a tool in the folder of its service.

    No name of a tool contains `~`, so that no two tools share a page.
    """
    name = exact_name(tool).replace("/", "~")
    is_taken = name.casefold() in {"index", "types"} or is_reserved(name.partition(".")[0])
    return f"{name}~~.html" if is_taken else f"{name}.html"


def fragment(text: str) -> str:
    """Return a text as part of a fragment, another one for each text; `site.js` has the same.

    No part contains `~~`, which separates a type and its member.
    """
    return _OUTSIDE.sub(lambda match: f"~{ord(match[0]):x}", text)
